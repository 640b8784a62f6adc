// Imports against the arrows of the house, and rings of imports.
import type { Import, SourceFile } from './source-file.ts';
import { endOfTheLine, importExceptions, importRules, mayImportAnything } from './house-rules.ts';

export function findImportBreaches(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, imports }) => {
    if (startsWithAny(path, mayImportAnything)) return [];
    const forbidden = imports.filter((found) => !isAllowed(path, found));
    return [...new Set(forbidden.map(({ target }) => `${path} imports ${target}`))];
  });
}

export function findSpareImportExceptions(files: readonly SourceFile[]): string[] {
  return importExceptions
    .filter(({ from, to }) => {
      const imports = files.find(({ path }) => path === from)?.imports ?? [];
      return !imports.some(({ target }) => target === to);
    })
    .map(({ from, to }) => `${from} no longer imports ${to}: remove its exception`);
}

/** Type imports count too: a ring of types is a ring of things to know at once. */
export function findImportRings(files: readonly SourceFile[]): string[] {
  const targets = new Map(
    files.map(({ path, imports }) => [
      path,
      imports.filter(({ ours }) => ours).map(({ target }) => target),
    ]),
  );
  const done = new Set<string>();
  const rings: string[] = [];
  const walk = (path: string, trail: readonly string[]) => {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) rings.push([...trail.slice(seenAt), path].join(' → '));
    if (seenAt >= 0 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const path of targets.keys()) walk(path, []);
  return rings;
}

function isAllowed(path: string, { target, ours, typesOnly }: Import): boolean {
  const rule = importRules.find(({ folder }) => path.startsWith(folder));
  if (!rule) return true;
  if (importExceptions.some(({ from, to }) => from === path && to === target)) return true;
  if (!ours) return isNodeOrListed(target, rule.packages);
  if (target.startsWith(rule.folder)) return true;
  if (startsWithAny(target, endOfTheLine)) return false;
  if (typesOnly && startsWithAny(target, rule.typesFrom ?? [])) return true;
  return startsWithAny(target, rule.mayImport);
}

function isNodeOrListed(name: string, packages: readonly string[] | undefined): boolean {
  return name.startsWith('node:') || packages === undefined || packages.includes(name);
}

function startsWithAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(folder));
}
