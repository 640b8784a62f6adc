// CSV -> rate deck. One line, one row; a deck with a broken line is refused whole, and the line is named.
import { setImmediate as turn } from 'node:timers/promises';
import papaparse from 'papaparse';
import { RateDeck, type RateDeckRow } from '../../domain/billing/rate-deck.ts';

const columns = [
  'prefix',
  'action',
  'surcharge_cents_per_min',
  'label',
  'effective_from',
  'effective_to',
  'source',
] as const;

/** Between two pieces other work gets its turn. */
const pieceChars = 128 * 1024;
const dayMs = 24 * 60 * 60 * 1000;
const microsPerTenthOfCent = 1_000;

export class RateDeckError extends Error {
  override readonly name = 'RateDeckError';
  readonly line: number;

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
    this.line = line;
  }
}

/**
 * Columns as in `columns`, with a head line; lines that begin with `#` and empty ones are skipped. The surcharge is
 * in cents with at most one decimal. Dates are whole days in UTC: from the first through the last; an empty last day
 * means open. Throws RateDeckError.
 */
export async function parseRateDeck(text: string): Promise<RateDeck> {
  const deck = new RateDeck();
  let headSeen = false;
  let line = 0;
  for (const piece of pieces(text)) {
    for (const cells of cellsOf(piece, line)) {
      line++;
      if (isBlank(cells)) continue;
      if (!headSeen) {
        checkHead(cells, line);
        headSeen = true;
      } else if (!deck.add(readRow(cells, line)))
        throw new RateDeckError(line, 'prefix: stands twice from the same day on');
    }
    await turn();
  }
  if (deck.size === 0) throw new RateDeckError(line, 'the deck has no rows');
  return deck;
}

/** Whole lines, about `pieceChars` long. */
function* pieces(text: string): Generator<string> {
  let from = text.startsWith('\uFEFF') ? 1 : 0;
  while (from < text.length) {
    const end = text.indexOf('\n', from + pieceChars);
    const to = end === -1 ? text.length : end + 1;
    yield text.slice(from, text[to - 1] === '\n' ? to - 1 : to);
    from = to;
  }
}

function cellsOf(piece: string, linesBefore: number): string[][] {
  const { data, errors } = papaparse.parse<string[]>(piece, { delimiter: ',' });
  const [error] = errors;
  // A quote that is not closed would take in the lines behind it.
  if (error) throw new RateDeckError(linesBefore + (error.row ?? 0) + 1, error.message);
  return data;
}

function isBlank(cells: readonly string[]): boolean {
  return cells[0]?.startsWith('#') === true || cells.every((cell) => cell.trim() === '');
}

function checkHead(cells: readonly string[], line: number): void {
  if (cells.length !== columns.length || columns.some((name, at) => cells[at]?.trim() !== name))
    throw new RateDeckError(line, `the columns must be ${columns.join(',')}`);
}

function readRow(cells: readonly string[], line: number): RateDeckRow {
  if (cells.length !== columns.length)
    throw new RateDeckError(line, `has ${cells.length} cells instead of ${columns.length}`);
  const [prefix = '', action = '', surcharge = '', label = '', from = '', to = ''] = cells.map(
    (cell) => cell.trim(),
  );
  if (!/^[1-9]\d{0,14}$/.test(prefix))
    throw new RateDeckError(line, 'prefix: must be 1 to 15 digits with the country code');
  if (action !== 'allow' && action !== 'surcharge' && action !== 'block')
    throw new RateDeckError(line, 'action: must be allow, surcharge or block');
  const fromMs = readDay(from, 'effective_from', line);
  const untilMs = to === '' ? Infinity : readDay(to, 'effective_to', line) + dayMs;
  if (untilMs <= fromMs)
    throw new RateDeckError(line, 'effective_to: must not be before effective_from');
  const surchargeMicrosPerMinute = readSurcharge(action, surcharge, line);
  return { prefix, action, surchargeMicrosPerMinute, label, fromMs, untilMs };
}

/** Only a surcharge has one; a stray price beside another action is a slip worth refusing. */
function readSurcharge(action: RateDeckRow['action'], text: string, line: number): number {
  const empty = text === '' || Number(text) === 0;
  if (action !== 'surcharge') {
    if (empty) return 0;
    throw new RateDeckError(line, `surcharge_cents_per_min: must be empty or 0 for ${action}`);
  }
  const parts = /^(\d{1,6})(?:\.(\d))?$/.exec(text);
  const tenths = parts ? Number(parts[1]) * 10 + Number(parts[2] ?? 0) : 0;
  if (tenths === 0)
    throw new RateDeckError(
      line,
      'surcharge_cents_per_min: must be above 0, with at most one decimal',
    );
  return tenths * microsPerTenthOfCent;
}

/** Decks repeat a few days over and over. */
const knownDays = new Map<string, number>();

function readDay(text: string, column: string, line: number): number {
  const known = knownDays.get(text);
  if (known !== undefined) return known;
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const real = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
  if (!real) throw new RateDeckError(line, `${column}: must be a day such as 2026-01-31`);
  knownDays.set(text, ms);
  return ms;
}
