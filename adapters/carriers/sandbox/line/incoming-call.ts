// Somebody of the network calls a number of the customer.
import type { Network } from '../network.ts';
import { newSid } from '../new-sid.ts';
import type { NumberUrls } from '../number-urls.ts';
import type { Person } from '../people/person.ts';
import { newPhoneCall, type LiveCall } from './phone-call.ts';
import { startCall } from './run-call.ts';

const limits = { ringSeconds: 60, talkSeconds: 14_400 } as const;

/** What the network shows of a caller who withholds their number: ANONYMOUS on a keypad. */
const withheldNumber = '+266696687';

export function startIncomingCall(
  network: Network,
  urls: NumberUrls,
  { caller, to, anonymous }: { caller: Person; to: string; anonymous: boolean },
): LiveCall {
  const call = newPhoneCall({
    sid: newSid('CA'),
    direction: 'inbound',
    person: caller,
    createdAt: network.clock.now(),
    order: {
      to,
      from: anonymous ? withheldNumber : caller.phone,
      instructions: { kind: 'url', url: urls.voiceUrl, method: 'POST' },
      statusCallback: urls.statusUrl,
      statusCallbackMethod: 'POST',
      statusCallbackEvents: ['completed'],
      timeoutSeconds: limits.ringSeconds,
      timeLimitSeconds: limits.talkSeconds,
      detection: null,
      asyncDetection: false,
      asyncDetectionCallback: null,
    },
  });
  network.calls.add(call);
  return startCall(network, call);
}
