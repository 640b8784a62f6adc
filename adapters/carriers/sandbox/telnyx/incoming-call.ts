// Somebody of the network calls a number of a Telnyx account: it waits, and does what it is commanded.
import { Announcement } from '../line/announcement.ts';
import type { CalledCustomer } from '../line/call-customer.ts';
import type { Line } from '../line/line.ts';
import { newPhoneCall, type LiveCall } from '../line/phone-call.ts';
import { startIncomingCall } from '../line/run-call.ts';
import type { CallIn } from '../number-owner.ts';
import { createCallEvents } from './call-events.ts';
import { callOrderOf, type DialRequest } from './dial-request.ts';
import { runStream, untilAborted } from './dialed-call.ts';
import { newCallControlId, newUuid } from './new-uuid.ts';
import type { CallOffer, DialedCall, TelnyxNetwork } from './telnyx-network.ts';

const limits = { ringSeconds: 60, talkSeconds: 14_400 } as const;

export function callTelnyxNumber(
  network: TelnyxNetwork,
  webhookUrl: string,
  { caller, to, anonymous }: CallIn,
): LiveCall {
  const sid = newCallControlId();
  const dial: DialRequest = {
    connection_id: network.account.connectionId,
    to,
    from: anonymous ? 'anonymous' : caller.phone,
    timeout_secs: limits.ringSeconds,
    time_limit_secs: limits.talkSeconds,
    answering_machine_detection: 'disabled',
    webhook_url: webhookUrl,
  };
  const call = newPhoneCall({
    sid,
    direction: 'inbound',
    order: callOrderOf(dial),
    person: caller,
    createdAt: network.clock.now(),
  });
  const decided = Promise.withResolvers<'answered' | 'busy' | 'no-answer'>();
  const talk: { line: Line | null; over: AbortSignal } = { line: null, over: network.closing };
  const offer: CallOffer = {
    commandIds: new Set(),
    decide: decided.resolve,
    speak(text) {
      const { line, over } = talk;
      if (line) void announce(line, text, over);
      return line !== null;
    },
  };
  const ids = { sid, legId: newUuid(), sessionId: newUuid() };
  const dialed: DialedCall = { ...ids, call, dial, offer, events: [] };
  const events = createCallEvents(network, dialed);
  const announce = async (line: Line, text: string, over: AbortSignal) => {
    const announcement = new Announcement(network, text, over);
    line.connect(announcement);
    await announcement.heard;
    line.connect(null);
    events.spoken();
  };
  const customer: CalledCustomer = {
    told: (progress) => events.told(progress),
    machineDetected: () => events.machineDetected(),
    async offered(over) {
      events.offered();
      const ringMs = (limits.ringSeconds * 1_000) / network.simulationSpeed;
      const unanswered = network.clock.sleep(ringMs, over).then(() => 'no-answer' as const);
      return Promise.race([decided.promise, unanswered]);
    },
    async converse(line, over) {
      talk.line = line;
      talk.over = over;
      const { stream_url: url } = dialed.dial;
      if (url !== undefined) await runStream(dialed, url, { line, over, events });
      // Only a hang-up ends the call.
      await untilAborted(over);
      talk.line = null;
    },
  };
  network.calls.add(call);
  network.dialed.add(dialed);
  return startIncomingCall(network, call, customer);
}
