// Telnyx's REST API as far as calls, texts and numbers go, for one account.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { serveCalls } from './calls-api.ts';
import { serveMessages } from './messages-api.ts';
import { serveNumbers } from './numbers-api.ts';
import { refuse, telnyxErrors } from './telnyx-error.ts';
import type { TelnyxNetwork } from './telnyx-network.ts';

export async function serveTelnyxApi(app: FastifyInstance, network: TelnyxNetwork): Promise<void> {
  const expected = Buffer.from(`Bearer ${network.account.apiKey}`);
  await app.register(
    async (api) => {
      api.addHook('onRequest', async (request, reply) => {
        const given = Buffer.from(request.headers.authorization ?? '');
        if (given.length === expected.length && timingSafeEqual(given, expected)) return;
        await refuse(reply, telnyxErrors.unauthorized);
      });
      api.setNotFoundHandler((_request, reply) => refuse(reply, telnyxErrors.notFound));
      api.setErrorHandler((error, _request, reply) => {
        if (error instanceof Error && 'statusCode' in error && Number(error.statusCode) < 500)
          return refuse(reply, telnyxErrors.badRequest);
        network.log.error({ err: error }, 'sandbox request broke');
        return refuse(reply, telnyxErrors.serverError);
      });
      serveCalls(api, network);
      serveMessages(api, network);
      serveNumbers(api, network);
    },
    { prefix: '/v2' },
  );
}
