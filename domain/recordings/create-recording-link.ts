// GET /v1/recordings/{order_id}/link: an address that plays the recording without a key, for a while.
import { limits } from '../../openapi/limits.ts';
import type { RecordingLink } from '../../openapi/recording-operations.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { createLinkToken } from './recording-link.ts';
import { findLatestRecording, type RecordingRow } from './recording-queries.ts';

const lifetimeMs = limits.recording.linkLifetimeMinutes * 60_000;

/** Throws AppError: nothing recorded, deleted after retention, or links cannot be made now. */
export async function createRecordingLink(
  ctx: Context,
  workspaceId: string,
  orderId: string,
): Promise<RecordingLink> {
  if (!ctx.appSecret) throw new AppError('unavailable', 'Playable links cannot be made.');
  const recording = await findRecording(ctx, workspaceId, orderId);
  if (!recording) throw new AppError('not_found', 'There is no recording of this order.');
  if (recording.state === 'deleted') throw new AppError('recording_deleted');
  const expiresAt = new Date(ctx.clock.now().getTime() + lifetimeMs);
  const token = createLinkToken(ctx.appSecret, { workspaceId, orderId, expiresAt });
  return {
    success: true,
    url: `${ctx.settings.publicUrl}/v1/recordings/${orderId}.mp3?t=${token}`,
    expires_at: expiresAt.toISOString(),
  };
}

async function findRecording(
  ctx: Context,
  workspaceId: string,
  orderId: string,
): Promise<RecordingRow | null> {
  try {
    return await findLatestRecording(ctx.db, workspaceId, orderId);
  } catch (cause) {
    throw new AppError('unavailable', undefined, { cause });
  }
}
