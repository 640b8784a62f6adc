// Calls that a gateway holds, as rows: an order IN_PROGRESS with a live attempt.
import type { CallRef } from '../../domain/calls/call-desk.ts';
import type { CallReport } from '../../domain/calls/call-report.ts';
import type { Context } from '../../domain/context.ts';
import { newId } from '../../platform/ids.ts';
import type { TestWorkspace } from './factories.ts';

const consent = {
  opt_in_confirmed: true,
  consented_at: '2026-11-01T12:00:00Z',
  source: 'form',
};
let calls = 0;

/** To a number of its own: a number is in one call at a time. */
export async function createLiveCall(ctx: Context, workspace: TestWorkspace): Promise<CallRef> {
  const now = ctx.clock.now();
  calls += 1;
  const phone = `+1212555${String(1000 + calls)}`;
  const orderId = newId('ord', now);
  const attemptId = newId('att', now);
  await ctx.db`
    insert into orders (workspace_id, id, test, agent_id, agent_version, status, phone, first_name,
      max_attempts, retry_interval_minutes, send_sms_on_voicemail, consent, attempt_number,
      estimated_dial_seconds, created_at, updated_at)
    values (${workspace.id}, ${orderId}, false, ${workspace.agentId}, 1, 'IN_PROGRESS', ${phone},
      'Dana', 1, 60, true, ${ctx.db.json(consent)}, 1, 2, ${now}, ${now})`;
  await ctx.db`
    insert into attempts (workspace_id, id, order_id, number, state, test, phone, watch_at,
      talk_started_at, gateway_seen_at, created_at)
    values (${workspace.id}, ${attemptId}, ${orderId}, 1, 'answered', false, ${phone},
      ${new Date(now.getTime() + 30 * 86_400_000)}, ${now}, ${now}, ${now})`;
  await ctx.db`
    insert into holds (workspace_id, attempt_id, amount_micros, minutes, minute_price_micros,
      text_price_micros, created_at)
    values (${workspace.id}, ${attemptId}, 165000, 1, 150000, 15000, ${now})`;
  await ctx.db`
    update wallets set held_micros = held_micros + 165000 where workspace_id = ${workspace.id}`;
  return { workspaceId: workspace.id, orderId, attemptId };
}

/** A talk of half a minute in which every question of the demo agent was answered well. */
export function goodReport(ctx: Context, change: Partial<CallReport> = {}): CallReport {
  const now = ctx.clock.now();
  const answers = { homeowner: true, roof_age_years: 12, start: 'this month' };
  return {
    answeredBy: 'person',
    talkStartedAt: new Date(now.getTime() - 30_000),
    talkEndedAt: now,
    personSpoke: true,
    endedBy: 'agent',
    optedOut: null,
    interest: 'yes',
    answers: Object.entries(answers).map(([key, value]) => ({
      key,
      value,
      quote: String(value),
      atSecond: 3,
    })),
    booking: null,
    askedKeys: Object.keys(answers),
    summary: null,
    recordingObjected: false,
    turnLatenciesMs: [],
    brain: 'script',
    ...change,
  };
}
