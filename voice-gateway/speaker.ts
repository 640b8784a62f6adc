// The agent's mouth on one call: text to speech, paced by the playout ledger, proven by its marks.
import type { SpeechChunk, TextToSpeech } from '../domain/calls/speech.ts';
import type { FrameWriter } from './media/media-codec.ts';
import { createPlayout } from './media/playout.ts';
import type { PlayedAudio } from './media/playout-ledger.ts';
import type { Heard } from './media/utterance.ts';

export interface SpeakerOptions {
  readonly tts: TextToSpeech;
  readonly voice: string;
  readonly frames: FrameWriter;
  readonly nowMs: () => number;
  readonly send: (frame: string) => void;
  /** Audio that was proven heard, at its place in the call. */
  readonly onPlayed: (audio: PlayedAudio) => void;
  /** More of an utterance was heard, or it was cut for good. */
  readonly onHeard: (utteranceId: string) => void;
  /** All of a sealed utterance was heard. */
  readonly onComplete: (utteranceId: string) => void;
}

export interface Speaker {
  /** Renders ahead of time; a failure shows when the text is spoken. */
  prepare(text: string): void;
  /** Speaks more of an utterance; resolves once its audio is queued, rejects when the voice fails. */
  speak(utteranceId: string, text: string, options: SpeakOptions): Promise<void>;
  /** Nothing follows; `onComplete` comes once all of it was heard. */
  seal(utteranceId: string): void;
  marked(name: string): void;
  pause(): void;
  resume(): void;
  /** Drops all that was not heard, at the carrier too. */
  silence(): void;
  heard(utteranceId: string): HeardUtterance;
  readonly remainingMs: number;
}

export interface SpeakOptions {
  readonly signal?: AbortSignal;
  /** Called when the first audio of this text is queued. */
  readonly onFirstAudio?: () => void;
}

/** An utterance is spoken in pieces; together they are one turn. */
export interface HeardUtterance {
  readonly text: string;
  readonly startMs: number | null;
  readonly endMs: number | null;
  readonly complete: boolean;
  /** The proof a recording gate needs; null while the utterance has no audio. */
  readonly lastPiece: Heard | null;
}

interface Pieces {
  readonly ids: string[];
  sealed: boolean;
  cleared: boolean;
  reported: boolean;
}

export function createSpeaker(options: SpeakerOptions): Speaker {
  const { tts, voice, frames, nowMs } = options;
  const playout = createPlayout();
  const utterances = new Map<string, Pieces>();
  const prepared = new Map<string, Promise<SpeechChunk[]>>();

  const piecesOf = (utteranceId: string): Pieces => {
    const known = utterances.get(utteranceId);
    const pieces = known ?? { ids: [], sealed: false, cleared: false, reported: false };
    if (!known) utterances.set(utteranceId, pieces);
    return pieces;
  };
  const pump = () => {
    for (let next = playout.next(); next; next = playout.next())
      options.send(next.kind === 'audio' ? frames.media(next.mulaw) : frames.mark(next.name));
  };
  const heard = (utteranceId: string): HeardUtterance => {
    const { ids, sealed, cleared } = piecesOf(utteranceId);
    return joinHeard(
      ids.map((id) => playout.heard(id)),
      sealed && !cleared,
    );
  };
  const reportIfComplete = (utteranceId: string) => {
    const pieces = piecesOf(utteranceId);
    if (pieces.reported || !heard(utteranceId).complete) return;
    pieces.reported = true;
    options.onHeard(utteranceId);
    options.onComplete(utteranceId);
  };
  const render = (text: string, signal?: AbortSignal) =>
    prepared.get(text) ?? tts.speak(text, { voice, ...(signal && { signal }) });

  return {
    prepare(text) {
      const chunks = collect(tts.speak(text, { voice }));
      chunks.catch(() => prepared.delete(text));
      prepared.set(text, chunks);
    },
    async speak(utteranceId, text, { signal, onFirstAudio }) {
      const pieces = piecesOf(utteranceId);
      if (pieces.cleared || signal?.aborted) return;
      const pieceId = `${utteranceId}.${pieces.ids.length + 1}`;
      pieces.ids.push(pieceId);
      playout.begin(pieceId, text);
      let first = true;
      for await (const chunk of await render(text, signal)) {
        if (pieces.cleared || signal?.aborted) return;
        playout.append(pieceId, chunk);
        if (first) onFirstAudio?.();
        first = false;
        pump();
      }
      if (first) throw new Error('the voice made no audio');
      playout.finish(pieceId, nowMs());
      pump();
    },
    seal(utteranceId) {
      piecesOf(utteranceId).sealed = true;
      reportIfComplete(utteranceId);
    },
    marked(name) {
      const played = playout.acked(name, nowMs());
      for (const audio of played) options.onPlayed(audio);
      pump();
      const touched = new Set(played.map((audio) => utteranceOf(audio.utteranceId)));
      for (const utteranceId of touched) {
        options.onHeard(utteranceId);
        reportIfComplete(utteranceId);
      }
    },
    pause() {
      playout.pause();
      options.send(frames.clear());
    },
    resume() {
      playout.resume();
      pump();
    },
    silence() {
      const open = [...utterances].filter(([id, pieces]) => !pieces.cleared && !heard(id).complete);
      if (open.length === 0) return;
      playout.clear(nowMs());
      options.send(frames.clear());
      for (const [id, pieces] of open) {
        pieces.cleared = true;
        options.onHeard(id);
      }
    },
    heard,
    get remainingMs() {
      return playout.remainingMs;
    },
  };
}

function utteranceOf(pieceId: string): string {
  return pieceId.slice(0, pieceId.lastIndexOf('.'));
}

function joinHeard(pieces: readonly Heard[], finished: boolean): HeardUtterance {
  const texts = pieces.map((piece) => piece.text).filter((text) => text !== '');
  const ends = pieces.flatMap((piece) => piece.lastHeardMs ?? []);
  return {
    text: texts.join(' '),
    startMs: pieces.find((piece) => piece.startMs !== null)?.startMs ?? null,
    endMs: ends.at(-1) ?? null,
    complete: finished && pieces.length > 0 && pieces.every((piece) => piece.complete),
    lastPiece: pieces.at(-1) ?? null,
  };
}

async function collect(chunks: AsyncIterable<SpeechChunk>): Promise<SpeechChunk[]> {
  const collected: SpeechChunk[] = [];
  for await (const chunk of chunks) collected.push(chunk);
  return collected;
}
