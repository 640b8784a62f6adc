// What differs between two versions of a table, one line per value. Pure.

export function compareTables(before: unknown, after: unknown, path = ''): string[] {
  if (isBranch(before) && isBranch(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) =>
      compareTables(before[key], after[key], path ? `${path}.${key}` : key),
    );
  }
  const [from, to] = [JSON.stringify(before), JSON.stringify(after)];
  if (from === to) return [];
  if (from === undefined) return [`+ ${path}: ${to}`];
  if (to === undefined) return [`- ${path}: ${from}`];
  return [`~ ${path}: ${from} -> ${to}`];
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
