// One embedded Postgres for the whole run, with a migrated template that every test file copies.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { prepareDatabase } from '../../compose/prepare-database.ts';
import { openDatabase } from '../../platform/db.ts';
import { startEmbeddedPostgres } from '../../platform/embedded-postgres.ts';
import { createLogger } from '../../platform/log.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
  }
}

export const templateDatabase = 'service_template';

export default async function setup(project: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), 'service-test-'));
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: createLogger({ level: 'error', process: 'test' }),
  });
  const admin = openDatabase({ url: postgres.url, poolSize: 1, application: 'test' });
  await admin.unsafe(`create database ${templateDatabase}`);
  await admin.end();
  const template = new URL(postgres.url);
  template.pathname = templateDatabase;
  await prepareDatabase(template.href);
  project.provide('postgresUrl', postgres.url);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
