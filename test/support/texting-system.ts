// A server and the sandbox network that carries its texts; calls are kept, not placed.
import { Writable } from 'node:stream';
import { signRequest } from '../../adapters/carriers/sandbox/twilio/sign-request.ts';
import { startSandbox } from '../../adapters/carriers/sandbox/start-sandbox.ts';
import { createTwilioCallbacks } from '../../adapters/carriers/twilio/twilio-callbacks.ts';
import { createTwilioCarrier } from '../../adapters/carriers/twilio/twilio-carrier.ts';
import type { Clock } from '../../platform/clock.ts';
import { findFreePort } from '../../platform/free-port.ts';
import { createLogger } from '../../platform/log.ts';
import { startServer } from '../../server/start-server.ts';
import { createKeptCarrier } from './kept-carrier.ts';
import { createTestContext } from './test-context.ts';

const account = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'token' };

export type TextingSystem = Awaited<ReturnType<typeof startTextingSystem>>;

export async function startTextingSystem(options: { clock: Clock; firstPort: number }) {
  const port = await findFreePort(options.firstPort);
  const baseUrl = `http://127.0.0.1:${port}`;
  const sandbox = await startSandbox({
    ...account,
    port: 0,
    simulationSpeed: 20,
    log: createLogger({ level: 'silent', process: 'sandbox' }),
    inboundTextUrl: `${baseUrl}/carriers/twilio/texts`,
  });
  const twilio = createTwilioCarrier({ ...account, baseUrl: sandbox.url });
  const network = createKeptCarrier();
  const system = await createTestContext({
    clock: options.clock,
    carrier: {
      ...network.carrier,
      name: twilio.name,
      sendText: (request) => twilio.sendText(request),
    },
    carrierCallbacks: createTwilioCallbacks(account),
    settings: { publicUrl: baseUrl },
  });
  /** What the server logs, down to the least of it. */
  const logged: string[] = [];
  const sink = new Writable({
    write(line: Buffer, _encoding, done) {
      logged.push(line.toString());
      done();
    },
  });
  const log = createLogger({ level: 'trace', process: 'server', sink });
  const server = await startServer({ ...system.ctx, log }, { port });
  return {
    ...system,
    baseUrl,
    network,
    logged,
    control: (path: string, body: object) =>
      fetch(`${sandbox.url}/sandbox/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    /** As the network would, but as often and at once as a test likes. */
    postSigned(path: string, fields: Record<string, string>) {
      const signature = signRequest(account.authToken, `${baseUrl}${path}`, fields);
      const body = new URLSearchParams(fields);
      const headers = { 'x-twilio-signature': signature };
      return fetch(`${baseUrl}${path}`, { method: 'POST', body, headers });
    },
    /** Bodies that the network carried to a number. */
    async textsTo(phone: string): Promise<string[]> {
      const response = await fetch(`${sandbox.url}/sandbox/texts`);
      const { texts } = (await response.json()) as { texts: { to: string; body: string }[] };
      return texts.filter(({ to }) => to === phone).map(({ body }) => body);
    },
    async close() {
      await server.stop();
      await sandbox.close();
      await system.close();
    },
  };
}
