// The network's one HTTP port: a REST API per protocol, /sandbox for tests and developers.
import { fastify, type FastifyInstance } from 'fastify';
import { serveControlApi } from './control-api.ts';
import type { Network } from './network.ts';
import type { NumberSettings } from './number-owner.ts';
import { sandboxTelnyxAccount } from './telnyx/account.ts';
import { createTelnyxOwner } from './telnyx/number-owner.ts';
import { serveTelnyxApi } from './telnyx/telnyx-api.ts';
import { openTelnyxNetwork } from './telnyx/telnyx-network.ts';
import { createTwilioOwner } from './twilio/number-owner.ts';
import { serveTwilioApi } from './twilio/twilio-api.ts';
import { twilioErrors } from './twilio/twilio-error.ts';
import { refuse } from './twilio/twilio-request.ts';

const limits = { bodyBytesMax: 64 * 1024 } as const;

export async function createHttp(
  network: Network,
  options: NumberSettings & { readonly accountSid: string; readonly authToken: string },
): Promise<FastifyInstance> {
  const app = fastify({ bodyLimit: limits.bodyBytesMax, forceCloseConnections: true });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(body.toString())),
  );
  app.setNotFoundHandler((_request, reply) => refuse(reply, twilioErrors.notFound));
  app.setErrorHandler((error, _request, reply) => {
    const status = statusOf(error);
    if (status < 500)
      return refuse(reply, { status, code: 20_001, message: 'The request cannot be read' });
    network.log.error({ err: error }, 'sandbox request broke');
    return refuse(reply, twilioErrors.serverError);
  });
  const { accountSid, authToken } = options;
  const twilio = { ...network, accountSid, authToken };
  const telnyx = openTelnyxNetwork(network, sandboxTelnyxAccount(authToken));
  const owner =
    options.numberProtocol === 'telnyx'
      ? createTelnyxOwner(telnyx, options)
      : createTwilioOwner(twilio, options);
  serveControlApi(app, network, owner);
  await serveTwilioApi(app, twilio);
  await serveTelnyxApi(app, telnyx);
  return app;
}

/** Fastify's own refusals (too large, not JSON) carry their status. */
function statusOf(error: unknown): number {
  const isRefusal = error instanceof Error && 'statusCode' in error;
  return isRefusal && typeof error.statusCode === 'number' ? error.statusCode : 500;
}
