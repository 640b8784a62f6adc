// Which move of the state machine the outcome of an attempt is. Pure.
import { limits } from '../../openapi/limits.ts';
import type { OrderStatus } from '../../openapi/outcome.ts';
import type { CallReport } from '../calls/call-report.ts';
import type { Appointment, Order, Qualification } from '../orders/order.ts';
import { nextStatus, type OrderEventName, type OrderHappening } from '../orders/order-machine.ts';

/** How an attempt ended, after all evidence was weighed. */
export type AttemptOutcome =
  | { readonly kind: 'no_answer' | 'busy' | 'declined' | 'machine' | 'invalid_number' }
  /**
   * The phone surely never rang, by the carrier's fault or ours. While the carrier fails for everybody, the fault is
   * not the order's, and it waits until dials go on.
   */
  | { readonly kind: 'not_placed'; readonly carrierPausedUntil?: Date | null }
  /** Nor did it here: the number opted out before the carrier was asked, or the carrier says so. */
  | { readonly kind: 'do_not_contact' }
  /** A call to us that was over before the caller said anything. */
  | { readonly kind: 'dropped' }
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
  /** Nothing could be booked because the calendar could not be reached. */
  readonly calendarFailed?: boolean;
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
  readonly event: OrderEventName;
  readonly sendsText: boolean;
  /** Whether the attempt counts as one of the order's dials. */
  readonly counted: boolean;
  /** Whether it is one of the order's few dials that may fail without having rung. */
  readonly countsAsFault: boolean;
}

/** A move by its name, and what comes with it. */
interface Ending extends Pick<NextState, 'reason' | 'nextDialAt'> {
  readonly on: OrderHappening;
  readonly sendsText?: true;
  readonly counted?: false;
  readonly countsAsFault?: boolean;
}

type OrderFacts = Pick<
  Order,
  'status' | 'attemptNumber' | 'maxAttempts' | 'carrierFaults' | 'sendSmsOnVoicemail'
>;

/** `retryAt` is the end of the retry interval. Throws ImpossibleMoveError when no call of the order is live. */
export function afterAttempt(
  order: OrderFacts,
  outcome: AttemptOutcome,
  times: { now: Date; retryAt: Date },
): NextState {
  const { on, ...rest } = endingOf(order, outcome, times);
  const usual = { sendsText: false, counted: true, countsAsFault: false };
  return { ...usual, ...rest, ...nextStatus(order.status, on) };
}

function endingOf(
  order: OrderFacts,
  outcome: AttemptOutcome,
  { now, retryAt }: { now: Date; retryAt: Date },
): Ending {
  const retry = order.attemptNumber < order.maxAttempts ? retryAt : null;
  switch (outcome.kind) {
    case 'no_answer':
    case 'busy':
    case 'declined':
      return missed('no_answer', retry);
    case 'machine':
      return order.sendSmsOnVoicemail ? texted(retry) : missed('machine', retry);
    case 'invalid_number':
      return ended('number_invalid', 'invalid_number');
    case 'dropped':
      return ended('caller_left', 'call_dropped');
    case 'not_placed':
      return neverRang(order, outcome.carrierPausedUntil ?? null, now);
    case 'do_not_contact':
      return { ...ended('number_suppressed', 'do_not_contact'), counted: false };
    case 'person':
      return afterTalk(outcome.talk, retry);
  }
}

/** What is left of it once the number has opted out: nothing waits, and nothing is texted. */
export function afterOptOut(order: Pick<Order, 'status'>, next: NextState): NextState {
  const ending = { reason: 'do_not_contact', nextDialAt: null, sendsText: false };
  return { ...next, ...ending, ...nextStatus(order.status, 'number_suppressed') };
}

/** Whether the next state means to reach the person, or says only that nobody was reached. */
export function yieldsToOptOut(next: NextState): boolean {
  const unreached = next.reason === 'no_answer' || next.reason === 'machine';
  return next.nextDialAt !== null || next.sendsText || unreached;
}

/** Precedence: booked, opted out, not interested, qualified, undecided. */
function afterTalk(talk: PersonOutcome, retry: Date | null): Ending {
  if (talk.appointment.booked) return ended('booked', null);
  if (talk.optedOut === 'stop_calling') return ended('opted_out', 'do_not_contact');
  if (talk.optedOut === 'wrong_number') return ended('opted_out', 'wrong_number');
  if (talk.interest === 'no') return ended('declined', 'not_interested');
  if (talk.verdict === 'qualified')
    return ended('qualified', talk.calendarFailed ? 'calendar_unavailable' : null);
  if (talk.verdict !== 'undecided') return ended('unfit', talk.verdict);
  const cutShort = talk.talkSeconds < limits.calls.droppedBeforeSeconds || !talk.personSpoke;
  if (cutShort && retry)
    return {
      on: 'dropped',
      reason: talk.ownFault ? 'call_failed' : 'call_dropped',
      nextDialAt: retry,
    };
  return ended('undecided', talk.ownFault ? 'call_failed' : 'inconclusive');
}

function missed(reason: string, retry: Date | null): Ending {
  return { on: retry ? 'missed' : 'missed_at_last', reason, nextDialAt: retry };
}

/** With attempts left the update goes out when the interval ends and the order becomes RETRY_SCHEDULED. */
function texted(retry: Date | null): Ending {
  const on = retry ? 'texted' : 'texted_at_last';
  return { on, reason: 'machine', nextDialAt: retry, sendsText: true };
}

/** Back where it was, soon, and not counted; a carrier that keeps failing ends the order. */
function neverRang(order: OrderFacts, carrierPausedUntil: Date | null, now: Date): Ending {
  if (!carrierPausedUntil && order.carrierFaults + 1 > limits.calls.carrierFaultsMax)
    return { ...ended('never_rang_too_often', 'call_failed'), counted: false };
  const waitMs = limits.calls.carrierFaultWaitSeconds * 1000 * (order.carrierFaults + 1);
  return {
    on: order.attemptNumber > 1 ? 'retry_never_rang' : 'first_never_rang',
    reason: null,
    nextDialAt: carrierPausedUntil ?? new Date(now.getTime() + waitMs),
    counted: false,
    countsAsFault: !carrierPausedUntil,
  };
}

function ended(on: OrderHappening, reason: string | null): Ending {
  return { on, reason, nextDialAt: null };
}
