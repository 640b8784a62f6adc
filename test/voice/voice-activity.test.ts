import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFlite } from '../../adapters/speech/flite.ts';
import { encodeMulaw } from '../../platform/mulaw.ts';
import { createSpeechDetector } from '../../voice-gateway/media/speech-detector.ts';
import { createVoiceActivity } from '../../voice-gateway/media/voice-activity.ts';
import type { VoiceActivity } from '../../voice-gateway/media/voice-activity.ts';

let activity: VoiceActivity;
let speech: Buffer;

beforeAll(async () => {
  activity = await createVoiceActivity();
  await using flite = createFlite();
  const pieces: Uint8Array[] = [];
  const text = 'Good morning, I would like to make an appointment for next week.';
  for await (const chunk of flite.speak(text, { voice: 'default' })) pieces.push(chunk.mulaw);
  speech = Buffer.concat(pieces);
});
afterAll(() => activity[Symbol.asyncDispose]());

describe('voice activity', () => {
  test('hears where speech begins and ends', async () => {
    const speechMs = speech.length / 8;
    const heard = await listenTo(activity, [silence(500), speech, silence(1_000)]);
    expect(heard.map(({ kind }) => kind)).toEqual(['started', 'ended']);
    expect(Math.abs((heard[0]?.atMs ?? 0) - 500)).toBeLessThan(250);
    expect(Math.abs((heard[1]?.atMs ?? 0) - (500 + speechMs))).toBeLessThan(250);
  });

  test('hears no speech in silence, hiss, dial tones or clicks', async () => {
    const clicks = silence(3_000);
    for (let at = 0; at < clicks.length; at += 4_000) clicks.fill(0x00, at, at + 80);
    const nothing = [silence(3_000), hiss(3_000, 400), tone(3_000, 440), clicks];
    await expect(listenTo(activity, nothing)).resolves.toEqual([]);
  });

  test('keeps forty lines apart while it hears them together', async () => {
    const lines = Array.from({ length: 40 }, (_, index) =>
      listenTo(activity, index % 2 ? [silence(300), speech, silence(800)] : [hiss(3_000, 400)]),
    );
    const heard = await Promise.all(lines);
    expect(heard.map((events) => events.length)).toEqual(lines.map((_, index) => (index % 2) * 2));
  });

  test('a closed line hears nothing more', async () => {
    const events: string[] = [];
    const line = activity.open({
      started: () => events.push('started'),
      ended: () => events.push('ended'),
    });
    line.push(speech, 0);
    line.close();
    await listenTo(activity, [speech, silence(800)]);
    expect(events).toEqual([]);
  });
});

describe('the speech detector', () => {
  test('needs three windows in a row to begin and seven to end', () => {
    expect(detect([0.9, 0.9, 0, 0.9, 0.9, 0.9])).toEqual([['started', 3 * 32]]);
    const pause = Array.from({ length: 6 }, () => 0.1);
    expect(detect([1, 1, 1, 1, ...pause, 0.4, ...pause, 0.1])).toEqual([
      ['started', 0],
      ['ended', 11 * 32],
    ]);
  });
});

interface Event {
  readonly kind: 'started' | 'ended';
  readonly atMs: number;
}

/** Plays audio to a line of its own, as fast as the line keeps up, until the model has heard all. */
async function listenTo(on: VoiceActivity, parts: readonly Uint8Array[]): Promise<Event[]> {
  const audio = Buffer.concat(parts);
  const events: Event[] = [];
  const line = on.open({
    started: (atMs) => events.push({ kind: 'started', atMs }),
    ended: (atMs) => events.push({ kind: 'ended', atMs }),
  });
  for (let at = 0; at < audio.length; at += 4_000) {
    line.push(audio.subarray(at, at + 4_000), at / 8);
    await line.idle();
  }
  line.close();
  return events;
}

function detect(probabilities: readonly number[]): [string, number][] {
  const events: [string, number][] = [];
  const detector = createSpeechDetector({
    started: (atMs) => events.push(['started', atMs]),
    ended: (atMs) => events.push(['ended', atMs]),
  });
  probabilities.forEach((p, index) => detector.hear(p, index * 32, (index + 1) * 32));
  return events;
}

function silence(ms: number): Buffer {
  return Buffer.alloc(ms * 8, 0xff);
}

/** White noise from a small linear congruential generator, the same on every run. */
function hiss(ms: number, peak: number): Uint8Array {
  let seed = 1;
  return encodeMulaw(
    Int16Array.from({ length: ms * 8 }, () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return (seed / 1_073_741_824 - 1) * peak;
    }),
  );
}

function tone(ms: number, hertz: number): Uint8Array {
  const sample = (index: number) => 6_000 * Math.sin((2 * Math.PI * hertz * index) / 8_000);
  return encodeMulaw(Int16Array.from({ length: ms * 8 }, (_, index) => sample(index)));
}
