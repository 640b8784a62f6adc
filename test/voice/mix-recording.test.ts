import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDiskStore } from '../../adapters/stores/disk-store.ts';
import { mixRecording } from '../../domain/calls/mix-recording.ts';
import { encodeMulaw } from '../../platform/mulaw.ts';
import { openCallRecorder } from '../../voice-gateway/media/call-recorder.ts';
import { openRecordingGate } from '../../voice-gateway/media/recording-gate.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mix-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the mixed recording', () => {
  test('is a stereo MP3 as long as the call', async () => {
    const rawPath = await recordTones(12_345);
    const outPath = join(folder, 'call.mp3');
    const mixed = await mixRecording(rawPath, outPath);
    const mp3 = await readFile(outPath);
    expect(mixed).toEqual({ durationMs: 12_345, sizeBytes: mp3.length });
    const frames = readFrames(mp3);
    expect(frames.every(({ stereo }) => stereo)).toBe(true);
    const durationMs = frames.length * frameMs;
    expect(durationMs).toBeGreaterThanOrEqual(12_345);
    expect(durationMs).toBeLessThan(12_345 + 5 * frameMs);
  });

  test('leaves no half-written file behind when the raw audio is missing', async () => {
    const outPath = join(folder, 'never.mp3');
    await expect(mixRecording(join(folder, 'nowhere'), outPath)).rejects.toThrow('ENOENT');
    await expect(readFile(outPath)).rejects.toThrow('ENOENT');
    await expect(readFile(`${outPath}.partial`)).rejects.toThrow('ENOENT');
  });
});

describe('the disk store', () => {
  test('gives back what was put, whole and in ranges', async () => {
    const store = createDiskStore(join(folder, 'store'));
    await store.put('wsp_1/ord_1.mp3', Buffer.from('0123456789'));
    await expect(read(store, 'wsp_1/ord_1.mp3')).resolves.toBe('0123456789');
    await expect(read(store, 'wsp_1/ord_1.mp3', { from: 7 })).resolves.toBe('789');
    await expect(read(store, 'wsp_1/ord_1.mp3', { from: 2, to: 4 })).resolves.toBe('234');
    await expect(read(store, 'wsp_1/ord_1.mp3', { from: 2, to: 400 })).resolves.toBe('23456789');
    const beyond = await store.open('wsp_1/ord_1.mp3', { from: 10 });
    expect(beyond).toEqual({ kind: 'out_of_range', sizeBytes: 10 });
  });

  test('replaces as a whole, with another etag, and removes for good', async () => {
    const store = createDiskStore(join(folder, 'store'));
    await store.put('wsp_1/ord_2.mp3', Buffer.from('old'));
    const before = await etagOf(store, 'wsp_1/ord_2.mp3');
    await store.put('wsp_1/ord_2.mp3', Buffer.from('new'));
    await expect(etagOf(store, 'wsp_1/ord_2.mp3')).resolves.not.toBe(before);
    await store.remove('wsp_1/ord_2.mp3');
    await store.remove('wsp_1/ord_2.mp3');
    await expect(store.open('wsp_1/ord_2.mp3')).resolves.toEqual({ kind: 'missing' });
  });

  test('takes a file without touching it', async () => {
    const store = createDiskStore(join(folder, 'store'));
    const rawPath = await recordTones(100);
    await store.put('wsp_1/raw', rawPath);
    const found = await store.open('wsp_1/raw');
    if (found.kind !== 'found') throw new Error('the recording was just put');
    await expect(buffer(found.stream)).resolves.toEqual(await readFile(rawPath));
  });

  test.each(['../secret', 'a/../../b', '/etc/passwd', '', '.hidden', 'a//b', 'a\0b', 'a/'])(
    'refuses the key %j',
    async (key) => {
      const store = createDiskStore(join(folder, 'store'));
      await expect(store.put(key, Buffer.from('x'))).rejects.toThrow('not a recording key');
      await expect(store.open(key)).rejects.toThrow('not a recording key');
      await expect(store.remove(key)).rejects.toThrow('not a recording key');
    },
  );

  test('a folder in place of a recording is unavailable, not a crash', async () => {
    const store = createDiskStore(join(folder, 'store'));
    await store.put('wsp_2/inner/ord.mp3', Buffer.from('x'));
    await expect(store.open('wsp_2/inner')).resolves.toEqual({ kind: 'unavailable' });
  });
});

/** An MPEG-2 frame holds 576 samples at 16 kHz. */
const frameMs = 36;

async function recordTones(durationMs: number): Promise<string> {
  const path = join(folder, `raw-${durationMs}`);
  const notice = { ms: 1, text: '', complete: true, startMs: 0, lastHeardMs: 0 };
  const recorder = openCallRecorder({
    gate: openRecordingGate(notice, 0),
    path,
    failed(error) {
      throw error;
    },
  });
  recorder.person(tone(440, durationMs), 0);
  recorder.agent(tone(880, durationMs / 2), 10);
  await recorder.close();
  return path;
}

function tone(hertz: number, durationMs: number): Uint8Array {
  const sample = (index: number) => 8_000 * Math.sin((2 * Math.PI * hertz * index) / 8_000);
  return encodeMulaw(Int16Array.from({ length: durationMs * 8 }, (_, index) => sample(index)));
}

/** Walks MPEG-2 Layer III frame headers from the first octet to the last. */
function readFrames(mp3: Buffer): { stereo: boolean }[] {
  const frames: { stereo: boolean }[] = [];
  for (let at = 0; at < mp3.length;) {
    const header = mp3.readUInt32BE(at);
    expect(header >>> 17).toBe(0b111_1111_1111_1001);
    const bitrate = [0, 8, 16, 24, 32, 40, 48, 56, 64][(header >>> 12) & 15] ?? 0;
    frames.push({ stereo: ((header >>> 6) & 3) !== 3 });
    at += Math.floor((72 * bitrate * 1_000) / 16_000) + ((header >>> 9) & 1);
  }
  return frames;
}

type Store = ReturnType<typeof createDiskStore>;

async function read(store: Store, key: string, range?: { from: number; to?: number }) {
  const found = await store.open(key, range);
  return found.kind === 'found' ? (await buffer(found.stream)).toString() : found.kind;
}

async function etagOf(store: Store, key: string): Promise<string> {
  const found = await store.open(key);
  if (found.kind !== 'found') return found.kind;
  found.stream.destroy();
  return found.etag;
}
