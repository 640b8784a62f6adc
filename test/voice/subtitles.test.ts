import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { embedSubtitles } from '../../adapters/speech/embed-subtitles.ts';
import { createSubtitlesRecogniser } from '../../adapters/speech/subtitles.ts';
import type { HeardSpeech, SpokenWord } from '../../domain/calls/speech.ts';
import { mulawSilence } from '../../platform/mulaw.ts';

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const noise = fc.uint8Array({ minLength: 0, maxLength: 3_000 });

describe('subtitles in speech', () => {
  test('any words come back, whatever the chunks and whatever stands before them', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 8 }),
        noise,
        sizes,
        (words, lead, cuts) => {
          const speech = embedSubtitles(noiseOf(words.length * 2_400), spokenEvery(300, words));
          const heard = listen(concat(lead, speech, silence(400)), cuts);
          expect(heard.at(-1)).toMatchObject({ kind: 'final', text: words.join(' ') });
        },
      ),
      { numRuns: 60 },
    );
  });

  test('noise never yields a word', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 20_000 }), (bytes) => {
        expect(listen(bytes)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('a word is heard the moment it is spoken in full, not before', () => {
    const speech = embedSubtitles(noiseOf(8_000), [
      { text: 'stop', startMs: 100, endMs: 400 },
      { text: 'calling', startMs: 400, endMs: 900 },
    ]);
    expect(listen(speech.subarray(0, 400 * 8 - 1))).toEqual([]);
    const [first, second] = listen(speech, [1]);
    expect(first).toEqual({ kind: 'interim', text: 'stop', fromMs: 100, toMs: 400 });
    expect(second).toEqual({ kind: 'interim', text: 'stop calling', fromMs: 100, toMs: 900 });
  });

  test('a word that was cut off is not heard, and the next one is', () => {
    const cut = embedSubtitles(noiseOf(4_000), [{ text: 'unfinished', startMs: 0, endMs: 500 }]);
    const next = embedSubtitles(noiseOf(4_000), [{ text: 'whole', startMs: 0, endMs: 500 }]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_960 }), (at) => {
        const heard = listen(concat(cut.subarray(0, at), next, silence(400)));
        expect(heard.at(-1)).toMatchObject({ kind: 'final', text: 'whole' });
      }),
    );
  });

  test('a damaged word is not heard', () => {
    const speech = embedSubtitles(noiseOf(2_400), [{ text: 'hello', startMs: 0, endMs: 300 }]);
    // Five letters make a frame of 16 bytes, hidden in the last 128 samples.
    fc.assert(
      fc.property(fc.integer({ min: 2_400 - 128, max: 2_399 }), (at) => {
        const damaged = speech.map((byte, index) => (index === at ? byte ^ 1 : byte));
        expect(listen(damaged)).toEqual([]);
      }),
    );
  });

  test('an utterance ends after 300 ms of silence, but not within a long word', () => {
    const speech = embedSubtitles(noiseOf(12_000), [
      { text: 'a', startMs: 0, endMs: 100 },
      { text: 'looooong', startMs: 100, endMs: 1_500 },
    ]);
    const heard = listen(concat(speech, silence(1_000)));
    expect(heard.filter(({ kind }) => kind === 'final')).toEqual([
      { kind: 'final', text: 'a looooong', fromMs: 0, toMs: 1_500 },
    ]);
  });

  test('two utterances are two, also when they arrive in one piece', () => {
    const hello = embedSubtitles(noiseOf(2_400), [{ text: 'Hello?', startMs: 0, endMs: 300 }]);
    const heard = listen(concat(hello, silence(500), hello, silence(500)), [100_000]);
    expect(heard.filter(({ kind }) => kind === 'final').map(({ text }) => text)).toEqual([
      'Hello?',
      'Hello?',
    ]);
  });

  test('closing tells the last words as final', () => {
    const heard: HeardSpeech[] = [];
    const session = open(heard);
    session.push(embedSubtitles(noiseOf(800), [{ text: 'bye', startMs: 0, endMs: 100 }]), 0);
    session.close();
    session.close();
    session.push(silence(1_000), 100);
    expect(heard.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['interim bye', 'final bye']);
  });

  test('words without enough audio of their own are still there', () => {
    const words = spokenEvery(1, ['these', 'words', 'are', 'far', 'too', 'fast']);
    const speech = embedSubtitles(new Uint8Array(0), words);
    expect(listen(concat(speech, silence(400))).at(-1)?.text).toBe('these words are far too fast');
  });
});

function open(heard: HeardSpeech[]) {
  return createSubtitlesRecogniser().open({
    heard: (speech) => heard.push(speech),
    failed: (error) => {
      throw error;
    },
  });
}

function listen(mulaw: Uint8Array, chunkSizes: readonly number[] = [160]): HeardSpeech[] {
  const heard: HeardSpeech[] = [];
  const session = open(heard);
  for (let at = 0, chunk = 0; at < mulaw.length; chunk += 1) {
    const size = chunkSizes[chunk % chunkSizes.length] ?? 160;
    session.push(mulaw.subarray(at, at + size), at / 8);
    at += size;
  }
  return heard;
}

function spokenEvery(ms: number, words: readonly string[]): SpokenWord[] {
  return words.map((text, index) => ({ text, startMs: index * ms, endMs: (index + 1) * ms }));
}

/** Loud, and the same each time. */
function noiseOf(bytes: number): Uint8Array {
  let state = 12_345;
  return Uint8Array.from({ length: bytes }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) & 0x9f;
  });
}

function silence(ms: number): Uint8Array {
  return new Uint8Array(ms * 8).fill(mulawSilence);
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
