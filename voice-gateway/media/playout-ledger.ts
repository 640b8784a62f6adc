// The book-keeping behind the playout: what is queued, sent, marked and proven heard.
import { mulawBytesPerMs } from '../../platform/mulaw.ts';
import { nextStep } from './utterance.ts';
import type { Utterance } from './utterance.ts';

const limits = {
  /** Sent and not yet proven heard: enough against jitter, little to lose when interrupted. */
  longestAheadMs: 800,
  /** Played audio keeps its place in a run unless its mark came this much later than it should. */
  placementToleranceMs: 60,
} as const;

/** What goes to the carrier now. */
export type Outgoing =
  | { readonly kind: 'audio'; readonly mulaw: Uint8Array }
  | { readonly kind: 'mark'; readonly name: string };

/** Audio that a mark has proven heard, at its place on the media clock. */
export interface PlayedAudio {
  readonly utteranceId: string;
  readonly mulaw: Uint8Array;
  readonly fromMs: number;
}

interface Mark {
  readonly sequence: number;
  readonly utterance: Utterance;
  /** How much of the utterance was sent since the mark before. */
  readonly octets: number;
}

export interface Ledger {
  readonly utterances: Map<string, Utterance>;
  /** Utterances with anything unheard, in speaking order. */
  queue: Utterance[];
  marks: Mark[];
  generation: number;
  sequence: number;
  paused: boolean;
  aheadOctets: number;
  playedOctets: number;
  placedUntilMs: number;
  idleSinceMs: number | null;
}

export function newLedger(): Ledger {
  return {
    utterances: new Map(),
    queue: [],
    marks: [],
    generation: 0,
    sequence: 0,
    paused: false,
    aheadOctets: 0,
    playedOctets: 0,
    placedUntilMs: 0,
    idleSinceMs: 0,
  };
}

export function takeNext(ledger: Ledger): Outgoing | null {
  const utterance = ledger.paused ? undefined : ledger.queue.find(hasMoreToSend);
  if (!utterance) return null;
  const step = nextStep(utterance);
  switch (step.kind) {
    case 'wait':
      return null;
    case 'mark':
      ledger.sequence += 1;
      ledger.marks.push({
        sequence: ledger.sequence,
        utterance,
        octets: utterance.sent - utterance.marked,
      });
      utterance.marked = utterance.sent;
      return { kind: 'mark', name: `g${ledger.generation}:${ledger.sequence}` };
    case 'send': {
      const ahead = ledger.aheadOctets + step.octets;
      if (ahead > limits.longestAheadMs * mulawBytesPerMs) return null;
      const from = utterance.sent;
      ledger.aheadOctets = ahead;
      utterance.sent += step.octets;
      return { kind: 'audio', mulaw: utterance.audio.slice(from, utterance.sent) };
    }
  }
}

/** A mark proves everything sent before it in its generation, as carriers play in order. */
export function proveHeard(ledger: Ledger, markName: string, nowMs: number): PlayedAudio[] {
  const [, generation, sequence] = /^g(\d+):(\d+)$/.exec(markName) ?? [];
  if (Number(generation) !== ledger.generation) return [];
  const last = ledger.marks.findIndex((mark) => mark.sequence === Number(sequence));
  const proven = ledger.marks.splice(0, last + 1);
  const octets = proven.reduce((sum, mark) => sum + mark.octets, 0);
  let fromMs = placeRun(ledger, octets / mulawBytesPerMs, nowMs);
  ledger.aheadOctets -= octets;
  ledger.playedOctets += octets;
  const played = proven.map((mark) => {
    const audio = hear(mark, fromMs, nowMs);
    fromMs += mark.octets / mulawBytesPerMs;
    return audio;
  });
  dropHeard(ledger, nowMs);
  return played;
}

/** Forgets all marks on the way, so that no echo of them can prove anything. */
export function startGeneration(ledger: Ledger): void {
  ledger.generation += 1;
  ledger.marks = [];
  ledger.aheadOctets = 0;
  for (const utterance of ledger.queue) {
    utterance.sent = utterance.heard;
    utterance.marked = utterance.heard;
  }
}

export function dropHeard(ledger: Ledger, nowMs: number): void {
  while (ledger.queue[0] && isOver(ledger.queue[0])) ledger.queue.shift();
  ledger.idleSinceMs = ledger.queue.length > 0 ? null : (ledger.idleSinceMs ?? nowMs);
}

function hasMoreToSend({ state, marked, audio }: Utterance): boolean {
  return state === 'arriving' || marked < audio.length;
}

function hear({ utterance, octets }: Mark, fromMs: number, nowMs: number): PlayedAudio {
  const upTo = utterance.heard + octets;
  const mulaw = utterance.audio.slice(utterance.heard, upTo);
  utterance.audio.release(upTo);
  utterance.heard = upTo;
  utterance.startMs ??= fromMs;
  utterance.lastHeardMs = nowMs;
  return { utteranceId: utterance.id, mulaw, fromMs };
}

/** Audio ends when its mark comes back; within a run it stays seamless while marks jitter. */
function placeRun(ledger: Ledger, durationMs: number, nowMs: number): number {
  const latestMs = nowMs - durationMs;
  const lateMs = latestMs - ledger.placedUntilMs;
  const fromMs = lateMs > limits.placementToleranceMs ? latestMs : ledger.placedUntilMs;
  if (durationMs > 0) ledger.placedUntilMs = fromMs + durationMs;
  return fromMs;
}

function isOver({ state, heard, audio }: Utterance): boolean {
  return state === 'finished' && heard === audio.length;
}
