// Rules that a reader may rely on everywhere; their tables stand in support/tidy/house-rules.ts.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { findDeadPaths } from './support/tidy/find-dead-paths.ts';
import { findHomelessCode, findSpareHomes } from './support/tidy/find-homeless-code.ts';
import {
  findImportBreaches,
  findImportRings,
  findSpareImportExceptions,
} from './support/tidy/find-import-breaches.ts';
import { findSizeBreaches, findSpareSizeExceptions } from './support/tidy/find-size-breaches.ts';
import { emptyNames, fileNamePattern, nameExceptions } from './support/tidy/house-rules.ts';
import { readSourceFiles, root } from './support/tidy/source-file.ts';

const files = readSourceFiles();
const paths = files.map(({ path }) => path);

test('imports follow the arrows of the house', () => {
  expect(findImportBreaches(files)).toEqual([]);
});

test('no imports run in a ring, types included', () => {
  expect(findImportRings(files)).toEqual([]);
});

test('every relative import names a file that exists', () => {
  const missing = files.flatMap(({ path, imports }) =>
    imports
      .filter(({ ours, target }) => ours && !existsSync(join(root, target)))
      .map(({ target }) => `${path} imports ${target}`),
  );
  expect(missing).toEqual([]);
});

test('files, functions, lines and import lists stay within their size', () => {
  expect(findSizeBreaches(files)).toEqual([]);
});

test('what belongs in one place stands there only', () => {
  expect(findHomelessCode(files)).toEqual([]);
});

test('every exception is still needed', () => {
  expect(findSpareSizeExceptions(files)).toEqual([]);
  expect(findSpareHomes(files)).toEqual([]);
  expect(findSpareImportExceptions(files)).toEqual([]);
  expect(nameExceptions.filter((path) => !paths.includes(path))).toEqual([]);
});

test('file names are kebab-case and say what the file does', () => {
  const bad = paths.filter((path) => {
    const name = basename(path);
    const words = name.replace(/\..*$/, '').split('-');
    if (nameExceptions.includes(path)) return false;
    return !fileNamePattern.test(name) || words.some((word) => emptyNames.includes(word));
  });
  expect(bad).toEqual([]);
});

test('every path that a document names exists', () => {
  expect(findDeadPaths()).toEqual([]);
});
