// The Range header over a file of known size (RFC 9110, section 14). Pure.
import type { ByteRange } from '../../domain/calls/recording-store.ts';

export type AskedPart =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: Required<ByteRange> }
  | { readonly kind: 'unsatisfiable' };

const whole = { kind: 'whole' } as const;

/** What cannot be read, and more than one range, are answered with the whole file. */
export function readRange(header: string | undefined, sizeBytes: number): AskedPart {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (first === '' && last === '') return whole;
  const end = sizeBytes - 1;
  if (first === '') {
    const suffix = Math.min(Number(last), sizeBytes);
    return suffix > 0 ? part(sizeBytes - suffix, end) : { kind: 'unsatisfiable' };
  }
  const from = Number(first);
  const to = last === '' ? end : Number(last);
  if (last !== '' && to < from) return whole;
  return from > end ? { kind: 'unsatisfiable' } : part(from, Math.min(to, end));
}

function part(from: number, to: number): AskedPart {
  return { kind: 'part', range: { from, to } };
}
