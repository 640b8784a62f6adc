// Named SQL of recordings.
import type { Db } from '../../platform/db.ts';
import type { CallRef } from '../calls/call-desk.ts';

/** Takes over the raw tracks of a call; a repeat changes nothing. */
export async function keepRawRecording(
  db: Db,
  call: CallRef,
  raw: { rawPath: string; durationMs: number; now: Date },
) {
  await db`
    insert into recordings
      (workspace_id, order_id, attempt_id, state, raw_path, duration_ms, next_try_at, created_at)
    values (${call.workspaceId}, ${call.orderId}, ${call.attemptId}, 'raw', ${raw.rawPath},
      ${Math.round(raw.durationMs)}, ${raw.now}, ${raw.now})
    on conflict do nothing`;
}

export interface RawRecording {
  readonly orderId: string;
  readonly rawPath: string;
}

export async function findRawRecording(
  db: Db,
  ref: { workspaceId: string; attemptId: string },
): Promise<RawRecording | null> {
  const [recording] = await db<RawRecording[]>`
    select order_id, raw_path from recordings
    where workspace_id = ${ref.workspaceId} and attempt_id = ${ref.attemptId} and state = 'raw'`;
  return recording ?? null;
}

export async function markRecordingReady(
  db: Db,
  ref: { workspaceId: string; attemptId: string },
  audio: { durationMs: number; sizeBytes: number },
) {
  await db`
    update recordings set state = 'ready', raw_path = null, next_try_at = null, lease_until = null,
      duration_ms = ${Math.round(audio.durationMs)}, size_bytes = ${audio.sizeBytes}
    where workspace_id = ${ref.workspaceId} and attempt_id = ${ref.attemptId} and state = 'raw'`;
}
