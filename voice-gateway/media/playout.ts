// What the agent says: sent to the carrier a little ahead, and counted as heard only by its marks.
import type { SpeechChunk } from '../../domain/calls/speech.ts';
import { mulawBytesPerMs } from '../../platform/mulaw.ts';
import { dropHeard, newLedger, proveHeard, startGeneration, takeNext } from './playout-ledger.ts';
import type { Ledger, Outgoing, PlayedAudio } from './playout-ledger.ts';
import { appendChunk, describeHeard, newUtterance } from './utterance.ts';
import type { Heard, Utterance } from './utterance.ts';

/** Every nowMs is on the call's media clock: milliseconds since the stream began. */
export interface Playout {
  /** Queues an utterance behind the others; its audio follows by `append`. */
  begin(utteranceId: string, plannedText: string): void;
  /** Audio for an utterance that was cleared meanwhile is ignored. */
  append(utteranceId: string, chunk: SpeechChunk): void;
  /** The voice delivered everything. An utterance whose voice failed must be cleared instead. */
  finish(utteranceId: string, nowMs: number): void;
  /** Call until null after append, finish, acked and resume; it needs no timer, marks drive it. */
  next(): Outgoing | null;
  /** A mark came back; returns the audio it proves heard. Marks of old generations prove nothing. */
  acked(markName: string, nowMs: number): PlayedAudio[];
  /** Drops everything not proven heard; the carrier must be sent a clear frame too. */
  clear(nowMs: number): void;
  /** Stops for a possible interruption; the carrier must be sent a clear frame too. */
  pause(): void;
  /** Goes on from the last word or frame that was proven heard. */
  resume(): void;
  heard(utteranceId: string): Heard;
  readonly generation: number;
  readonly paused: boolean;
  readonly playedMsTotal: number;
  /** Sent and not yet proven heard. */
  readonly aheadMs: number;
  /** Not yet proven heard, sent or not. */
  readonly remainingMs: number;
  /** Media time since when nothing is queued or playing; null while something is. */
  readonly idleSinceMs: number | null;
}

export function createPlayout(): Playout {
  const ledger = newLedger();
  return {
    begin: (utteranceId, plannedText) => begin(ledger, utteranceId, plannedText),
    append: (utteranceId, chunk) => append(find(ledger, utteranceId), chunk),
    finish: (utteranceId, nowMs) => finish(ledger, utteranceId, nowMs),
    next: () => takeNext(ledger),
    acked: (markName, nowMs) => proveHeard(ledger, markName, nowMs),
    clear: (nowMs) => clear(ledger, nowMs),
    pause() {
      startGeneration(ledger);
      ledger.paused = true;
    },
    resume: () => void (ledger.paused = false),
    heard: (utteranceId) => describeHeard(find(ledger, utteranceId)),
    get generation() {
      return ledger.generation;
    },
    get paused() {
      return ledger.paused;
    },
    get playedMsTotal() {
      return ledger.playedOctets / mulawBytesPerMs;
    },
    get aheadMs() {
      return ledger.aheadOctets / mulawBytesPerMs;
    },
    get remainingMs() {
      return remainingOctets(ledger) / mulawBytesPerMs;
    },
    get idleSinceMs() {
      return ledger.idleSinceMs;
    },
  };
}

function begin(ledger: Ledger, utteranceId: string, plannedText: string): void {
  if (ledger.utterances.has(utteranceId)) throw new Error('an utterance begins once');
  const utterance = newUtterance(utteranceId, plannedText);
  ledger.utterances.set(utteranceId, utterance);
  ledger.queue.push(utterance);
  ledger.idleSinceMs = null;
}

function append(utterance: Utterance, chunk: SpeechChunk): void {
  if (utterance.state === 'finished') throw new Error('a finished utterance takes no more audio');
  if (utterance.state === 'arriving') appendChunk(utterance, chunk);
}

function finish(ledger: Ledger, utteranceId: string, nowMs: number): void {
  const utterance = find(ledger, utteranceId);
  if (utterance.state === 'arriving') utterance.state = 'finished';
  dropHeard(ledger, nowMs);
}

function clear(ledger: Ledger, nowMs: number): void {
  startGeneration(ledger);
  for (const utterance of ledger.queue) {
    utterance.state = 'cleared';
    utterance.audio.release(utterance.audio.length);
  }
  ledger.queue = [];
  ledger.paused = false;
  dropHeard(ledger, nowMs);
}

function remainingOctets(ledger: Ledger): number {
  return ledger.queue.reduce((sum, { audio, heard }) => sum + audio.length - heard, 0);
}

function find(ledger: Ledger, utteranceId: string): Utterance {
  const utterance = ledger.utterances.get(utteranceId);
  if (!utterance) throw new Error('no such utterance');
  return utterance;
}
