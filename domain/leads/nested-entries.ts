// Keys as forms flatten them, `a[b][c]`, `a.b` and `a__b`, become objects in objects again. Pure.

/** Maps, because a sender's key may be `__proto__`. */
export type Entries = ReadonlyMap<string, unknown>;

/** The entries of an object or an array, by key or index; repeated steps share one map. */
export function nestedEntries(object: object): Entries {
  if (object instanceof Map) return object;
  const root = new Map<string, unknown>();
  for (const [key, value] of Object.entries(object)) {
    const steps = splitKey(key);
    const last = steps.pop() ?? key;
    const parent = steps.reduce(enter, root);
    const known = parent.get(last);
    if (known instanceof Map) known.set('value', value);
    else parent.set(last, value);
  }
  return root;
}

function enter(parent: Map<string, unknown>, step: string): Map<string, unknown> {
  const known = parent.get(step);
  if (known instanceof Map) return known;
  const child = new Map<string, unknown>(isObject(known) ? Object.entries(known) : []);
  if (known !== undefined && !isObject(known)) child.set('value', known);
  parent.set(step, child);
  return child;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Words of a question may hold a full stop, so only plain keys are split at one. */
function splitKey(key: string): string[] {
  const [, base, brackets] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(key) ?? [];
  if (base && brackets)
    return [
      ...splitKey(base),
      ...Array.from(brackets.matchAll(/\[([^\]]*)\]/g), ([, step = '']) => step),
    ];
  if (/^[\w-]+(?:\.[\w-]+)+$/.test(key)) return key.split('.');
  return key.split(/(?<=[^_])__(?=[^_])/);
}
