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

/** Holds the audio that was made and not yet heard. */
export class Speaker {
  readonly #options: SpeakerOptions;
  readonly #playout = createPlayout();
  readonly #utterances = new Map<string, Pieces>();
  readonly #prepared = new Map<string, Promise<SpeechChunk[]>>();

  constructor(options: SpeakerOptions) {
    this.#options = options;
  }

  get remainingMs(): number {
    return this.#playout.remainingMs;
  }

  /** Renders ahead of time; a failure shows when the text is spoken. */
  prepare(text: string): void {
    const { tts, voice } = this.#options;
    const chunks = collect(tts.speak(text, { voice }));
    chunks.catch(() => this.#prepared.delete(text));
    this.#prepared.set(text, chunks);
  }

  /** Speaks more of an utterance: resolves once it is queued, rejects when the voice fails. */
  async speak(
    utteranceId: string,
    text: string,
    { signal, onFirstAudio }: SpeakOptions = {},
  ): Promise<void> {
    const pieces = this.#piecesOf(utteranceId);
    if (pieces.cleared || signal?.aborted) return;
    const pieceId = `${utteranceId}.${pieces.ids.length + 1}`;
    pieces.ids.push(pieceId);
    this.#playout.begin(pieceId, text);
    let first = true;
    for await (const chunk of await this.#render(text, signal)) {
      if (pieces.cleared || signal?.aborted) return;
      this.#playout.append(pieceId, chunk);
      if (first) onFirstAudio?.();
      first = false;
      this.#pump();
    }
    if (first) throw new Error('the voice made no audio');
    this.#playout.finish(pieceId, this.#options.nowMs());
    this.#pump();
  }

  /** Nothing follows; `onComplete` comes once all of it was heard. */
  seal(utteranceId: string): void {
    this.#piecesOf(utteranceId).sealed = true;
    this.#reportIfComplete(utteranceId);
  }

  marked(name: string): void {
    const played = this.#playout.acked(name, this.#options.nowMs());
    for (const audio of played) this.#options.onPlayed(audio);
    this.#pump();
    const touched = new Set(played.map((audio) => utteranceOf(audio.utteranceId)));
    for (const utteranceId of touched) {
      this.#options.onHeard(utteranceId);
      this.#reportIfComplete(utteranceId);
    }
  }

  pause(): void {
    this.#playout.pause();
    this.#options.send(this.#options.frames.clear());
  }

  resume(): void {
    this.#playout.resume();
    this.#pump();
  }

  /** Drops all that was not heard, at the carrier too. */
  silence(): void {
    const open = [...this.#utterances].filter(
      ([id, pieces]) => !pieces.cleared && !this.heard(id).complete,
    );
    if (open.length === 0) return;
    this.#playout.clear(this.#options.nowMs());
    this.#options.send(this.#options.frames.clear());
    for (const [id, pieces] of open) {
      pieces.cleared = true;
      this.#options.onHeard(id);
    }
  }

  heard(utteranceId: string): HeardUtterance {
    const { ids, sealed, cleared } = this.#piecesOf(utteranceId);
    const pieces = ids.map((id) => this.#playout.heard(id));
    return joinHeard(pieces, sealed && !cleared);
  }

  #piecesOf(utteranceId: string): Pieces {
    const known = this.#utterances.get(utteranceId);
    if (known) return known;
    const pieces = { ids: [], sealed: false, cleared: false, reported: false };
    this.#utterances.set(utteranceId, pieces);
    return pieces;
  }

  #render(text: string, signal?: AbortSignal) {
    const { tts, voice } = this.#options;
    return this.#prepared.get(text) ?? tts.speak(text, { voice, ...(signal && { signal }) });
  }

  #pump(): void {
    const { frames, send } = this.#options;
    for (let next = this.#playout.next(); next; next = this.#playout.next())
      send(next.kind === 'audio' ? frames.media(next.mulaw) : frames.mark(next.name));
  }

  #reportIfComplete(utteranceId: string): void {
    const pieces = this.#piecesOf(utteranceId);
    if (pieces.reported || !this.heard(utteranceId).complete) return;
    pieces.reported = true;
    this.#options.onHeard(utteranceId);
    this.#options.onComplete(utteranceId);
  }
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
