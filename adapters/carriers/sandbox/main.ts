// Runs the sandbox phone network as a process of its own, until it is told to stop.
import { parseArgs } from 'node:util';
import { destination } from 'pino';
import { createLogger } from '../../../platform/log.ts';
import { onParentGone, tellReady } from '../../../platform/supervise.ts';
import { startSandbox } from './start-sandbox.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8082' },
    host: { type: 'string', default: '127.0.0.1' },
    'account-sid': { type: 'string', default: `AC${'0'.repeat(32)}` },
    'auth-token': { type: 'string', default: 'sandbox-auth-token' },
    speed: { type: 'string', default: '1' },
    'log-level': { type: 'string', default: 'info' },
  },
});

const sink = destination({ dest: 2, sync: true });
const log = createLogger({ level: values['log-level'], process: 'sandbox', sink });
const sandbox = await startSandbox({
  port: wholeNumber('port', values.port),
  host: values.host,
  accountSid: values['account-sid'],
  authToken: values['auth-token'],
  simulationSpeed: positiveNumber('speed', values.speed),
  log,
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
onParentGone(() => void stop());
tellReady();

async function stop() {
  await sandbox.close();
  process.exit(0);
}

function wholeNumber(name: string, text: string): number {
  const number = positiveNumber(name, text);
  if (!Number.isInteger(number)) throw new Error(`--${name} must be a whole number`);
  return number;
}

function positiveNumber(name: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${name} must be a positive number`);
  return number;
}
