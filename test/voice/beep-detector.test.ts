import { expect, test } from 'vitest';
import { createFlite } from '../../adapters/speech/flite.ts';
import { encodeMulaw } from '../../platform/mulaw.ts';
import { createBeepDetector } from '../../voice-gateway/beep-detector.ts';

const sampleRate = 8_000;

function tones(hertz: readonly number[], durationMs: number): Uint8Array {
  const samples = new Int16Array((durationMs * sampleRate) / 1_000);
  for (let index = 0; index < samples.length; index += 1) {
    const waves = hertz.map((hz) => Math.sin((2 * Math.PI * hz * index) / sampleRate));
    samples[index] = (8_000 * waves.reduce((sum, wave) => sum + wave, 0)) / hertz.length;
  }
  return encodeMulaw(samples);
}

function hears(mulaw: Uint8Array): boolean {
  const detector = createBeepDetector();
  const heard = detector.push(mulaw);
  return detector.push(encodeMulaw(new Int16Array(sampleRate / 4))) || heard;
}

test.each([850, 1_000, 1_400, 1_950])('the beep of a machine at %s Hz is heard', (hz) => {
  expect(hears(tones([hz], 400))).toBe(true);
});

test('a ringback of two tones is not a beep', () => {
  expect(hears(tones([440, 480], 1_000))).toBe(false);
});

test('neither a click nor a long whistle is a beep', () => {
  expect(hears(tones([1_000], 60))).toBe(false);
  expect(hears(tones([1_000], 3_000))).toBe(false);
});

test('speech is not a beep', async () => {
  await using flite = createFlite();
  const text =
    'Hello, this is Sam speaking. Who is calling me at this hour? Oh, I see, please go on.';
  for (const voice of ['slt', 'rms', 'awb', 'kal'])
    for await (const { mulaw } of flite.speak(text, { voice })) expect(hears(mulaw)).toBe(false);
});
