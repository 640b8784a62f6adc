// When are two payloads the same? The order of keys and the encoding on the wire do not matter. Pure.
import { createHash } from 'node:crypto';

/** The payload must not be nested so deep that walking it exhausts the stack; the edge refuses such ones. */
export function payloadHash(payload: object, { test }: { test: boolean }): Buffer {
  const flag = test ? 'test' : 'lead';
  return createHash('sha256')
    .update(`${flag}\n${canonicalJson(payload)}`)
    .digest();
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const fields = entries.map(([key, child]) => `${JSON.stringify(key)}:${canonicalJson(child)}`);
  return `{${fields.join(',')}}`;
}
