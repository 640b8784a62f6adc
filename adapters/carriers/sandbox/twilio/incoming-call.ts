// Somebody of the network calls a number of a Twilio account.
import type { LiveCall } from '../line/phone-call.ts';
import { newPhoneCall } from '../line/phone-call.ts';
import { startIncomingCall } from '../line/run-call.ts';
import type { CallIn, NumberUrls } from '../number-owner.ts';
import { createAnnouncer } from './announce.ts';
import type { CallForm } from './call-form.ts';
import { newSid } from './new-sid.ts';
import { playTwiml, readVerbs } from './play-twiml.ts';
import type { Verb } from './twiml.ts';
import type { TwilioNetwork } from './twilio-network.ts';

const limits = { ringSeconds: 60, talkSeconds: 14_400 } as const;

/** What the network shows of a caller who withholds their number: ANONYMOUS on a keypad. */
const withheldNumber = '+266696687';

export function callTwilioNumber(
  network: TwilioNetwork,
  urls: NumberUrls,
  { caller, to, anonymous }: CallIn,
): LiveCall {
  const form: CallForm = {
    to,
    from: anonymous ? withheldNumber : caller.phone,
    instructions: { kind: 'url', url: urls.voiceUrl, method: 'POST' },
    statusCallback: urls.statusUrl,
    statusCallbackMethod: 'POST',
    statusCallbackEvents: ['completed'],
    timeoutSeconds: limits.ringSeconds,
    timeLimitSeconds: limits.talkSeconds,
    detection: null,
    waitsForDetection: false,
    asyncDetectionCallback: null,
  };
  const call = newPhoneCall({
    sid: newSid('CA'),
    direction: 'inbound',
    order: form,
    person: caller,
    createdAt: network.clock.now(),
  });
  network.calls.add(call);
  let verbs: readonly Verb[] = [];
  return startIncomingCall(network, call, {
    ...createAnnouncer(network, call, form),
    async offered() {
      verbs = await readVerbs(network, call, form);
      const [first] = verbs;
      if (first?.kind !== 'reject') return 'answered';
      return first.reason === 'busy' ? 'busy' : 'no-answer';
    },
    converse: (line, over) => playTwiml({ network, call, line, over }, verbs),
  });
}
