// Files, functions, lines and import lists that are too long.
import { Visitor } from 'rolldown/utils';
import { generated, sizeExceptions, sizeLimits } from './house-rules.ts';
import type { SourceFile } from './source-file.ts';

interface Size {
  readonly file: string;
  readonly what: keyof typeof sizeLimits;
  readonly size: number;
  readonly line: number;
}

export function findSizeBreaches(files: readonly SourceFile[]): string[] {
  return tooLarge(files)
    .filter(({ file, what, size }) => size > (exceptionFor(file, what)?.max ?? 0))
    .map(
      ({ file, what, size, line }) =>
        `${file}:${line} ${what} is ${exceptionFor(file, what)?.max ?? sizeLimits[what]}, not ${size}`,
    );
}

export function findSpareSizeExceptions(files: readonly SourceFile[]): string[] {
  const found = tooLarge(files);
  return sizeExceptions
    .filter(({ file, what }) => !found.some((size) => size.file === file && size.what === what))
    .map(({ file, what }) => `${file} keeps ${what} by now: remove its exception`);
}

function tooLarge(files: readonly SourceFile[]): Size[] {
  return files
    .filter(({ path }) => !generated.some((folder) => path.startsWith(folder)))
    .flatMap((file) => [...sizesOf(file)])
    .filter(({ what, size }) => size > sizeLimits[what]);
}

function* sizesOf(file: SourceFile): Generator<Size> {
  const { path, lines } = file;
  const imported = new Set(file.imports.map(({ target }) => target));
  yield { file: path, what: 'fileMaxLines', size: lines.length, line: 1 };
  yield { file: path, what: 'importsMax', size: imported.size, line: 1 };
  for (const { start, length } of functionsOf(file))
    yield { file: path, what: 'functionMaxLines', size: length, line: file.lineAt(start) };
  for (const [index, text] of lines.entries()) {
    const what = columnRule(path, text);
    if (!isUnbreakable(text)) yield { file: path, what, size: text.length, line: index + 1 };
  }
}

function columnRule(path: string, text: string) {
  if (/^\s*(\/\/|\/?\*)/.test(text)) return 'commentMaxColumns';
  return path.endsWith('queries.ts') ? 'queryLineMaxColumns' : 'lineMaxColumns';
}

/** An address, a long text or a long pattern stays on one line. */
function isUnbreakable(line: string): boolean {
  return /https?:\/\/|['"`/].{60,}['"`/]/.test(line) || line.startsWith('import ');
}

function functionsOf(file: SourceFile) {
  const found: { start: number; length: number }[] = [];
  const add = ({ start, end }: { start: number; end: number }) => {
    found.push({ start, length: file.text.slice(start, end).split('\n').length });
  };
  // In tests an arrow may be a whole chapter (a describe block).
  const isTest = file.path.startsWith('test/');
  new Visitor({
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: isTest ? () => undefined : add,
  }).visit(file.program);
  return found;
}

function exceptionFor(file: string, what: Size['what']) {
  return sizeExceptions.find((exception) => exception.file === file && exception.what === what);
}
