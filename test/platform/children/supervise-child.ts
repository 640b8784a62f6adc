// A parent that supervises serve.ts and then waits to be killed.
import { createLogger } from '../../../platform/log.ts';
import { superviseProcess } from '../../../platform/supervise.ts';

await superviseProcess({
  name: 'child',
  command: process.execPath,
  args: [new URL('serve.ts', import.meta.url).pathname, process.argv[2] ?? ''],
  env: process.env,
  log: createLogger({ level: 'silent', process: 'test' }),
  restart: true,
});
process.send?.('child is ready');
