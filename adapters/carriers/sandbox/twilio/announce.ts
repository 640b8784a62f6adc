// Tells the customer how a call goes on: status callbacks and the machine detection result.
import { randomOctets } from '../../../../platform/ids.ts';
import { openCallbackLine, type CallbackRequest } from '../callbacks.ts';
import type { CallCustomer, CallProgress } from '../line/call-customer.ts';
import { durationSeconds, type PhoneCall } from '../line/phone-call.ts';
import type { CallForm } from './call-form.ts';
import { directionOf } from './direction-of.ts';
import { signRequest } from './sign-request.ts';
import type { TwilioNetwork } from './twilio-network.ts';

export type Announcer = Pick<CallCustomer, 'told' | 'machineDetected'>;

/** Announces one call and keeps the count of its callbacks. */
export function createAnnouncer(
  network: TwilioNetwork,
  call: PhoneCall,
  form: CallForm,
): Announcer {
  const line = openCallbackLine(network.callbacks, network.faults.callbackFault(form.to));
  let sequence = 0;
  return {
    async told(event) {
      const { statusCallback: url, statusCallbackMethod: method } = form;
      if (!url || !form.statusCallbackEvents.includes(event)) return;
      const fields = progressFields(network, call, event, sequence);
      sequence += 1;
      await line.inOrder(signedRequest(network, { url, method, fields }), event === 'completed');
    },
    machineDetected(afterMs) {
      const { url, method } = form.asyncDetectionCallback ?? {};
      if (!url || !method) return;
      const fields = {
        CallSid: call.sid,
        AccountSid: network.accountSid,
        AnsweredBy: call.answeredBy ?? 'unknown',
        MachineDetectionDuration: `${afterMs}`,
      };
      void line.aside(signedRequest(network, { url, method, fields }));
    },
  };
}

/** A fragment only tunes the sender, so it is neither sent nor signed. */
export function signedRequest(
  { authToken }: TwilioNetwork,
  request: {
    readonly url: string;
    readonly method: 'GET' | 'POST';
    readonly fields: Readonly<Record<string, string>>;
  },
): CallbackRequest {
  const { method, fields } = request;
  const [address = request.url] = request.url.split('#', 1);
  const isPost = method === 'POST';
  const query = `${address.includes('?') ? '&' : '?'}${new URLSearchParams(fields).toString()}`;
  const url = isPost ? address : address + query;
  const headers = {
    'X-Twilio-Signature': signRequest(authToken, url, isPost ? fields : {}),
    'I-Twilio-Idempotency-Token': Buffer.from(randomOctets(16)).toString('hex'),
    ...(isPost && { 'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8' }),
  };
  const body = isPost ? new URLSearchParams(fields).toString() : null;
  return { url, method, body, headers: () => headers };
}

function progressFields(
  network: TwilioNetwork,
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
export function callFields(network: TwilioNetwork, call: PhoneCall): Record<string, string> {
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
    Direction: directionOf(call),
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
