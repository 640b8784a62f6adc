// The recording of one call, if it may have one.
import type { CallRecorder, RecordingEnd } from './media/call-recorder.ts';
import { openCallRecorder } from './media/call-recorder.ts';
import { openRecordingGate } from './media/recording-gate.ts';
import type { Heard } from './media/utterance.ts';

export interface CallRecording {
  /** Throws unless the notice was heard to its end before this speech. */
  open(notice: Heard, firstSpeechAtMs: number): void;
  person(mulaw: Uint8Array, atMs: number): void;
  agent(mulaw: Uint8Array, fromMs: number): void;
  stopAndDelete(): Promise<void>;
  /** Null when nothing was recorded. */
  close(): Promise<Extract<RecordingEnd, { kind: 'kept' }> | null>;
}

export function createCallRecording(path: string, failed: (error: Error) => void): CallRecording {
  let recorder: CallRecorder | null = null;
  return {
    open(notice, firstSpeechAtMs) {
      const gate = openRecordingGate(notice, firstSpeechAtMs);
      recorder ??= openCallRecorder({ gate, path, failed });
    },
    person: (mulaw, atMs) => recorder?.person(mulaw, atMs),
    agent: (mulaw, fromMs) => recorder?.agent(mulaw, fromMs),
    async stopAndDelete() {
      await recorder?.stopAndDelete();
    },
    async close() {
      const end = await recorder?.close();
      return end?.kind === 'kept' ? end : null;
    },
  };
}
