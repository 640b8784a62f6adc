// Carries out what the customer wants done with an answered call, verb by verb.
import { CustomerMedia } from '../line/customer-media.ts';
import type { Line } from '../line/line.ts';
import { warn, type PhoneCall } from '../line/phone-call.ts';
import { callFields, signedRequest } from './announce.ts';
import type { CallForm } from './call-form.ts';
import { createTwilioWire } from './media-wire.ts';
import { parseTwiml, type Verb } from './twiml.ts';
import type { TwilioNetwork } from './twilio-network.ts';

export interface TwimlCall {
  readonly network: TwilioNetwork;
  readonly call: PhoneCall;
  readonly form: CallForm;
  readonly line: Line;
  /** Aborted when the call is over. */
  readonly over: AbortSignal;
}

/** Returns when nothing is left to do; the call then ends. */
export async function playTwiml(playing: TwimlCall): Promise<void> {
  const document = await readDocument(playing);
  const verbs = document === null ? null : parseTwiml(document);
  if (!verbs) return warn(playing.call, 12_100, 'Document parse failure');
  for (const verb of verbs) {
    if (playing.over.aborted || verb.kind === 'hang_up') return;
    await playVerb(playing, verb);
  }
}

async function readDocument({ network, call, form }: TwimlCall): Promise<string | null> {
  const { instructions } = form;
  if (instructions.kind === 'twiml') return instructions.twiml;
  const { url, method } = instructions;
  const answeredBy = call.answeredBy === null ? {} : { AnsweredBy: call.answeredBy };
  const fields = { ...callFields(network, call), ...answeredBy };
  const request = signedRequest(network, { url, method, fields });
  const answer = await network.callbacks.deliver(request);
  if (answer.kind === 'answered' && answer.status < 300) return answer.body;
  warn(call, 11_200, 'HTTP retrieval failure');
  return null;
}

async function playVerb(playing: TwimlCall, verb: Exclude<Verb, { kind: 'hang_up' }>) {
  switch (verb.kind) {
    case 'stream':
      return runStream(playing, verb.url, verb.parameters);
    case 'pause':
      return playing.network.clock.sleep(verb.seconds * 1_000, playing.over);
    case 'not_here':
      return warn(playing.call, 12_200, `The sandbox does not do <${verb.name}>`);
  }
}

/** Lasts until the customer closes the socket or the call ends. */
async function runStream(
  { network, call, line, over }: TwimlCall,
  url: string,
  parameters: Readonly<Record<string, string>>,
): Promise<void> {
  if (!/^wss?:\/\/[^?#]+$/.test(url) || !URL.canParse(url))
    return warn(call, 31_922, 'Stream - WebSocket - Invalid URL');
  const stream = new CustomerMedia(createTwilioWire(network, call, { url, parameters }));
  const stop = () => stream.stop();
  over.addEventListener('abort', stop, { once: true });
  line.connect(stream);
  await stream.closed;
  line.connect(null);
  over.removeEventListener('abort', stop);
}
