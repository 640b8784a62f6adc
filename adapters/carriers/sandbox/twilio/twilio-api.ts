// Twilio's REST API as far as calls, texts and numbers go, for one account.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { TwilioNetwork } from './twilio-network.ts';
import { serveCalls } from './calls-api.ts';
import { serveMessages } from './messages-api.ts';
import { serveNumbers } from './numbers-api.ts';
import { refuse } from './twilio-request.ts';
import { twilioErrors } from './twilio-error.ts';

export async function serveTwilioApi(app: FastifyInstance, network: TwilioNetwork): Promise<void> {
  await app.register(
    async (api) => {
      api.addHook('onRequest', async (request, reply) => {
        if (isAuthorized(network, request.headers.authorization ?? '')) return;
        await refuse(reply, twilioErrors.unauthorized);
      });
      serveCalls(api, network);
      serveMessages(api, network);
      serveNumbers(api, network);
    },
    { prefix: `/2010-04-01/Accounts/${network.accountSid}` },
  );
}

function isAuthorized({ accountSid, authToken }: TwilioNetwork, header: string): boolean {
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  const expected = Buffer.from(`Basic ${credentials}`);
  const given = Buffer.from(header);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
