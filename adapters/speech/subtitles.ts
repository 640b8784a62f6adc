// The recogniser that needs no vendor: it reads the words a local voice hid in its own audio.
import { mulawBytesPerMs } from '../../platform/mulaw.ts';
import type { HeardSpeech, SpeechToText, SpeechToTextSession } from '../../domain/calls/speech.ts';
import { frameLimits, markerHigh, markerLow, readSubtitleFrame } from './subtitle-frame.ts';

const limits = {
  /** Neither word nor voice for this long ends an utterance. */
  quietMs: 300,
  /** Ends it even if something that is not speech keeps sounding. */
  quietAtTheLatestMs: 1_500,
  /** Companded magnitudes above this count as voice (about −31 dB of full scale). */
  voiceMagnitude: 0x2f,
  utteranceWordsMax: 2_000,
} as const;

export function createSubtitlesRecogniser(): SpeechToText {
  return {
    name: 'subtitles',
    open: (listener) => new SubtitlesSession(listener.heard.bind(listener)),
  };
}

/** One per call and direction; keeps its bit buffer, so that no sample allocates. */
class SubtitlesSession implements SpeechToTextSession {
  readonly #heard: (speech: HeardSpeech) => void;
  readonly #body = new Uint8Array(
    frameLimits.headBytes + frameLimits.wordBytesMax + frameLimits.crcBytes,
  );
  /** The last 48 low bits, to find the marker at any alignment. */
  #high = 0;
  #low = 0;
  /** Bits read of the frame behind the last marker; −1 while none is open. */
  #bodyBits = -1;
  #words: string[] = [];
  #fromMs = 0;
  #toMs = 0;
  #voiceMs = 0;
  #closed = false;

  constructor(heard: (speech: HeardSpeech) => void) {
    this.#heard = heard;
  }

  push(mulaw: Uint8Array, atMs: number): void {
    if (this.#closed) return;
    for (let index = 0; index < mulaw.length; index += 1) {
      const byte = mulaw[index] ?? 0;
      const nowMs = atMs + (index + 1) / mulawBytesPerMs;
      if ((~byte & 0x7f) > limits.voiceMagnitude) this.#voiceMs = nowMs;
      const word = this.#takeBit(byte & 1);
      if (word) this.#hearWord(word.text, word.durationMs, nowMs);
      else if (this.#words.length > 0) this.#endUtteranceIfQuiet(nowMs);
    }
  }

  /** What was heard but not yet ended is told as final, so that no last word is lost. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#endUtterance();
  }

  #takeBit(bit: number) {
    this.#high = ((this.#high << 1) | (this.#low >>> 31)) & 0xffff;
    this.#low = ((this.#low << 1) | bit) >>> 0;
    if (this.#low === markerLow && this.#high === markerHigh) {
      this.#bodyBits = 0;
      return null;
    }
    if (this.#bodyBits < 0) return null;
    this.#bodyBits += 1;
    if (this.#bodyBits % 8 !== 0) return null;
    const bytes = this.#bodyBits / 8;
    this.#body[bytes - 1] = this.#low & 0xff;
    const textBytes = this.#body[0] ?? 0;
    if (bytes < frameLimits.headBytes + textBytes + frameLimits.crcBytes) return null;
    this.#bodyBits = -1;
    return readSubtitleFrame(this.#body.subarray(0, bytes));
  }

  #hearWord(text: string, durationMs: number, endMs: number): void {
    if (this.#words.length === 0) this.#fromMs = Math.max(0, endMs - durationMs);
    if (this.#words.length < limits.utteranceWordsMax) this.#words.push(text);
    this.#toMs = endMs;
    this.#tell('interim');
  }

  #endUtteranceIfQuiet(nowMs: number): void {
    const sinceWordMs = nowMs - this.#toMs;
    const sinceVoiceMs = nowMs - Math.max(this.#voiceMs, this.#toMs);
    if (sinceVoiceMs >= limits.quietMs || sinceWordMs >= limits.quietAtTheLatestMs)
      this.#endUtterance();
  }

  #endUtterance(): void {
    if (this.#words.length === 0) return;
    this.#tell('final');
    this.#words = [];
  }

  #tell(kind: HeardSpeech['kind']): void {
    this.#heard({ kind, text: this.#words.join(' '), fromMs: this.#fromMs, toMs: this.#toMs });
  }
}
