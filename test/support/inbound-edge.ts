// The server with the carrier's real callbacks, and a Twilio that tells it of calls to our numbers.
import twilio from 'twilio';
import { createTwilioCallbacks } from '../../adapters/carriers/twilio/twilio-callbacks.ts';
import type { Carrier, CallLookup, Texts } from '../../domain/calls/carrier.ts';
import type { TurnableClock } from '../../platform/clock.ts';
import { newToken } from '../../platform/ids.ts';
import { startServer } from '../../server/start-server.ts';
import { createTestContext } from './test-context.ts';

const authToken = 'the-token-of-the-test-account';
const publicUrl = 'https://api.ok-carrier.net';

export interface InboundForm {
  readonly CallSid: string;
  readonly From: string;
  readonly To: string;
  readonly [field: string]: string;
}

export interface InboundAnswered {
  readonly status: number;
  readonly twiml: string;
  /** Token of the media URL in the answer; null when the call is not streamed. */
  readonly token: string | null;
}

export type InboundEdge = Awaited<ReturnType<typeof startInboundEdge>>;

export async function startInboundEdge(clock: TurnableClock) {
  const ended: string[] = [];
  const lookups = new Map<string, CallLookup>();
  const dialled: string[] = [];
  const carrier: Carrier & Texts = {
    name: 'twilio',
    async placeCall({ to }) {
      dialled.push(to);
      return { kind: 'placed', carrierCallId: `CA-out-${dialled.length}` };
    },
    findCall: async ({ carrierCallId }) => lookups.get(carrierCallId ?? '') ?? { kind: 'none' },
    endCall: async (carrierCallId) => {
      ended.push(carrierCallId);
      return 'ended';
    },
    sendText: () => Promise.reject(new Error('Nobody who called us is texted.')),
  };
  const system = await createTestContext({
    clock,
    carrier,
    carrierCallbacks: createTwilioCallbacks({ authToken }),
    settings: { publicUrl },
  });
  const server = await startServer(system.ctx, { port: 0 });
  const post = async (path: string, form: InboundForm, signature?: string) => {
    const url = `${publicUrl}${path}`;
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: 'POST',
      headers: {
        'x-twilio-signature': signature ?? twilio.getExpectedTwilioSignature(authToken, url, form),
      },
      body: new URLSearchParams(form),
    });
    const twiml = await response.text();
    const token = /\/media\/twilio\/([\w.-]+)"/.exec(twiml)?.[1] ?? null;
    return { status: response.status, twiml, token } satisfies InboundAnswered;
  };
  return {
    ...system,
    /** Numbers that were rung. */
    dialled,
    /** Carrier ids of the calls that we asked to end. */
    ended,
    /** What the carrier answers when asked about a call. */
    lookups,
    /** Somebody calls; the answer is what Twilio is told to do. */
    call: (form: InboundForm, signature?: string) =>
      post('/carriers/twilio/inbound', form, signature),
    /** The call is over. */
    callEnded: (form: InboundForm, signature?: string) =>
      post('/carriers/twilio/inbound/status', form, signature),
    async stop() {
      await server.stop();
      await system.close();
    },
  };
}

/** The fields of a call, as Twilio sends them. */
export function inboundForm(change: Partial<InboundForm> & { To: string }): InboundForm {
  return {
    CallSid: `CA${newToken(24)}`,
    AccountSid: `AC${'a'.repeat(32)}`,
    From: '+12125550133',
    CallStatus: 'ringing',
    Direction: 'inbound',
    ApiVersion: '2010-04-01',
    ...change,
  };
}
