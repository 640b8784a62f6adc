// The real context of a process, on the benchmark's own database.
import { openContext } from '../compose/create-context.ts';
import { loadConfig } from '../platform/config.ts';

export function createContextForBench(databaseUrl: string, appSecret: string) {
  const config = loadConfig({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' });
  return openContext('server', { ...config, databaseUrl }, { appSecret });
}
