// Tells the customer how a call goes on: status callbacks and the machine detection result.
import type { CallbackRequest } from './callbacks.ts';
import { durationSeconds, type PhoneCall } from './line/phone-call.ts';
import type { Network } from './network.ts';

export type CallProgress = 'initiated' | 'ringing' | 'answered' | 'completed';

/** Announces one call; keeps the count of its callbacks and those held back by a fault. */
export interface Announcer {
  /** Resolves when the callback was taken, given up, or is not wanted. */
  progress(event: CallProgress): Promise<void>;
  machineDetected(afterMs: number): void;
}

export function createAnnouncer(network: Network, call: PhoneCall): Announcer {
  const { order } = call;
  const fault = network.faults.callbackFault(order.to);
  const held: CallbackRequest[] = [];
  let sequence = 0;
  const send = async (request: CallbackRequest) => {
    if (fault.send !== 'never') await network.callbacks.deliver(request, fault);
  };
  return {
    async progress(event) {
      if (!order.statusCallback || !order.statusCallbackEvents.includes(event)) return;
      const fields = progressFields(network, call, event, sequence);
      sequence += 1;
      const request = { url: order.statusCallback, method: order.statusCallbackMethod, fields };
      if (fault.send !== 'reversed') return send(request);
      held.push(request);
      if (event !== 'completed') return;
      for (const late of held.toReversed()) await send(late);
    },
    machineDetected(afterMs) {
      const { url, method } = order.asyncDetectionCallback ?? {};
      if (!url || !method) return;
      void send({
        url,
        method,
        fields: {
          CallSid: call.sid,
          AccountSid: network.accountSid,
          AnsweredBy: call.answeredBy ?? 'unknown',
          MachineDetectionDuration: `${afterMs}`,
        },
      });
    },
  };
}

function progressFields(
  network: Network,
  call: PhoneCall,
  event: CallProgress,
  sequence: number,
): Record<string, string> {
  const duration = durationSeconds(call) ?? 0;
  return {
    ...callFields(network, call),
    CallStatus: event === 'initiated' ? 'initiated' : call.status,
    Timestamp: network.clock.now().toUTCString().replace('GMT', '+0000'),
    CallbackSource: 'call-progress-events',
    SequenceNumber: `${sequence}`,
    ...(event === 'completed' && {
      CallDuration: `${duration}`,
      Duration: `${Math.ceil(duration / 60)}`,
      SipResponseCode: sipCodeOf(call),
    }),
    ...(call.answeredBy !== null && { AnsweredBy: call.answeredBy }),
  };
}

/** What every request about a call carries. */
export function callFields(network: Network, call: PhoneCall): Record<string, string> {
  const { to, from } = call.order;
  return {
    CallSid: call.sid,
    AccountSid: network.accountSid,
    From: from,
    Caller: from,
    To: to,
    Called: to,
    CallStatus: call.status,
    ApiVersion: '2010-04-01',
    Direction: call.direction,
  };
}

function sipCodeOf(call: PhoneCall): string {
  switch (call.status) {
    case 'busy':
      return '486';
    case 'no-answer':
    case 'canceled':
      return '487';
    case 'queued':
    case 'ringing':
    case 'in-progress':
    case 'completed':
      return '200';
  }
}
