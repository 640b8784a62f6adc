// NANPA's report of all area codes, https://reports.nanpa.com/public/npa_report.csv, read into rows.

/** The columns that are used, as the report names and writes them. */
export interface NpaRow {
  readonly NPA_ID: string;
  readonly EXPLANATION: string;
  readonly RESERVED: string;
  readonly ASSIGNED: string;
  /** G is geographic. */
  readonly USE: string;
  readonly LOCATION: string;
  readonly COUNTRY: string;
  readonly IN_SERVICE: string;
  /** As in 05-Jan-2002; empty when no date is set. */
  readonly IN_SERVICE_DT: string;
  /** As in 213/323/738. */
  readonly OVERLAY_COMPLEX: string;
  readonly SERVICE: string;
  readonly TIME_ZONE: string;
}

export interface NpaReport {
  readonly fileDate: string;
  readonly rows: readonly NpaRow[];
}

const columns = [
  'NPA_ID',
  'EXPLANATION',
  'RESERVED',
  'ASSIGNED',
  'USE',
  'LOCATION',
  'COUNTRY',
  'IN_SERVICE',
  'IN_SERVICE_DT',
  'OVERLAY_COMPLEX',
  'SERVICE',
  'TIME_ZONE',
] as const satisfies readonly (keyof NpaRow)[];

/** Every code from 200 to 999 must have its row. */
const codesCount = 800;

/** Throws an Error that names what is not as published. */
export function readNpaReport(csv: string): NpaReport {
  const [title = [], header = [], ...lines] = readCsv(csv);
  const fileDate = title[0] === 'File Date' ? title[1] : undefined;
  if (!fileDate) throw new Error('The report does not begin with its file date.');
  const places = columns.map((column) => {
    const place = header.indexOf(column);
    if (place === -1) throw new Error(`The report has no column ${column}.`);
    return [column, place] as const;
  });
  const rows = lines
    .filter(([code]) => /^[2-9]\d\d$/.test(code ?? ''))
    .map(
      (line) =>
        Object.fromEntries(
          places.map(([column, place]) => [column, (line[place] ?? '').trim()]),
        ) as unknown as NpaRow,
    );
  const distinct = new Set(rows.map(({ NPA_ID: code }) => code)).size;
  if (rows.length !== codesCount || distinct !== codesCount)
    throw new Error(`The report has ${distinct} of ${codesCount} codes in ${rows.length} rows.`);
  return { fileDate, rows };
}

/** Fields may be quoted; a quote inside is doubled. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [[]];
  const field = /(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r?\n|$)/y;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (!match) throw new Error(`Line ${lines.length} of the report is not CSV.`);
    lines.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === ',') continue;
    lines.push([]);
  }
  return lines;
}
