// Comma-separated values as RFC 4180 has them: quoted cells may hold commas, quotes and line ends. Pure.

export interface CsvRow {
  /** Of the row's first character; the file's first line is 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Blank lines are left out; a quote that never closes takes the rest of the file. */
export function readCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let line = 1;
  let row = { line, cells: [] as string[] };
  const endRow = () => {
    if (row.cells.some((cell) => cell !== '')) rows.push(row);
    row = { line, cells: [] };
  };
  for (const [whole, quoted, bare = '', end] of text.replace(/^\uFEFF/, '').matchAll(cell)) {
    row.cells.push((quoted?.slice(1, -1).replaceAll('""', '"') ?? bare).trim());
    line += whole.split('\n').length - 1;
    if (end !== ',') endRow();
  }
  endRow();
  return rows;
}

/** A quoted or a bare cell, and what ends it; a lone carriage return is part of a line end or of nothing. */
const cell = /(?:[ \t]*("(?:[^"]|"")*(?:"|$))[ \t]*|([^,\r\n]*))(,|\r?\n|\r|$)/g;

export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | null): string {
  const safe = startsFormula(value ?? '') ? `'${value}` : (value ?? '');
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** What a spreadsheet would run; a phone number begins with a plus and is none. */
function startsFormula(value: string): boolean {
  return /^[=+\-@\t]/.test(value) && !/^\+\d+$/.test(value);
}
