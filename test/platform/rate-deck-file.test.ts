// The deck follows its file without a restart, keeps the last good one, and fails closed.
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRateDeckFile } from '../../adapters/rate-decks/rate-deck-file.ts';
import { turnableClock, type TurnableClock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/log.ts';

const head = 'prefix,action,surcharge_cents_per_min,label,effective_from,effective_to,source\n';
const now = new Date('2026-05-01T12:00:00Z');
let folder: string;
let path: string;
let clock: TurnableClock;
let logged: { line?: number; msg: string }[];
let deck: () => Promise<string | undefined>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rate-deck-'));
  path = join(folder, 'deck.csv');
  clock = turnableClock(now);
  logged = [];
  const sink = { write: (text: string) => void logged.push(JSON.parse(text)) };
  const log = createLogger({ level: 'info', process: 'test', sink });
  const decks = createRateDeckFile({ path, clock, log });
  deck = async () => (await decks.current()).find('+12125550101', now)?.label;
});
afterEach(() => rm(folder, { recursive: true }));

const put = (label: string) => writeFile(path, `${head}1,allow,,${label},2026-01-01,,x\n`);

it('reads a changed file within a second', async () => {
  await put('first');
  expect(await deck()).toBe('first');
  await put('the second');
  await clock.turn(1_000);
  expect(await deck()).toBe('the second');
});

it('refuses a deck with a broken line whole and keeps the old one', async () => {
  await put('first');
  await deck();
  await writeFile(path, `${head}1,allow,,new,2026-01-01,,x\n1907,what,,,,,\n`);
  await clock.turn(1_000);
  expect(await deck()).toBe('first');
  expect(logged.at(-1)).toMatchObject({ line: 3, msg: 'rate deck refused' });
  await put('mended');
  await clock.turn(1_000);
  expect(await deck()).toBe('mended');
});

it('has no price when the file is gone, or was never good', async () => {
  await expect(deck()).rejects.toThrow('ENOENT');
  await writeFile(path, 'nonsense');
  await expect(deck()).rejects.toThrow('refused');
  await put('good');
  expect(await deck()).toBe('good');
  await rename(path, `${path}.away`);
  await clock.turn(1_000);
  await expect(deck()).rejects.toThrow('ENOENT');
});
