// Which numbers a file of numbers holds, in whatever spelling. Pure.
import { readTypedPhone } from '../leads/phone-number.ts';
import { readCsv } from './csv.ts';

export interface ImportedNumber {
  readonly phone: string;
  readonly reason: string | null;
}

export interface ImportReading {
  /** Each number once. */
  readonly numbers: readonly ImportedNumber[];
  /** Lines on which no number can be read. */
  readonly unreadableLines: readonly number[];
}

const phoneNames = /^(?:phone|mobile|cell|telephone|tel|number)?[ _-]?(?:phone|number|no)?$/i;
const reasonNames = /^(?:reason|note|notes|comment)$/i;

/** Numbers stand in the column that the first line names, else in the first; a reason may stand beside. */
export function readImport(text: string): ImportReading {
  const rows = readCsv(text);
  const first = rows[0]?.cells ?? [];
  const hasHeader = !first.some((cell) => readTypedPhone(cell));
  const phoneColumn = hasHeader ? Math.max(0, first.findIndex(isPhoneName)) : 0;
  const reasonColumn = hasHeader ? first.findIndex((cell) => reasonNames.test(cell)) : -1;
  const numbers = new Map<string, ImportedNumber>();
  const unreadableLines: number[] = [];
  for (const { line, cells } of hasHeader && isHeader(first) ? rows.slice(1) : rows) {
    const phone = readTypedPhone(cells[phoneColumn] ?? '');
    if (!phone) unreadableLines.push(line);
    else if (!numbers.has(phone))
      numbers.set(phone, { phone, reason: cells[reasonColumn] || null });
  }
  return { numbers: [...numbers.values()], unreadableLines };
}

function isPhoneName(cell: string): boolean {
  return cell !== '' && phoneNames.test(cell);
}

/** A first line without a number is a header when it names a column, and else a mistake to be told. */
function isHeader(cells: readonly string[]): boolean {
  return cells.some((cell) => isPhoneName(cell) || reasonNames.test(cell));
}
