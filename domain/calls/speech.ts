// The speech ports: what the gateway (and the sandbox phone network) need from any voice vendor.

/** One word and where it stands in the audio that carries it. */
export interface SpokenWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** A piece of speech: 8 kHz µ-law, with its words when the voice tells them. */
export interface SpeechChunk {
  readonly mulaw: Uint8Array;
  readonly words: readonly SpokenWord[];
}

/** Turns text into audio, in pieces, as soon as each piece is ready. */
export interface TextToSpeech {
  readonly name: string;
  /** Word times are relative to the start of their own chunk. Ends early, without error, on abort. */
  speak(text: string, options: { voice: string; signal?: AbortSignal }): AsyncIterable<SpeechChunk>;
}

/** What a recogniser heard; times are milliseconds on the media clock of the pushed audio. */
export interface HeardSpeech {
  readonly kind: 'interim' | 'final';
  readonly text: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface SpeechToTextSession {
  /** Audio in order, 8 kHz µ-law, gaps already filled; atMs is the media time of its first sample. */
  push(mulaw: Uint8Array, atMs: number): void;
  close(): void;
}

/** Turns audio into text while it arrives. */
export interface SpeechToText {
  readonly name: string;
  open(listener: {
    heard(speech: HeardSpeech): void;
    failed(error: Error): void;
  }): SpeechToTextSession;
}
