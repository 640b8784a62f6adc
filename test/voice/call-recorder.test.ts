import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { fileOffset, invertOctets, samplesIn } from '../../domain/calls/raw-recording.ts';
import { openCallRecorder } from '../../voice-gateway/media/call-recorder.ts';
import { openRecordingGate } from '../../voice-gateway/media/recording-gate.ts';
import type { GateProof } from '../../voice-gateway/media/recording-gate.ts';
import type { Heard } from '../../voice-gateway/media/utterance.ts';

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

describe('the recording gate', () => {
  test.each([
    ['a notice that was cut off', { ...heardNotice(5_000), complete: false }, 6_000],
    ['a notice nobody heard', { ...heardNotice(5_000), lastHeardMs: null }, 6_000],
    ['speech before the end of the notice', heardNotice(5_000), 4_999],
    ['no speech at all', heardNotice(5_000), Number.NaN],
  ])('stays shut after %s', (_, notice, speechMs) => {
    expect(() => openRecordingGate(notice, speechMs)).toThrow(/notice/);
  });

  test('a proof cannot be made by hand', async () => {
    const forged = { noticeHeardAtMs: 1, firstSpeechAtMs: 2 } as unknown as GateProof;
    const path = await newPath();
    expect(() => openCallRecorder({ gate: forged, path, failed: fail })).toThrow('opened gate');
    await expect(exists(path)).resolves.toBe(false);
  });
});

describe('the call recorder', () => {
  test('writes nothing that sounded before the gate', async () => {
    const { recorder, path } = await record(6_000);
    recorder.person(tone(0x11, 20), 5_900);
    recorder.agent(tone(0x11, 50), 5_950);
    recorder.person(tone(0x11, 10).fill(0x22, 40), 5_995);
    await recorder.close();
    const { person, agent } = await readTracks(path);
    expect(person).toEqual([...tone(0x22, 5)]);
    expect(agent).toEqual([...tone(0xff, 5)]);
  });

  test('puts both tracks on one timeline, with silence in the gaps', async () => {
    const { recorder, path } = await record(1_000);
    recorder.person(tone(0x31, 20), 1_000);
    recorder.person(tone(0x32, 20), 3_500);
    recorder.agent(tone(0x41, 1_200), 1_500);
    recorder.person(tone(0x33, 20), 3_520);
    const end = await recorder.close();
    expect(end).toEqual({ kind: 'kept', path, durationMs: 2_540 });
    const { person, agent } = await readTracks(path);
    expect(levels(person)).toEqual([
      [0x31, 20],
      [0xff, 2_480],
      [0x32, 20],
      [0x33, 20],
    ]);
    expect(levels(agent)).toEqual([
      [0xff, 500],
      [0x41, 1_200],
      [0xff, 840],
    ]);
  });

  test('ten minutes of frames and late proofs does not drift', async () => {
    const { recorder, path } = await record(0);
    for (let atMs = 0; atMs < 600_000; atMs += 20) {
      recorder.person(tone(0x10 + (((atMs / 1_000) % 64) | 0), 20), atMs);
      if (atMs % 10_000 === 0) recorder.agent(tone(0x77, 200), Math.max(0, atMs - 3_000));
      if (atMs % 1_000 === 0) await exists(path);
    }
    await expect(recorder.close()).resolves.toMatchObject({ durationMs: 600_000 });
    const { person, agent } = await readTracks(path);
    expect(person[599_999 * 8]).toBe(0x10 + (599 % 64));
    expect([agent[587_000 * 8 - 1], agent[587_000 * 8]]).toEqual([0xff, 0x77]);
  });

  test('an objection deletes what was recorded, and later audio is not kept', async () => {
    const { recorder, path } = await record(0);
    recorder.person(tone(0x31, 5_000), 0);
    const deleted = recorder.stopAndDelete();
    recorder.person(tone(0x31, 5_000), 5_000);
    await expect(deleted).resolves.toEqual({ kind: 'deleted' });
    await expect(recorder.close()).resolves.toEqual({ kind: 'deleted' });
    expect([await exists(path), await exists(`${path}.partial`)]).toEqual([false, false]);
  });

  test('an objection right after the call deletes the finished file too', async () => {
    const { recorder, path } = await record(0);
    recorder.person(tone(0x31, 100), 0);
    await recorder.close();
    await expect(recorder.stopAndDelete()).resolves.toEqual({ kind: 'deleted' });
    await expect(exists(path)).resolves.toBe(false);
  });

  test('a process that dies leaves a readable recording up to its last second', async () => {
    const { recorder, path } = await record(0);
    recorder.person(tone(0x31, 3_500), 0);
    await expect.poll(() => sizeOf(`${path}.partial`)).toBe(2 * 16_000 + 8_000);
    const { person, agent } = await readTracks(`${path}.partial`);
    expect([person.length, agent.length]).toEqual([24_000, 24_000]);
    expect(new Set(agent)).toEqual(new Set([0xff]));
    await recorder.stopAndDelete();
  });

  test('a disk fault is reported once and never thrown into the call', async () => {
    const path = await newPath();
    await mkdir(dirname(path));
    await writeFile(`${path}.partial`, 'in the way');
    const errors: Error[] = [];
    const gate = openRecordingGate(heardNotice(0), 0);
    const recorder = openCallRecorder({ gate, path, failed: (error) => errors.push(error) });
    for (let atMs = 0; atMs < 4_000; atMs += 20) recorder.person(tone(0x31, 20), atMs);
    await expect(recorder.close()).resolves.toEqual({ kind: 'failed' });
    expect(errors).toHaveLength(1);
    await expect(exists(path)).resolves.toBe(false);
  });
});

async function record(gateMs: number) {
  const path = await newPath();
  const gate = openRecordingGate(heardNotice(Math.max(0, gateMs - 10)), gateMs);
  return { path, recorder: openCallRecorder({ gate, path, failed: fail }) };
}

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recorder-'));
  folders.push(folder);
  return join(folder, 'raw', 'call');
}

function heardNotice(lastHeardMs: number): Heard {
  return { ms: 4_000, text: 'notice', complete: true, startMs: 0, lastHeardMs };
}

function tone(octet: number, ms: number): Uint8Array {
  return new Uint8Array(ms * 8).fill(octet);
}

async function readTracks(path: string) {
  const raw = await readFile(path);
  const samples = samplesIn(raw.length);
  const track = (name: 'person' | 'agent') => {
    const octets = Buffer.alloc(Math.ceil(samples / 8_000) * 8_000);
    for (let block = 0; block * 8_000 < samples; block += 1) {
      const from = fileOffset(name, block);
      octets.set(raw.subarray(from, from + 8_000), block * 8_000);
    }
    invertOctets(octets);
    return [...octets.subarray(0, samples)];
  };
  return { person: track('person'), agent: track('agent') };
}

/** Runs of equal octets with their length in milliseconds. */
function levels(track: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const octet of track) {
    const last = runs.at(-1);
    if (last?.[0] === octet) last[1] += 1 / 8;
    else runs.push([octet, 1 / 8]);
  }
  return runs;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function sizeOf(path: string): Promise<number> {
  return readFile(path).then(
    (octets) => octets.length,
    () => 0,
  );
}

function fail(error: Error): void {
  throw error;
}
