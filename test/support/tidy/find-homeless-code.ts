// Things that may stand only in their home: the environment, clocks, chance, SQL, and so on.
import { Visitor } from 'rolldown/utils';
import type { ESTree } from 'rolldown/utils';
import { generated, homes } from './house-rules.ts';
import type { SourceFile } from './source-file.ts';

interface Finding {
  readonly what: string;
  readonly offset: number;
}

export function findHomelessCode(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !generated.some((folder) => path.startsWith(folder)))
    .flatMap((file) =>
      findingsIn(file)
        .filter(({ what }) => !isAtHome(file.path, what))
        .map(({ what, offset }) => `${file.path}:${file.lineAt(offset)} ${what}`),
    );
}

/** Homes that no longer hold what they are listed for. */
export function findSpareHomes(files: readonly SourceFile[]): string[] {
  return Object.entries(homes).flatMap(([what, { homes: listed }]) =>
    listed
      .filter((home) => home.endsWith('.ts') && !home.startsWith('-'))
      .filter((home) => {
        const file = files.find(({ path }) => path === home);
        return !file || !findingsIn(file).some((finding) => finding.what === what);
      })
      .map((home) => `${home} is listed for ${what}, which it does not hold`),
  );
}

function isAtHome(path: string, what: string): boolean {
  const rule = homes[what];
  if (!rule) return true;
  if (!rule.everywhere && /^(test|bench)\//.test(path)) return true;
  return rule.homes.some((home) =>
    home.startsWith('-') ? path.endsWith(home) : path.startsWith(home),
  );
}

function findingsIn(file: SourceFile): Finding[] {
  const found: Finding[] = [];
  const add = (what: string, node: { start: number }) => found.push({ what, offset: node.start });
  new Visitor({
    MemberExpression(node) {
      const name = `${nameOf(node.object)}.${nameOf(node.property)}`;
      if (name in homes) add(name, node);
      if (nameOf(node.object) === 'console') add('console', node);
    },
    CallExpression(node) {
      const called = nameOf(node.callee);
      if (called === 'setTimeout' || called === 'setInterval') add(called, node);
      if (node.callee.type === 'MemberExpression' && nameOf(node.callee.property) === 'begin')
        if (/^(sql|db)$/.test(lastName(node.callee.object))) add('.begin()', node);
    },
    NewExpression(node) {
      if (nameOf(node.callee) === 'Date' && node.arguments.length === 0) add('new Date()', node);
    },
    TaggedTemplateExpression(node) {
      if (/^(db|sql|tx|transaction)$/.test(lastName(node.tag))) add('SQL text', node);
    },
    ExportDefaultDeclaration: (node) => void add('default export', node),
    TSAnyKeyword: (node) => void add('any', node),
  }).visit(file.program);
  for (const comment of file.comments)
    if (/\b(TODO|FIXME|XXX|HACK)\b/.test(comment.value)) add('TODO', comment);
  return found;
}

function nameOf(node: ESTree.Node): string {
  return node.type === 'Identifier' ? node.name : '';
}

function lastName(node: ESTree.Node): string {
  return node.type === 'MemberExpression' ? nameOf(node.property) : nameOf(node);
}
