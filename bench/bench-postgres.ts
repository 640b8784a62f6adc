// A Postgres of a benchmark's own, gone with it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts';
import { createLogger } from '../platform/log.ts';

export async function startBenchPostgres(name: string) {
  const dataDir = await mkdtemp(join(tmpdir(), `bench-${name}-`));
  const log = createLogger({ level: 'error', process: 'bench' });
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  return {
    url: postgres.url,
    dataDir,
    log,
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
