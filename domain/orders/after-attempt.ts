// The transition table out of an attempt: what its outcome makes of the order. Pure.
import { limits } from '../../openapi/limits.ts';
import type { OrderStatus } from '../../openapi/outcome.ts';
import type { CallReport } from '../calls/call-report.ts';
import type { Appointment, Order, Qualification } from './order.ts';

/** How an attempt ended, after all evidence was weighed. */
export type AttemptOutcome =
  | { readonly kind: 'no_answer' | 'busy' | 'declined' | 'machine' | 'invalid_number' }
  /** A call to us that was over before the caller said anything. */
  | { readonly kind: 'dropped' }
  /** The phone surely never rang, by the carrier's fault or ours. */
  | { readonly kind: 'not_placed' }
  | { readonly kind: 'person'; readonly talk: PersonOutcome };

/**
 * What a call to one of our numbers came to. Whoever said and pressed nothing was not reached. Without a word of the
 * gateway the call was dropped: that a phone was busy or never rang says nothing about who rang us.
 */
export function inboundOutcome(
  outcome: AttemptOutcome,
  report: Pick<CallReport, 'endedBy'> | null,
): AttemptOutcome {
  if (outcome.kind === 'person') {
    const { personSpoke, optedOut } = outcome.talk;
    return personSpoke || optedOut ? outcome : { kind: 'dropped' };
  }
  return report !== null && report.endedBy !== 'own_fault' ? outcome : { kind: 'dropped' };
}

export interface PersonOutcome {
  readonly optedOut: 'stop_calling' | 'wrong_number' | null;
  readonly interest: 'yes' | 'no' | 'unknown';
  readonly appointment: Appointment;
  readonly qualification: Qualification;
  readonly verdict: 'qualified' | 'knocked_out' | 'below_threshold' | 'undecided';
  readonly talkSeconds: number;
  readonly personSpoke: boolean;
  readonly ownFault: boolean;
}

export interface NextState {
  readonly status: OrderStatus;
  readonly reason: string | null;
  /** Null when the order is final. */
  readonly nextDialAt: Date | null;
  readonly event: 'order.completed' | 'order.updated' | null;
  readonly sendsText: boolean;
  /** Whether the attempt counts as one of the order's dials. */
  readonly counted: boolean;
}

type OrderFacts = Pick<
  Order,
  'attemptNumber' | 'maxAttempts' | 'carrierFaults' | 'sendSmsOnVoicemail'
>;

/** `retryAt` is the end of the retry interval. */
export function afterAttempt(
  order: OrderFacts,
  outcome: AttemptOutcome,
  times: { now: Date; retryAt: Date },
): NextState {
  const attemptsLeft = order.attemptNumber < order.maxAttempts;
  switch (outcome.kind) {
    case 'no_answer':
    case 'busy':
    case 'declined':
      return nobodyReached('no_answer', attemptsLeft, times.retryAt);
    case 'machine':
      if (!order.sendSmsOnVoicemail) return nobodyReached('machine', attemptsLeft, times.retryAt);
      return voicemailText(attemptsLeft, times.retryAt);
    case 'invalid_number':
      return final('FAILED', 'invalid_number');
    case 'dropped':
      return final('FAILED', 'call_dropped');
    case 'not_placed':
      return neverRang(order, times.now);
    case 'person':
      return afterTalk(outcome.talk, attemptsLeft, times.retryAt);
  }
}

/** Precedence: booked, opted out, not interested, qualified, undecided. */
function afterTalk(talk: PersonOutcome, attemptsLeft: boolean, retryAt: Date): NextState {
  if (talk.appointment.booked) return final('BOOKED', null);
  if (talk.optedOut === 'stop_calling') return final('DISQUALIFIED', 'do_not_contact');
  if (talk.optedOut === 'wrong_number') return final('DISQUALIFIED', 'wrong_number');
  if (talk.interest === 'no') return final('DISQUALIFIED', 'not_interested');
  if (talk.verdict === 'qualified') return final('QUALIFIED', null);
  if (talk.verdict !== 'undecided') return final('DISQUALIFIED', talk.verdict);
  const cutShort = talk.talkSeconds < limits.calls.droppedBeforeSeconds || !talk.personSpoke;
  if (cutShort && attemptsLeft)
    return retry(talk.ownFault ? 'call_failed' : 'call_dropped', retryAt);
  return final('FAILED', talk.ownFault ? 'call_failed' : 'inconclusive');
}

function nobodyReached(reason: string, attemptsLeft: boolean, retryAt: Date): NextState {
  return attemptsLeft ? retry(reason, retryAt) : final('FAILED', reason);
}

/** With attempts left the update goes out when the interval ends and the order becomes RETRY_SCHEDULED. */
function voicemailText(attemptsLeft: boolean, retryAt: Date): NextState {
  return {
    status: 'VOICEMAIL_SMS_SENT',
    reason: 'machine',
    nextDialAt: attemptsLeft ? retryAt : null,
    event: attemptsLeft ? null : 'order.completed',
    sendsText: true,
    counted: true,
  };
}

/** Back where it was, soon, and not counted; a carrier that keeps failing ends the order. */
function neverRang(order: OrderFacts, now: Date): NextState {
  if (order.carrierFaults + 1 > limits.calls.carrierFaultsMax)
    return final('FAILED', 'call_failed');
  const waitMs = limits.calls.carrierFaultWaitSeconds * 1000 * (order.carrierFaults + 1);
  return {
    status: order.attemptNumber > 1 ? 'RETRY_SCHEDULED' : 'QUEUED',
    reason: null,
    nextDialAt: new Date(now.getTime() + waitMs),
    event: null,
    sendsText: false,
    counted: false,
  };
}

function retry(reason: string, nextDialAt: Date): NextState {
  const event = 'order.updated';
  return { status: 'RETRY_SCHEDULED', reason, nextDialAt, event, sendsText: false, counted: true };
}

function final(status: OrderStatus, reason: string | null): NextState {
  const event = 'order.completed';
  return { status, reason, nextDialAt: null, event, sendsText: false, counted: true };
}
