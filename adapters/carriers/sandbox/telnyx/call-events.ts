// Tells the customer of a dialled call how it goes on.
import { openCallbackLine } from '../callbacks.ts';
import type { CallProgress } from '../line/call-customer.ts';
import type { PhoneCall } from '../line/phone-call.ts';
import { signedWebhook } from './send-webhook.ts';
import type { DialedCall, TelnyxNetwork } from './telnyx-network.ts';

export interface CallEvents {
  told(progress: CallProgress): Promise<void>;
  machineDetected(): void;
  streaming(what: 'started' | 'stopped' | 'failed'): void;
  /** Somebody calls: the customer shall say what becomes of it. */
  offered(): void;
  /** What was to be said has been heard. */
  spoken(): void;
}

export function createCallEvents(network: TelnyxNetwork, dialed: DialedCall): CallEvents {
  const { dial, call } = dialed;
  const line = openCallbackLine(network.callbacks, network.faults.callbackFault(dial.to));
  const make = (type: string, content: object) => {
    dialed.events.push({ name: type, at: network.clock.now() });
    if (!dial.webhook_url) return null;
    const payload = { ...commonPayload(dialed), ...content };
    return signedWebhook(network, { url: dial.webhook_url, type, payload });
  };
  const aside = (type: string, content: object) => {
    const request = make(type, content);
    if (request) void line.aside(request);
  };
  return {
    async told(progress) {
      const event = progressEvent(call, progress);
      const request = event && make(event.type, event.content);
      if (request) await line.inOrder(request, progress === 'completed');
    },
    machineDetected() {
      aside('call.machine.premium.detection.ended', { result: detectionResult(call.answeredBy) });
    },
    streaming(what) {
      const failure = what === 'failed' ? { failure_reason: 'connection_failed' } : {};
      aside(`streaming.${what}`, { stream_url: dialed.dial.stream_url, ...failure });
    },
    offered() {
      const startTime = call.createdAt.toISOString();
      aside('call.initiated', { direction: 'incoming', state: 'parked', start_time: startTime });
    },
    spoken() {
      aside('call.speak.ended', { status: 'completed' });
    },
  };
}

function commonPayload({ sid, legId, sessionId, dial }: DialedCall) {
  return {
    call_control_id: sid,
    call_leg_id: legId,
    call_session_id: sessionId,
    client_state: dial.client_state ?? null,
    connection_id: dial.connection_id,
    from: dial.from,
    to: dial.to,
  };
}

/** Telnyx does not tell that a phone rings. */
function progressEvent(call: PhoneCall, progress: CallProgress) {
  const startTime = (call.dialedAt ?? call.createdAt).toISOString();
  switch (progress) {
    case 'initiated':
      return {
        type: 'call.initiated',
        content: { direction: 'outgoing', state: 'bridging', start_time: startTime },
      };
    case 'ringing':
      return null;
    case 'answered':
      return { type: 'call.answered', content: { state: 'answered', start_time: startTime } };
    case 'completed':
      return {
        type: 'call.hangup',
        content: {
          state: 'hangup',
          start_time: startTime,
          hangup_source: 'unknown',
          ...hangupCause(call),
        },
      };
  }
}

export function hangupCause(call: PhoneCall) {
  switch (call.status) {
    case 'busy':
      return { hangup_cause: 'user_busy', sip_hangup_cause: '486' };
    case 'no-answer':
      return { hangup_cause: 'timeout', sip_hangup_cause: '487' };
    case 'canceled':
      return { hangup_cause: 'originator_cancel', sip_hangup_cause: '487' };
    case 'queued':
    case 'ringing':
    case 'in-progress':
    case 'completed':
      return { hangup_cause: 'normal_clearing', sip_hangup_cause: '200' };
  }
}

function detectionResult(answeredBy: string | null) {
  if (answeredBy === 'human') return 'human_residence';
  return answeredBy?.startsWith('machine') ? 'machine' : 'silence';
}
