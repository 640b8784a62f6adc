import { afterAll, describe, expect, test } from 'vitest';
import { fliteVoices } from '../../adapters/speech/flite-voice.ts';
import { createFlite } from '../../adapters/speech/flite.ts';
import { splitSentences } from '../../adapters/speech/split-sentences.ts';
import { createSubtitlesRecogniser } from '../../adapters/speech/subtitles.ts';
import type { SpeechChunk } from '../../domain/calls/speech.ts';
import { decodeMulaw, mulawLoudness, mulawSilence } from '../../platform/mulaw.ts';

const flite = createFlite();
afterAll(() => flite[Symbol.asyncDispose]());

describe('flite', () => {
  test.each(fliteVoices)('%s speaks at a natural length and loudness', async (voice) => {
    const [chunk] = await speak('Are you the homeowner?', voice);
    const { mulaw } = chunk ?? { mulaw: new Uint8Array(0) };
    expect(mulaw.length / 8).toBeGreaterThan(900);
    expect(mulaw.length / 8).toBeLessThan(2_500);
    expect(mulawLoudness(mulaw)).toBeGreaterThan(800);
    const clipped = decodeMulaw(mulaw).filter((sample) => Math.abs(sample) > 32_000).length;
    expect(clipped / mulaw.length).toBeLessThan(0.001);
  });

  test('tells each word and where it stands, within the audio and in order', async () => {
    const [chunk] = await speak('I have Tuesday at 10 AM, or Tuesday at 11 AM.', 'slt');
    const words = chunk?.words ?? [];
    expect(words.map(({ text }) => text).join(' ')).toBe(
      'I have Tuesday at 10 AM, or Tuesday at 11 AM.',
    );
    for (const [index, { startMs, endMs }] of words.entries()) {
      expect(endMs).toBeGreaterThan(startMs);
      expect(startMs).toBeGreaterThanOrEqual(words[index - 1]?.endMs ?? 0);
    }
    expect(words.at(-1)?.endMs).toBeLessThanOrEqual((chunk?.mulaw.length ?? 0) / 8);
  });

  test('pauses between phrases belong to no word', async () => {
    const [chunk] = await speak('Thank you, goodbye.', 'slt');
    const [, you, goodbye] = chunk?.words ?? [];
    expect((goodbye?.startMs ?? 0) - (you?.endMs ?? 0)).toBeGreaterThan(80);
  });

  test('what it says can be heard by the subtitles recogniser', async () => {
    const text = "Don't worry, it is 12 Oak Street — near the café. Is that “right”?";
    const heard: string[] = [];
    const session = createSubtitlesRecogniser().open({
      heard: ({ kind, text: said }) => kind === 'final' && heard.push(said),
      failed: (error) => {
        throw error;
      },
    });
    let atMs = 0;
    for (const { mulaw } of await speak(text, 'rms')) {
      session.push(mulaw, atMs);
      atMs += mulaw.length / 8;
    }
    session.push(new Uint8Array(4_000).fill(mulawSilence), atMs);
    expect(heard).toEqual([text]);
  });

  test('a long text comes sentence by sentence', async () => {
    const chunks = await speak('This call is transcribed. Say stop calling at any time.', 'slt');
    expect(chunks).toHaveLength(2);
  });

  test('what was said before comes from memory', async () => {
    const [first] = await speak('Good morning.', 'awb');
    const [again] = await speak('Good morning.', 'awb');
    expect(again).toBe(first);
  });

  test('ends early and quietly when the listener has heard enough', async () => {
    const controller = new AbortController();
    const heard: SpeechChunk[] = [];
    const speech = flite.speak('One. Two. Three. Four. Five.', {
      voice: 'slt',
      signal: controller.signal,
    });
    for await (const chunk of speech) {
      heard.push(chunk);
      controller.abort();
    }
    expect(heard).toHaveLength(1);
  });

  test('says nothing where there is nothing to say', async () => {
    expect(await speak('  ... 🙂 — ', 'slt')).toEqual([]);
  });

  test('a closed voice refuses instead of hanging', async () => {
    const closed = createFlite();
    await closed[Symbol.asyncDispose]();
    await closed[Symbol.asyncDispose]();
    const speech = closed.speak('Hello?', { voice: 'slt' });
    await expect(collect(speech)).rejects.toThrow('closed');
  });
});

describe('sentences', () => {
  test.each([
    ['Hello? Who is this?', ['Hello?', 'Who is this?']],
    ['Ask Dr. Smith at 10 a.m. on Monday.', ['Ask Dr. Smith at 10 a.m. on Monday.']],
    ['It costs 3.50 dollars. Okay', ['It costs 3.50 dollars.', 'Okay']],
    ['', []],
  ])('%j', (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences);
  });

  test('without any full stop it is still cut', () => {
    const pieces = splitSentences('word '.repeat(400));
    expect(pieces.length).toBeGreaterThan(3);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(480);
  });
});

function speak(text: string, voice: string): Promise<SpeechChunk[]> {
  return collect(flite.speak(text, { voice }));
}

async function collect(speech: AsyncIterable<SpeechChunk>): Promise<SpeechChunk[]> {
  const chunks: SpeechChunk[] = [];
  for await (const chunk of speech) chunks.push(chunk);
  return chunks;
}
