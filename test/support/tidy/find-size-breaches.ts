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
  const size = (what: Size['what'], value: number, line = 1) => ({
    ...{ file: file.path, what, size: value, line },
  });
  yield size('fileMaxLines', file.lines.length);
  yield size('importsMax', new Set(file.imports.map(({ target }) => target)).size);
  for (const { start, lines } of functionsOf(file))
    yield size('functionMaxLines', lines, file.lineAt(start));
  for (const [index, line] of file.lines.entries())
    // An address or a long text in quotes cannot be broken.
    if (!/https?:\/\/|['"`].{60,}/.test(line)) yield size('lineMaxColumns', line.length, index + 1);
}

function functionsOf(file: SourceFile) {
  const found: { start: number; lines: number }[] = [];
  const add = ({ start, end }: { start: number; end: number }) => {
    // A describe block is a chapter, not a function.
    const lines = file.text.slice(start, end).split('\n').length;
    found.push({ start, lines });
  };
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
