// Ends an attempt exactly once: next status, charge, text, retry and event in one move.
import { limits } from '../../openapi/limits.ts';
import { newId } from '../../platform/ids.ts';
import { chargeForTalk, noCharge } from '../billing/pricing.ts';
import type { CallRef } from '../calls/call-desk.ts';
import type { CallReport } from '../calls/call-report.ts';
import type { Context } from '../context.ts';
import type { AttemptOutcome, NextState, PersonOutcome } from './after-attempt.ts';
import { inboundOutcome } from './after-attempt.ts';
import { decideNextState } from './decide-next-state.ts';
import { nextDialAt } from '../dialling/next-dial-at.ts';
import type { Attempt } from '../orders/order.ts';
import { isFinal, isLive } from '../orders/order.ts';
import { deliveriesOf } from '../orders/order-deliveries.ts';
import { unchanged, type OrderMove } from '../orders/order-move.ts';
import { findOrderFile, moveOrder, type OrderFile } from '../orders/order-queries.ts';
import { fallbackText } from './voicemail-text.ts';

const movesTriedMax = 5;

export interface AttemptEnding {
  readonly outcome: AttemptOutcome;
  /** Who the carrier or the gateway says picked up. */
  readonly answeredBy: 'person' | 'machine' | 'unknown' | null;
  readonly talk: { readonly startedAt: Date; readonly endedAt: Date } | null;
  readonly report: CallReport | null;
}

/** Decides from the file as it stands now, so that an ending may be built from what it says. */
export type EndingOf = (file: OrderFile, attempt: Attempt) => AttemptEnding | null;

/** True when this call ended the attempt; false when it was over already or the ending was withdrawn. */
export async function finishAttempt(
  ctx: Context,
  call: CallRef,
  endingOf: EndingOf,
): Promise<boolean> {
  for (let tried = 0; tried < movesTriedMax; tried++) {
    const file = await findOrderFile(ctx.db, call.workspaceId, call.orderId);
    const attempt = file?.attempts.find(({ id }) => id === call.attemptId);
    if (!file || !attempt || !isLive(attempt) || isFinal(file.order)) return false;
    const decided = endingOf(file, attempt);
    if (!decided) return false;
    const ending = attempt.direction === 'inbound' ? ofInboundCall(decided) : decided;
    const next = await decideNextState(ctx, file.order, ending.outcome);
    if (!next) return false;
    const move = endingMove(ctx, file, attempt, { ending, next });
    if (!(await moveOrder(ctx.db, move))) continue;
    ctx.log.info(
      {
        orderId: call.orderId,
        attemptId: call.attemptId,
        status: move.order.status,
        reason: move.order.reason,
      },
      'attempt ended',
    );
    ctx.wakeJobs(ctx.clock.now());
    if (move.order.nextDialAt) ctx.wakeJobs(move.order.nextDialAt);
    return true;
  }
  throw new Error('The order kept moving while its attempt was being ended.');
}

function ofInboundCall(ending: AttemptEnding): AttemptEnding {
  const outcome = inboundOutcome(ending.outcome, ending.report);
  return { ...ending, outcome, talk: outcome.kind === 'person' ? ending.talk : null };
}

function endingMove(
  ctx: Context,
  file: OrderFile,
  attempt: Attempt,
  { ending, next }: { ending: AttemptEnding; next: NextState },
): OrderMove {
  const now = ctx.clock.now();
  const charge = next.counted
    ? chargeForTalk(ending.talk, attempt.test ? null : file.hold)
    : noCharge;
  const person = ending.outcome.kind === 'person' ? ending.outcome.talk : null;
  const order: OrderMove['order'] = {
    ...unchanged(file.order),
    status: next.status,
    reason: next.reason,
    attemptNumber: file.order.attemptNumber - (next.counted ? 0 : 1),
    carrierFaults: file.order.carrierFaults + (next.countsAsFault ? 1 : 0),
    nextDialAt: nextDialAt(ctx.settings, file, next),
    durationSeconds: file.order.durationSeconds + charge.durationSeconds,
    billedMinutes: file.order.billedMinutes + charge.billedMinutes,
    chargedMicros: file.order.chargedMicros + charge.chargedMicros,
    qualification: person ? person.qualification : file.order.qualification,
    appointment: person ? person.appointment : file.order.appointment,
    analysis: person ? analysisAfter(ctx, attempt, person, next) : file.order.analysis,
    completedAt: next.nextDialAt ? null : now,
  };
  const told = {
    state: next.counted ? 'ended' : 'not_placed',
    outcome: outcomeName(ending.outcome),
    answeredBy: ending.answeredBy,
  } as const;
  const attempts = file.attempts.map((one) => (one.id === attempt.id ? { ...one, ...told } : one));
  return {
    workspaceId: file.order.workspaceId,
    orderId: file.order.id,
    version: file.order.version,
    now,
    order,
    attempt: {
      id: attempt.id,
      test: attempt.test,
      ...told,
      talkStartedAt: ending.talk?.startedAt ?? null,
      talkEndedAt: ending.talk?.endedAt ?? null,
      durationSeconds: charge.durationSeconds,
      chargedMicros: charge.chargedMicros,
      textMicros: next.sendsText ? (file.hold?.textPriceMicros ?? 0) : 0,
      report: ending.report,
    },
    texts: next.sendsText ? [textOf(file, attempt, now)] : [],
    deliveries: deliveriesOf(
      ctx,
      { ...file, attempts },
      { ...file.order, ...order },
      next.event,
      now,
    ),
  };
}

/** A model reads a call once the order is final; what was not said needs no reading. */
function analysisAfter(ctx: Context, attempt: Attempt, talk: PersonOutcome, next: NextState) {
  const worthIt = ctx.analyst && !attempt.test && talk.personSpoke && !next.nextDialAt;
  return worthIt ? 'pending' : 'complete';
}

function textOf(file: OrderFile, attempt: Attempt, now: Date): OrderMove['texts'][number] {
  return {
    id: newId('txt', now),
    state: attempt.test ? 'simulated' : 'due',
    phone: attempt.phone,
    callerNumber: attempt.callerNumber,
    body: fallbackText(file.agent, file.order.firstName),
    nextTryAt: attempt.test ? null : now,
  };
}

function outcomeName(outcome: AttemptOutcome): string {
  if (outcome.kind === 'do_not_contact') return 'not_placed';
  if (outcome.kind !== 'person') return outcome.kind === 'machine' ? 'voicemail' : outcome.kind;
  if (outcome.talk.ownFault) return 'failed';
  const cutShort = outcome.talk.talkSeconds < limits.calls.droppedBeforeSeconds;
  return cutShort && !outcome.talk.personSpoke ? 'dropped' : 'person';
}
