// `npm run update-tables`: area codes from NANPA's report, rules and holidays from given files; checked and compared.
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { buildAreaCodes, buildClasses, type AreaCodes, type NanpClass } from './area-codes.ts';
import { checkTables } from './check-tables.ts';
import { compareTables } from './compare-tables.ts';
import { readNpaReport } from './npa-report.ts';

const published = 'https://reports.nanpa.com/public/npa_report.csv';
const usage = `npm run update-tables -- [--write] [--npa <file or URL>]
    [--rules <file>] [--holidays <file>]

Without --npa the report is fetched from ${published};
--npa none leaves the area codes as they are. Nothing is written without --write.
`;

const files = {
  areaCodes: 'domain/leads/data/us-area-codes.json',
  classes: 'domain/leads/data/nanp-classes.json',
  rules: 'domain/calling-hours/data/calling-rules.json',
  holidays: 'domain/calling-hours/data/holidays.json',
} as const;

interface AreaCodeFile {
  readonly meta: { readonly generated_from: readonly object[] };
  readonly area_codes: AreaCodes;
}
interface ClassFile {
  readonly meta: { readonly source: object };
  readonly npa: Readonly<Record<string, NanpClass>>;
}

try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      npa: { type: 'string', default: published },
      rules: { type: 'string', default: files.rules },
      holidays: { type: 'string', default: files.holidays },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const before = {
    areaCodes: await readTable<AreaCodeFile>(files.areaCodes),
    classes: await readTable<ClassFile>(files.classes),
    rules: await readTable<object>(files.rules),
    holidays: await readTable<object>(files.holidays),
  };
  const after = {
    ...before,
    ...(values.npa !== 'none' && (await rebuild(before, values.npa))),
    rules: await readTable<object>(values.rules),
    holidays: await readTable<object>(values.holidays),
  };
  const changes = compareTables(before, after);
  for (const change of changes) print(change);
  const problems = checkTables({
    areaCodes: after.areaCodes.area_codes,
    classes: after.classes.npa,
    rules: after.rules,
    holidays: after.holidays,
  });
  for (const problem of problems) process.stderr.write(`refused: ${problem}\n`);
  if (problems.length > 0) return 1;
  print(changes.length === 0 ? 'Nothing changed.' : `${changes.length} changes.`);
  if (!values.write) return 0;
  for (const name of Object.keys(files) as (keyof typeof files)[])
    await writeFile(files[name], `${JSON.stringify(after[name], null, 1)}\n`);
  print('Written. Run the tests: they hold cases of these tables.');
  return 0;
}

async function rebuild(before: { areaCodes: AreaCodeFile; classes: ClassFile }, source: string) {
  const report = readNpaReport(await readSource(source));
  const area_codes = buildAreaCodes(report, before.areaCodes.area_codes);
  const name = `NANPA npa_report.csv, File Date ${report.fileDate}`;
  const [first, ...others] = before.areaCodes.meta.generated_from;
  const codes = Object.values(area_codes);
  const counts = {
    codes: codes.length,
    in_service_at_file_date: codes.filter((code) => code.in_service).length,
    split: codes.filter((code) => code.split).length,
  };
  const generatedFrom = [{ ...first, name }, ...others];
  return {
    areaCodes: {
      ...before.areaCodes,
      meta: { ...before.areaCodes.meta, generated_from: generatedFrom, counts },
      area_codes,
    },
    classes: {
      ...before.classes,
      meta: { ...before.classes.meta, source: { ...before.classes.meta.source, name } },
      npa: buildClasses(report),
    },
  };
}

async function readSource(source: string): Promise<string> {
  if (!source.startsWith('https://')) return readFile(source, 'utf8');
  const response = await fetch(source).catch((cause: unknown) => {
    throw new Error(`${source} cannot be read; give a file with --npa.`, { cause });
  });
  if (!response.ok) throw new Error(`${source} answered ${response.status}.`);
  return response.text();
}

async function readTable<Table>(file: string): Promise<Table> {
  return JSON.parse(await readFile(file, 'utf8')) as Table;
}

function print(line: string) {
  process.stdout.write(`${line}\n`);
}
