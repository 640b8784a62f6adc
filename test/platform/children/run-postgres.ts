// Starts the embedded Postgres of the directory in its first argument and sends its address.
import { startEmbeddedPostgres } from '../../../platform/embedded-postgres.ts';
import { createLogger } from '../../../platform/log.ts';

const log = createLogger({ level: 'silent', process: 'test' });
const { url } = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log });
process.send?.(url);
