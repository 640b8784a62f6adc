// A call that was dialled over Telnyx: what it does with its line, and how it tells its customer.
import type { CallCustomer } from '../line/call-customer.ts';
import { CustomerMedia } from '../line/customer-media.ts';
import type { Line } from '../line/line.ts';
import { newPhoneCall, type LiveCall } from '../line/phone-call.ts';
import { startCall } from '../line/run-call.ts';
import { personAt } from '../people/people.ts';
import { createCallEvents, type CallEvents } from './call-events.ts';
import { callOrderOf, type DialRequest } from './dial-request.ts';
import { createTelnyxWire } from './media-wire.ts';
import { newCallControlId, newUuid } from './new-uuid.ts';
import type { DialedCall, TelnyxNetwork } from './telnyx-network.ts';

export function dialCall(
  network: TelnyxNetwork,
  dial: DialRequest,
): { dialed: DialedCall; live: LiveCall } {
  const sid = newCallControlId();
  const call = newPhoneCall({
    sid,
    direction: 'outbound',
    order: callOrderOf(dial),
    person: personAt(dial.to),
    createdAt: network.clock.now(),
  });
  const ids = { sid, legId: newUuid(), sessionId: newUuid() };
  const dialed: DialedCall = { ...ids, call, dial, offer: null, events: [] };
  network.calls.add(call);
  network.dialed.add(dialed);
  if (dial.command_id) network.commands.add({ sid: dial.command_id, made: dialed });
  return { dialed, live: startCall(network, call, customerOf(network, dialed)) };
}

function customerOf(network: TelnyxNetwork, dialed: DialedCall): CallCustomer {
  const events = createCallEvents(network, dialed);
  return {
    told: (progress) => events.told(progress),
    machineDetected: () => events.machineDetected(),
    async converse(line, over) {
      const { stream_url: url } = dialed.dial;
      if (url !== undefined) await runStream(dialed, url, { line, over, events });
      // The end of the stream is not the end of the call: only a hang-up is.
      await untilAborted(over);
    },
  };
}

export async function runStream(
  dialed: DialedCall,
  url: string,
  { line, over, events }: { line: Line; over: AbortSignal; events: CallEvents },
): Promise<void> {
  const media = new CustomerMedia(createTelnyxWire(dialed, url));
  const stop = () => media.stop();
  over.addEventListener('abort', stop, { once: true });
  void media.opened.then(() => events.streaming('started'));
  line.connect(media);
  const hadOpened = await media.closed;
  line.connect(null);
  over.removeEventListener('abort', stop);
  events.streaming(hadOpened ? 'stopped' : 'failed');
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
