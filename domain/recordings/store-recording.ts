// Mixes the raw tracks of a call into a stereo MP3 and stores it. Safe to run twice.
import { rm } from 'node:fs/promises';
import { mixRecording } from '../calls/mix-recording.ts';
import type { Context } from '../context.ts';
import { findRawRecording, markRecordingReady } from './recording-queries.ts';

export async function storeRecording(
  ctx: Context,
  ref: { workspaceId: string; attemptId: string },
) {
  const recording = await findRawRecording(ctx.db, ref);
  if (!recording) return;
  const mixedPath = `${recording.rawPath}.mp3`;
  const audio = await mixRecording(recording.rawPath, mixedPath);
  const key = recordingKey(ref.workspaceId, recording.orderId, ref.attemptId);
  await ctx.recordings.put(key, mixedPath);
  const state = await markRecordingReady(ctx.db, ref, audio);
  // Its retention ended while it was mixed.
  if (state === 'deleted') await ctx.recordings.remove(key);
  await Promise.all([rm(mixedPath, { force: true }), rm(recording.rawPath, { force: true })]);
  ctx.log.info({ attemptId: ref.attemptId, durationMs: audio.durationMs }, 'recording stored');
}

export function recordingKey(workspaceId: string, orderId: string, attemptId: string): string {
  return `${workspaceId}/${orderId}/${attemptId}.mp3`;
}
