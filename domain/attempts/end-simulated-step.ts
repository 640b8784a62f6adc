// Plays one step of a test-key order: the ring ends, then the talk ends.
import type { CallRef } from '../calls/call-desk.ts';
import type { Context } from '../context.ts';
import { keepTurn, markAnswered, watchLater } from './attempt-queries.ts';
import { finishAttempt, type AttemptEnding } from './finish-attempt.ts';
import type { Attempt } from '../orders/order.ts';
import { findOrderFile } from '../orders/order-queries.ts';
import {
  answersWithVoicemail,
  simulatedOutcome,
  simulatedPerson,
  simulation,
} from './simulated-outcome.ts';
import { simulatedTurns } from './simulated-turns.ts';

export async function endSimulatedStep(ctx: Context, attempt: Attempt) {
  const call: CallRef = {
    workspaceId: attempt.workspaceId,
    orderId: attempt.orderId,
    attemptId: attempt.id,
  };
  const personPicksUp = !answersWithVoicemail(attempt.phone, attempt.number);
  if (personPicksUp && attempt.state === 'placed') await startTalking(ctx, call, attempt);
  else await finishAttempt(ctx, call, (_file, current) => simulatedEnding(ctx, current));
}

async function startTalking(ctx: Context, call: CallRef, attempt: Attempt) {
  const file = await findOrderFile(ctx.db, call.workspaceId, call.orderId);
  if (!file) return;
  const now = ctx.clock.now();
  const turns = simulatedTurns(file.agent, file.order.firstName, simulatedPerson(attempt.phone));
  for (const turn of turns) await keepTurn(ctx.db, call, turn, now);
  // Last, so that a step which was cut off is played again whole.
  await markAnswered(ctx.db, call, now, now);
  const endsAt = new Date(
    now.getTime() + (simulation.talkSeconds * 1000) / ctx.settings.simulationSpeed,
  );
  await watchLater(ctx.db, call.workspaceId, call.attemptId, endsAt);
  ctx.wakeJobs(endsAt);
}

/** The talk counts its nominal length, whatever the speed of the simulation. */
function simulatedEnding(ctx: Context, attempt: Attempt): AttemptEnding {
  const outcome = simulatedOutcome(attempt.phone, attempt.number, ctx.clock.now());
  const startedAt = attempt.talkStartedAt;
  return {
    outcome,
    answeredBy: outcome.kind === 'person' ? 'person' : 'machine',
    talk: startedAt && {
      startedAt,
      endedAt: new Date(startedAt.getTime() + simulation.talkSeconds * 1000),
    },
    report: null,
  };
}
