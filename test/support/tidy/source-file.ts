// Every TypeScript and Markdown file of the repository, read and parsed once.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';
import type { ESTree } from 'rolldown/utils';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

const skipped = new Set(['node_modules', 'dist', 'coverage', 'design', 'research', 'shared']);

export interface Import {
  /** Relative to the root when it is ours, else the package's name. */
  readonly target: string;
  readonly ours: boolean;
  readonly typesOnly: boolean;
}

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly program: ESTree.Program;
  readonly comments: readonly { readonly value: string; readonly start: number }[];
  readonly imports: readonly Import[];
  lineAt(offset: number): number;
}

export function readSourceFiles(): SourceFile[] {
  return findFiles(/\.tsx?$/).map(readSourceFile);
}

export function findFiles(pattern: RegExp, folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const isHidden = entry.name.startsWith('.');
      return isHidden || skipped.has(entry.name) ? [] : findFiles(pattern, path);
    }
    return pattern.test(entry.name) ? [relative(root, path)] : [];
  });
}

function readSourceFile(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const { program, comments, module, errors } = parseSync(path, text);
  const [error] = errors;
  if (error) throw new Error(`${path}: ${error.message}`);
  const imports = [
    ...module.staticImports.map((found) =>
      importOf(path, found.moduleRequest.value, isTypeOnly(text.slice(found.start, found.end))),
    ),
    ...module.staticExports.flatMap((found) =>
      found.entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? [importOf(path, moduleRequest.value, isType)] : [],
      ),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const literal = /^['"](.+)['"]$/.exec(text.slice(start, end))?.[1];
      return literal ? [importOf(path, literal, false)] : [];
    }),
  ];
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  return { path, text, lines: text.trimEnd().split('\n'), program, comments, imports, lineAt };
}

function importOf(path: string, specifier: string, typesOnly: boolean): Import {
  if (!specifier.startsWith('.')) {
    const parts = specifier.split('/');
    const target = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
    return { target, ours: false, typesOnly };
  }
  const target = relative(root, resolve(root, dirname(path), specifier));
  return { target, ours: true, typesOnly };
}

/** True for `import type …` and for braces in which every name is marked so. */
function isTypeOnly(statement: string): boolean {
  if (/^import\s+type\s/.test(statement)) return true;
  const names = /^import\s*\{([^}]*)\}/.exec(statement)?.[1];
  return names?.split(',').every((name) => /^\s*(type\s|$)/.test(name)) ?? false;
}
