// Paths that Markdown names and nobody has.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathsMadeLater } from './house-rules.ts';
import { findFiles, root } from './source-file.ts';

/** In back-ticks: a folder with its slash, or a file with one of these ends. Links count as well. */
const folderOrFile =
  /^[\w.@-]+(\/[\w.@-]+)*(\/|\.(tsx?|mjs|json|sql|md|ya?ml|sh|csv|tsv|wasm|toml))$/;
const inBackTicks = /`([^`\s]+)`/g;
const inLink = /\]\(([^)\s#]+)(#[^)]*)?\)/g;

export function findDeadPaths(): string[] {
  return findFiles(/\.md$/).flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8').replaceAll(/```.*?```/gs, '');
    const paths = [...matches(text, inBackTicks), ...matches(text, inLink)]
      .map((path) => path.replace(/:\d+$/, '').replace(/^\.\//, ''))
      .filter((path) => folderOrFile.test(path) && path.includes('/'))
      .filter((path) => !pathsMadeLater.some((later) => path.startsWith(later)));
    return [...new Set(paths)]
      .filter((path) => !existsSync(join(root, path)))
      .filter((path) => !existsSync(join(root, dirname(document), path)))
      .map((path) => `${document} names ${path}`);
  });
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}
