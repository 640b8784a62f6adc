// An order with a recorded call, without placing one.
import type { Context } from '../../domain/context.ts';
import { recordingKey } from '../../domain/recordings/store-recording.ts';
import { newId } from '../../platform/ids.ts';
import type { TestWorkspace } from './factories.ts';

const phone = '+12125550101';
const consent = {
  opt_in_confirmed: true,
  consented_at: '2026-11-01T12:00:00Z',
  source: 'form',
};

export interface RecordedOrder {
  readonly orderId: string;
  readonly attemptId: string;
  /** Where the audio lies in the store. */
  readonly key: string;
}

export async function createOrderRow(ctx: Context, workspace: TestWorkspace): Promise<string> {
  const now = ctx.clock.now();
  const id = newId('ord', now);
  await ctx.db`
    insert into orders (workspace_id, id, test, agent_id, agent_version, status, phone,
      max_attempts, retry_interval_minutes, send_sms_on_voicemail, consent, attempt_number,
      estimated_dial_seconds, created_at, updated_at, completed_at)
    values (${workspace.id}, ${id}, true, ${workspace.agentId}, 1, 'QUALIFIED', ${phone},
      3, 60, true, ${ctx.db.json(consent)}, 1, 2, ${now}, ${now}, ${now})`;
  return id;
}

/** One more recorded attempt; `audio` null leaves the store empty. */
export async function recordAttempt(
  ctx: Context,
  workspace: TestWorkspace,
  options: {
    orderId: string;
    number?: number;
    state?: 'raw' | 'ready' | 'deleted';
    audio?: Buffer | null;
    createdAt?: Date;
  },
): Promise<RecordedOrder> {
  const { orderId, number = 1, state = 'ready', audio = null } = options;
  const at = options.createdAt ?? ctx.clock.now();
  const attemptId = newId('att', at);
  await ctx.db`
    insert into attempts (workspace_id, id, order_id, number, state, test, phone, outcome,
      answered_by, created_at, ended_at)
    values (${workspace.id}, ${attemptId}, ${orderId}, ${number}, 'ended', true, ${phone},
      'person', 'person', ${at}, ${at})`;
  await ctx.db`
    insert into recordings
      (workspace_id, order_id, attempt_id, state, raw_path, duration_ms, created_at)
    values (${workspace.id}, ${orderId}, ${attemptId}, ${state},
      ${state === 'raw' ? '/nowhere' : null}, 1000, ${at})`;
  const key = recordingKey(workspace.id, orderId, attemptId);
  if (audio) await ctx.recordings.put(key, audio);
  return { orderId, attemptId, key };
}
