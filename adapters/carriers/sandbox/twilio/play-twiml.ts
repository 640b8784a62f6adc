// Carries out what the customer wants done with an answered call, verb by verb.
import { Announcement } from '../line/announcement.ts';
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
  readonly line: Line;
  /** Aborted when the call is over. */
  readonly over: AbortSignal;
}

/** Returns when nothing is left to do; the call then ends. */
export async function playTwiml(playing: TwimlCall, verbs: readonly Verb[]): Promise<void> {
  for (const verb of verbs) {
    if (playing.over.aborted || verb.kind === 'hang_up' || verb.kind === 'reject') return;
    await playVerb(playing, verb);
  }
}

/** What the customer wants done with the call; nothing when it cannot be had or read. */
export async function readVerbs(
  network: TwilioNetwork,
  call: PhoneCall,
  { instructions }: Pick<CallForm, 'instructions'>,
): Promise<readonly Verb[]> {
  const document = await readDocument(network, call, instructions);
  const verbs = document === null ? null : parseTwiml(document);
  if (!verbs) warn(call, 12_100, 'Document parse failure');
  return verbs ?? [];
}

async function readDocument(
  network: TwilioNetwork,
  call: PhoneCall,
  instructions: CallForm['instructions'],
): Promise<string | null> {
  if (instructions.kind === 'twiml') return instructions.twiml;
  const { url, method } = instructions;
  const answeredBy = call.answeredBy === null ? {} : { AnsweredBy: call.answeredBy };
  const fields = { ...callFields(network, call), ...answeredBy };
  const { copies } = network.faults.callbackFault(call.order.to);
  const request = signedRequest(network, { url, method, fields });
  const answer = await network.callbacks.deliver(request, { copies });
  if (answer.kind === 'answered' && answer.status < 300) return answer.body;
  warn(call, 11_200, 'HTTP retrieval failure');
  return null;
}

async function playVerb(playing: TwimlCall, verb: Exclude<Verb, { kind: 'hang_up' | 'reject' }>) {
  switch (verb.kind) {
    case 'stream':
      return runStream(playing, verb.url, verb.parameters);
    case 'say':
      return announce(playing, verb.text);
    case 'pause':
      return playing.network.clock.sleep(verb.seconds * 1_000, playing.over);
    case 'not_here':
      return warn(playing.call, 12_200, `The sandbox does not do <${verb.name}>`);
  }
}

async function announce({ network, line, over }: TwimlCall, text: string): Promise<void> {
  const announcement = new Announcement(network, text, over);
  line.connect(announcement);
  await announcement.heard;
  line.connect(null);
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
