// Calls to our own numbers over Telnyx: each of its events is answered by a command, step by step.
import { z } from 'zod';
import type {
  CallbackReply,
  InboundAnswer,
  InboundCall,
  InboundReading,
} from '../../../domain/calls/carrier.ts';
import type { AskTelnyx } from './ask-telnyx.ts';
import { signedStreamUrl } from './stream-auth.ts';
import type { TelnyxClient } from './telnyx-client.ts';
import { callIdOf, parseEvent } from './telnyx-event.ts';
import { readTelnyxFailure } from './telnyx-failure.ts';

const voice = 'AWS.Polly.Joanna-Neural';

/** What a call is answered for that is told a sentence; it comes back with every event of the call. */
const sayMark = 'say:';

const phoneNumber = /^\+[1-9]\d{7,14}$/;

const Initiated = z.object({
  direction: z.string(),
  from: z.string(),
  to: z.string().regex(phoneNumber),
});
const WithState = z.object({ client_state: z.string().nullish() });

/** Null for events that mean the same whoever called. */
export function readInboundStep(ask: AskTelnyx, body: string): InboundReading | null {
  const event = parseEvent(body);
  const carrierCallId = event && callIdOf(event.payload);
  if (!event || !carrierCallId) return null;
  if (event.type === 'call.initiated') return readOffer(carrierCallId, event.payload);
  const sentence = sentenceOf(event.payload);
  if (sentence === null) return null;
  if (event.type === 'call.answered')
    return { kind: 'goes_on', act: () => speak(ask, carrierCallId, sentence) };
  if (event.type === 'call.speak.ended')
    return { kind: 'goes_on', act: () => hangUp(ask, carrierCallId) };
  return null;
}

/** Each command is done once per id, so that a repeated event does no harm. Rejects when nobody knows whether it was. */
export async function answerInboundCall(
  ask: AskTelnyx,
  told: { apiKey: string; call: InboundCall; answer: InboundAnswer },
): Promise<CallbackReply> {
  const { carrierCallId } = told.call;
  await command(ask, (client) => act(client, carrierCallId, told));
  return { contentType: 'application/json', body: '{}' };
}

function act(
  { calls: { actions } }: TelnyxClient,
  carrierCallId: string,
  { apiKey, answer }: { apiKey: string; answer: InboundAnswer },
): Promise<unknown> {
  switch (answer.kind) {
    case 'connect':
      return actions.answer(carrierCallId, {
        command_id: 'answer',
        stream_url: signedStreamUrl(apiKey, answer.mediaUrl),
        stream_track: 'inbound_track',
        stream_codec: 'PCMU',
        stream_bidirectional_mode: 'rtp',
        stream_bidirectional_codec: 'PCMU',
      });
    case 'say':
      return actions.answer(carrierCallId, {
        command_id: 'answer',
        client_state: Buffer.from(sayMark + answer.text).toString('base64'),
      });
    case 'busy':
      return actions.reject(carrierCallId, { command_id: 'reject', cause: 'USER_BUSY' });
    case 'not_in_service':
      return actions.reject(carrierCallId, { command_id: 'reject', cause: 'CALL_REJECTED' });
  }
}

function speak(ask: AskTelnyx, carrierCallId: string, payload: string): Promise<void> {
  return command(ask, ({ calls }) =>
    calls.actions.speak(carrierCallId, { command_id: 'speak', payload, voice }),
  );
}

function hangUp(ask: AskTelnyx, carrierCallId: string): Promise<void> {
  return command(ask, ({ calls }) => calls.actions.hangup(carrierCallId, { command_id: 'hangup' }));
}

/** A call that is over, or was told already, needs nothing more. */
async function command(ask: AskTelnyx, question: (client: TelnyxClient) => Promise<unknown>) {
  try {
    await ask(question);
  } catch (error) {
    const failure = readTelnyxFailure(error);
    const isPast =
      failure.kind === 'refused' && (failure.httpStatus === 404 || failure.httpStatus === 422);
    if (isPast) return;
    const why = failure.kind === 'refused' ? failure.code : failure.detail;
    // Without its cause, whose words repeat phone numbers.
    throw new Error(`Telnyx did not take the command: ${why}`);
  }
}

/** Calls that we dial are told of at addresses of their own. */
function readOffer(carrierCallId: string, payload: object): InboundReading {
  const offer = Initiated.safeParse(payload).data;
  if (!offer) return { kind: 'unreadable' };
  if (offer.direction !== 'incoming') return { kind: 'ignored' };
  const callerNumber = phoneNumber.test(offer.from) ? offer.from : null;
  return { kind: 'call', call: { carrierCallId, calledNumber: offer.to, callerNumber } };
}

function sentenceOf(payload: object): string | null {
  const state = WithState.safeParse(payload).data?.client_state ?? '';
  const text = Buffer.from(state, 'base64').toString();
  return text.startsWith(sayMark) ? text.slice(sayMark.length) : null;
}
