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

/** Answers the state that holds afterwards: the retention may have been quicker. */
export async function markRecordingReady(
  db: Db,
  ref: { workspaceId: string; attemptId: string },
  audio: { durationMs: number; sizeBytes: number },
): Promise<RecordingState | null> {
  await db`
    update recordings set state = 'ready', raw_path = null, next_try_at = null, lease_until = null,
      duration_ms = ${Math.round(audio.durationMs)}, size_bytes = ${audio.sizeBytes}
    where workspace_id = ${ref.workspaceId} and attempt_id = ${ref.attemptId} and state = 'raw'`;
  const [recording] = await db<{ state: RecordingState }[]>`
    select state from recordings
    where workspace_id = ${ref.workspaceId} and attempt_id = ${ref.attemptId}`;
  return recording?.state ?? null;
}

export type RecordingState = 'raw' | 'ready' | 'deleted';

export interface RecordingRow {
  readonly attemptId: string;
  readonly state: RecordingState;
}

/** Of the last attempt that was recorded; null when none was. */
export async function findLatestRecording(
  db: Db,
  workspaceId: string,
  orderId: string,
): Promise<RecordingRow | null> {
  const [recording] = await db<RecordingRow[]>`
    select attempt_id, state from recordings
    where workspace_id = ${workspaceId} and order_id = ${orderId}
    order by created_at desc, attempt_id desc limit 1`;
  return recording ?? null;
}

export interface RecordingRef {
  readonly workspaceId: string;
  readonly orderId: string;
  readonly attemptId: string;
}

/** Marks what is older than its workspace keeps recordings; answers how many there were. */
export async function markExpiredRecordings(
  db: Db,
  { now, max }: { now: Date; max: number },
): Promise<number> {
  const marked = await db`
    update recordings r
    set state = 'deleted', audio_left = true, next_try_at = null, lease_until = null
    from (select r.workspace_id, r.order_id, r.attempt_id
      from workspaces w join recordings r on r.workspace_id = w.id
      where r.state <> 'deleted' and w.recording_retention_days is not null
        and r.created_at < ${now}::timestamptz - w.recording_retention_days * interval '1 day'
      limit ${max} for update of r skip locked) expired
    where r.workspace_id = expired.workspace_id and r.order_id = expired.order_id
      and r.attempt_id = expired.attempt_id`;
  return marked.count;
}

export interface LeftAudio extends RecordingRef {
  readonly rawPath: string | null;
}

/** Deleted recordings whose audio is still there, in pages. */
export async function listLeftAudio(
  db: Db,
  { after, max }: { after: RecordingRef | null; max: number },
): Promise<LeftAudio[]> {
  const from = after ?? { workspaceId: '', orderId: '', attemptId: '' };
  return db<LeftAudio[]>`
    select workspace_id, order_id, attempt_id, raw_path from recordings
    where audio_left and (workspace_id, order_id, attempt_id)
      > (${from.workspaceId}, ${from.orderId}, ${from.attemptId})
    order by workspace_id, order_id, attempt_id limit ${max}`;
}

export async function markAudioRemoved(db: Db, ref: RecordingRef) {
  await db`
    update recordings set audio_left = false, raw_path = null
    where workspace_id = ${ref.workspaceId} and order_id = ${ref.orderId}
      and attempt_id = ${ref.attemptId} and state = 'deleted'`;
}
