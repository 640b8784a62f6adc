// Reading a phone number as it was typed. Pure; says nothing about whether it may be called.

const lengthMax = 64;
const separators = /[\s().\-\u2010-\u2015\u2212]/g;
const invisible = /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;

/** E.164 with its `+`; spaces, dots, dashes and parentheses may stand inside. Null when it is not one. */
export function readE164(text: string): string | null {
  if (text.length > lengthMax) return null;
  const compact = text.normalize('NFKC').replace(invisible, '').replace(separators, '');
  return /^\+[1-9]\d{7,14}$/.test(compact) ? compact : null;
}

/** The parts of a +1 number, or null when its grammar is broken: NXX-NXX-XXXX, no N11 exchange. */
export function readNanpNumber(e164: string): { areaCode: string; exchange: string } | null {
  const match = /^\+1([2-9]\d{2})([2-9]\d{2})\d{4}$/.exec(e164);
  if (!match?.[1] || !match[2] || match[2].endsWith('11')) return null;
  return { areaCode: match[1], exchange: match[2] };
}
