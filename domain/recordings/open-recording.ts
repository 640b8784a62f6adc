// GET /v1/recordings/{order_id}.mp3: the audio of the last recorded call of an order.
import type { Readable } from 'node:stream';
import { AppError } from '../app-error.ts';
import type { ByteRange } from '../calls/recording-store.ts';
import type { Context } from '../context.ts';
import { findLatestRecording, type RecordingRow } from './recording-queries.ts';
import { recordingKey } from './store-recording.ts';

/** An opened recording: read it, or release it. */
export interface RecordingFile {
  readonly sizeBytes: number;
  /** Quoted, ready for a header. */
  readonly etag: string;
  /** Once. Throws AppError when the store fails or the recording was replaced meanwhile. */
  read(range?: ByteRange): Promise<Readable>;
  release(): void;
}

/** Throws AppError: nothing recorded, deleted after retention, or not readable right now. */
export async function openRecording(
  ctx: Context,
  workspaceId: string,
  orderId: string,
): Promise<RecordingFile> {
  const recording = await findRecording(ctx, workspaceId, orderId);
  if (!recording) throw new AppError('not_found', 'There is no recording of this order.');
  const { attemptId, state } = recording;
  switch (state) {
    case 'deleted':
      throw new AppError('recording_deleted');
    case 'raw':
      throw new AppError('recording_unavailable', 'The recording is not ready yet. Retry shortly.');
    case 'ready':
      return openFile(ctx, recordingKey(workspaceId, orderId, attemptId), attemptId);
  }
}

async function findRecording(
  ctx: Context,
  workspaceId: string,
  orderId: string,
): Promise<RecordingRow | null> {
  try {
    return await findLatestRecording(ctx.db, workspaceId, orderId);
  } catch (cause) {
    throw new AppError('recording_unavailable', undefined, { cause });
  }
}

async function openFile(ctx: Context, key: string, attemptId: string): Promise<RecordingFile> {
  const open = async (range?: ByteRange) => {
    const opened = await ctx.recordings.open(key, range);
    if (opened.kind === 'found') return opened;
    ctx.log.error({ attemptId, kind: opened.kind }, 'a stored recording could not be opened');
    throw new AppError('recording_unavailable');
  };
  const { stream: whole, sizeBytes, etag } = await open();
  return {
    sizeBytes,
    etag,
    release: () => void whole.destroy(),
    async read(range) {
      if (!range) return whole;
      whole.destroy();
      const part = await open(range);
      if (part.etag === etag) return part.stream;
      part.stream.destroy();
      throw new AppError('recording_unavailable');
    },
  };
}
