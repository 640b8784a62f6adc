// The sandbox phone network as a process of its own, under the account that the other processes use.
import { destination } from 'pino';
import { startSandbox } from '../adapters/carriers/sandbox/start-sandbox.ts';
import { loadConfig, loadSecrets } from '../platform/config.ts';
import { createLogger } from '../platform/log.ts';
import { onParentGone, tellReady } from '../platform/supervise.ts';
import { sandboxAuthToken } from './create-carrier.ts';

const config = loadConfig(process.env);
const carrierUrl = `${config.publicUrl}/carriers/${config.carrierProtocol}`;
const sandbox = await startSandbox({
  port: config.sandboxPort,
  host: config.host,
  accountSid: config.twilio.accountSid,
  authToken: sandboxAuthToken(loadSecrets(process.env, config.dataDir)),
  numberProtocol: config.carrierProtocol,
  numberUrls: { voiceUrl: `${carrierUrl}/inbound`, statusUrl: `${carrierUrl}/inbound/status` },
  simulationSpeed: config.simulationSpeed,
  inboundTextUrl: `${carrierUrl}/texts`,
  log: createLogger({
    level: config.logLevel,
    process: 'sandbox',
    sink: destination({ dest: 2, sync: true }),
  }),
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
onParentGone(() => void stop());
tellReady();

async function stop() {
  await sandbox.close();
  process.exit(0);
}
