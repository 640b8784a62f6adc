// Records a call from the gate on, while it runs: person and agent on one media timeline.
import { mulawBytesPerMs } from '../../platform/mulaw.ts';
import { finishedSize } from '../../domain/calls/raw-recording.ts';
import { openRawFile } from './raw-file.ts';
import { isGateProof } from './recording-gate.ts';
import type { GateProof } from './recording-gate.ts';
import { createTrackWriter } from './recording-track.ts';
import type { TrackWriter } from './recording-track.ts';

const limits = {
  /** No call lasts this long; a media clock that says so is broken. */
  longestRecordingMs: 4 * 60 * 60 * 1_000,
} as const;

export type RecordingEnd =
  | { readonly kind: 'kept'; readonly path: string; readonly durationMs: number }
  | { readonly kind: 'deleted' }
  /** The reason was already reported; what was written is gone or left as `<path>.partial`. */
  | { readonly kind: 'failed' };

export interface CallRecorder {
  /** The person's audio at its media time. */
  person(mulaw: Uint8Array, atMs: number): void;
  /** The agent's audio where the playout ledger proves that it was played. */
  agent(mulaw: Uint8Array, fromMs: number): void;
  /** The file takes its final name only here. Safe to repeat. */
  close(): Promise<RecordingEnd>;
  /** The person objects: nothing more is written and what was written is removed. */
  stopAndDelete(): Promise<RecordingEnd>;
}

export interface RecorderOptions {
  readonly gate: GateProof;
  readonly path: string;
  /** Called at most once per fault of the disk; the call itself never notices. */
  readonly failed: (error: Error) => void;
}

export function openCallRecorder(options: RecorderOptions): CallRecorder {
  if (!isGateProof(options.gate)) throw new Error('a recording needs an opened gate');
  const file = openRawFile(`${options.path}.partial`, options.failed);
  const gateMs = options.gate.firstSpeechAtMs;
  const person = createTrackWriter('person', gateMs, file.write);
  const agent = createTrackWriter('agent', gateMs, file.write);
  let ending: Promise<RecordingEnd> | undefined;

  const place = (track: TrackWriter, mulaw: Uint8Array, atMs: number) => {
    if (ending || file.broken) return;
    if (atMs - gateMs > limits.longestRecordingMs)
      file.giveUp(new Error('media clock out of range'));
    else track.place(mulaw, atMs);
  };
  const keep = async (): Promise<RecordingEnd> => {
    person.finish();
    agent.finish();
    const samples = Math.max(person.endSample, agent.endSample);
    const kept = await file.keepAs(options.path, finishedSize(samples));
    const durationMs = samples / mulawBytesPerMs;
    return kept ? { kind: 'kept', path: options.path, durationMs } : { kind: 'failed' };
  };
  const remove = async (previous: RecordingEnd | undefined): Promise<RecordingEnd> => {
    const path = previous?.kind === 'kept' ? previous.path : `${options.path}.partial`;
    return (await file.remove(path)) ? { kind: 'deleted' } : { kind: 'failed' };
  };

  return {
    person: (mulaw, atMs) => place(person, mulaw, atMs),
    agent: (mulaw, fromMs) => place(agent, mulaw, fromMs),
    close: () => (ending ??= keep()),
    stopAndDelete: () => (ending = ending ? ending.then(remove) : remove(undefined)),
  };
}
