// Where the running system is: DATABASE_URL when it is set, else what `npm start` left in the data directory.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { runningFile } from '../compose/start-system.ts';
import type { Config } from '../platform/config.ts';

const RunningFile = z.object({
  base_url: z.string(),
  database_url: z.string(),
  sandbox_port: z.number(),
});

export interface RunningSystem {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  /** Of the sandbox network that runs here. */
  readonly sandboxPort: number;
}

export async function findRunning(config: Config): Promise<RunningSystem | null> {
  const written = await readRunningFile(join(config.dataDir, runningFile));
  if (config.databaseUrl) {
    const isSame = written?.databaseUrl === config.databaseUrl;
    return {
      databaseUrl: config.databaseUrl,
      baseUrl: isSame ? written.baseUrl : config.publicUrl,
      sandboxPort: isSame ? written.sandboxPort : config.sandboxPort,
    };
  }
  return written;
}

async function readRunningFile(file: string): Promise<RunningSystem | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return null;
  }
  const parsed = RunningFile.safeParse(JSON.parse(text));
  if (!parsed.success) return null;
  const { base_url: baseUrl, database_url: databaseUrl, sandbox_port: sandboxPort } = parsed.data;
  return { baseUrl, databaseUrl, sandboxPort };
}
