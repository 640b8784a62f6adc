// Finds the first number in what a person said, in digits or in words.

const units = wordValues(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
    'sixteen seventeen eighteen nineteen',
  1,
);
const tens = wordValues('_ _ twenty thirty forty fifty sixty seventy eighty ninety', 10);
const scales = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
  ['grand', 1_000],
  ['million', 1_000_000],
]);
const loose = new Map([
  ['none', 0],
  ['dozen', 12],
  ['couple', 2],
]);

/** Null when nothing said is a number. "Ten to fifteen" is ten. */
export function readNumber(spoken: string): number | null {
  const text = spoken.toLowerCase();
  const digits = /(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s*(k\b|thousand|grand|hundred|million)?/.exec(
    text,
  );
  const words = readNumberWords(text);
  if (!digits?.[1]) return words?.value ?? null;
  if (words && words.atCharacter < digits.index) return words.value;
  const scale = digits[3] === 'k' ? 1_000 : (scales.get(digits[3] ?? '') ?? 1);
  return Number(`${digits[1].replaceAll(',', '')}${digits[2] ?? ''}`) * scale;
}

function readNumberWords(text: string): { value: number; atCharacter: number } | null {
  let number: RunningNumber | null = null;
  for (const match of text.matchAll(/[a-z]+/g)) {
    const next: RunningNumber | null = addWord(number, match[0], match.index);
    if (next === null && number !== null) break;
    number = next;
  }
  return number && { value: number.total + number.group, atCharacter: number.atCharacter };
}

interface RunningNumber {
  readonly total: number;
  /** What a following "hundred" or "thousand" multiplies. */
  readonly group: number;
  readonly last: 'unit' | 'tens' | 'scale' | 'and';
  readonly atCharacter: number;
}

/** Null when the word does not continue (or begin) a number. */
function addWord(number: RunningNumber | null, word: string, at: number): RunningNumber | null {
  const start = number ?? { total: 0, group: 0, last: 'scale', atCharacter: at };
  const unit = units.get(word);
  if (unit !== undefined && start.last !== 'unit')
    return { ...start, group: start.group + unit, last: 'unit' };
  const ten = tens.get(word);
  if (ten !== undefined && start.last !== 'unit' && start.last !== 'tens')
    return { ...start, group: start.group + ten, last: 'tens' };
  const scale = scales.get(word);
  if (scale !== undefined) return scaled(start, scale, number === null);
  if (word === 'and' && number !== null) return { ...number, last: 'and' };
  const value = number === null ? loose.get(word) : undefined;
  return value === undefined ? null : { ...start, group: value, last: 'unit' };
}

function scaled(number: RunningNumber, scale: number, begins: boolean): RunningNumber {
  const group = begins ? 1 : number.group;
  if (scale === 100) return { ...number, group: group * 100, last: 'scale' };
  return { ...number, total: number.total + group * scale, group: 0, last: 'scale' };
}

function wordValues(words: string, step: number): ReadonlyMap<string, number> {
  return new Map(words.split(' ').map((word, index) => [word, index * step]));
}
