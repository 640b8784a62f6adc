// Hears when people speak, on all lines of this process together: one inference serves many lines.
import { SileroThread } from './silero-thread.ts';
import type { WindowBatch } from './silero-worker.ts';
import { createSpeechDetector } from './speech-detector.ts';
import type { SpeechDetector, VoiceListener } from './speech-detector.ts';
import { createVoiceWindows, paddedWindowSamples, windowMs } from './voice-windows.ts';

const limits = {
  tickMs: 32,
  /** Past this size a batch saves no more time per window, it only makes the others wait. */
  largestBatch: 64,
  /** A line this far behind forgets its oldest windows rather than falling further behind. */
  longestBacklogWindows: 60,
  /** After this many quiet windows in a row the model listens afresh. */
  freshAfterQuietWindows: 30,
} as const;

export interface VoiceActivitySession {
  /** Audio in order, gaps filled; atMs is the media time of its first sample. */
  push(mulaw: Uint8Array, atMs: number): void;
  /** Resolves when the model has heard all that was pushed so far. */
  idle(): Promise<void>;
  close(): void;
}

export interface VoiceActivity extends AsyncDisposable {
  open(listener: VoiceListener): VoiceActivitySession;
}

/** Rejects when the model cannot be loaded. */
export async function createVoiceActivity(): Promise<VoiceActivity> {
  const lines = new Set<Line>();
  const batcher = await startBatcher();
  let lastId = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    open(listener) {
      const line = newLine((lastId += 1), listener);
      const windows = createVoiceWindows({
        quiet: (fromMs) => hearQuiet(line, fromMs),
        loud: (fromMs, mulaw) => {
          keepLoud(line, fromMs, mulaw);
          batcher.add(line);
        },
      });
      lines.add(line);
      // This file owns the tick; it stands still while no line is open.
      timer ??= setInterval(() => batcher.tick(), limits.tickMs);
      return {
        push: (mulaw, atMs) => windows.push(mulaw, atMs),
        idle: () => untilIdle(line),
        close() {
          if (!lines.delete(line)) return;
          batcher.drop(line);
          if (lines.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await batcher.stop();
    },
  };
}

/** A window that waits its turn; quiet ones wait only behind loud ones. */
type WaitingWindow =
  | { readonly kind: 'quiet'; readonly fromMs: number }
  | {
      readonly kind: 'loud';
      readonly fromMs: number;
      readonly mulaw: Uint8Array;
      readonly fresh: boolean;
    };

interface Line {
  readonly id: number;
  readonly detector: SpeechDetector;
  /** The first one may be with the model already. */
  readonly waiting: WaitingWindow[];
  quietInARow: number;
  closed: boolean;
  readonly idleListeners: (() => void)[];
}

function newLine(id: number, listener: VoiceListener): Line {
  const detector = createSpeechDetector(listener);
  return { id, detector, waiting: [], quietInARow: 0, closed: false, idleListeners: [] };
}

function untilIdle(line: Line): Promise<void> {
  if (line.closed || line.waiting.length === 0) return Promise.resolve();
  return new Promise((resolve) => line.idleListeners.push(resolve));
}

function tellIdle(line: Line): void {
  for (const resolve of line.idleListeners.splice(0)) resolve();
}

function hearQuiet(line: Line, fromMs: number): void {
  line.quietInARow += 1;
  if (line.waiting.length === 0) line.detector.hear(0, fromMs, fromMs + windowMs);
  else keepWaiting(line, { kind: 'quiet', fromMs });
}

function keepLoud(line: Line, fromMs: number, mulaw: Uint8Array): void {
  const fresh = line.quietInARow >= limits.freshAfterQuietWindows;
  line.quietInARow = 0;
  keepWaiting(line, { kind: 'loud', fromMs, mulaw: mulaw.slice(), fresh });
}

function keepWaiting(line: Line, window: WaitingWindow): void {
  line.waiting.push(window);
  if (line.waiting.length > limits.longestBacklogWindows) line.waiting.splice(1, 1);
}

interface Batcher {
  add(line: Line): void;
  drop(line: Line): void;
  tick(): void;
  stop(): Promise<void>;
}

async function startBatcher(): Promise<Batcher> {
  /** Lines whose first waiting window is loud, longest unserved first. */
  const ready = new Set<Line>();
  let closedLines: number[] = [];
  let asked: Line[] = [];
  let overdue = false;

  const ask = () => {
    asked = firstOf(ready, limits.largestBatch);
    overdue = false;
    if (asked.length === 0) return;
    thread.run(toBatch(asked, closedLines));
    closedLines = [];
  };
  const answer = (probabilities: Float32Array | null) => {
    const answered = asked;
    asked = [];
    answered.forEach((line, index) => {
      ready.delete(line);
      if (line.closed) return;
      settleFirst(line, probabilities?.[index] ?? 0);
      if (line.waiting.length > 0 && !line.closed) ready.add(line);
      if (line.waiting.length > 1) overdue = true;
    });
    if (overdue || ready.size >= limits.largestBatch) ask();
  };
  const thread = new SileroThread(answer);
  await thread.start();

  return {
    add: (line) => void ready.add(line),
    drop(line) {
      line.closed = true;
      tellIdle(line);
      ready.delete(line);
      closedLines.push(line.id);
    },
    tick() {
      if (thread.busy) overdue = true;
      else ask();
    },
    stop: () => thread[Symbol.asyncDispose](),
  };
}

function firstOf(lines: Iterable<Line>, count: number): Line[] {
  const first: Line[] = [];
  for (const line of lines) {
    if (first.length === count) break;
    first.push(line);
  }
  return first;
}

function toBatch(lines: readonly Line[], closedLines: readonly number[]): WindowBatch {
  const batch = {
    lines: new Int32Array(lines.length),
    fresh: new Uint8Array(lines.length),
    windows: new Uint8Array(lines.length * paddedWindowSamples),
    closedLines,
  };
  lines.forEach(({ id, waiting: [first] }, index) => {
    if (first?.kind !== 'loud') throw new Error('a ready line begins with a loud window');
    batch.lines[index] = id;
    batch.fresh[index] = first.fresh ? 1 : 0;
    batch.windows.set(first.mulaw, index * paddedWindowSamples);
  });
  return batch;
}

/** Takes the model's answer for the first window, and the quiet ones that waited behind it. */
function settleFirst(line: Line, probability: number): void {
  const { detector, waiting } = line;
  const first = waiting.shift();
  if (first) detector.hear(probability, first.fromMs, first.fromMs + windowMs);
  for (let next = waiting[0]; next?.kind === 'quiet'; next = waiting[0]) {
    waiting.shift();
    detector.hear(0, next.fromMs, next.fromMs + windowMs);
  }
  if (waiting.length === 0) tellIdle(line);
}
