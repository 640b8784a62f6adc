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

/**
 * E.164 of what people and their tools put into a form: a US number unless it says otherwise, with an extension, a
 * `tel:`, a dialling prefix or a spreadsheet's apostrophe around it. Null when no one number can be read.
 */
export function readTypedPhone(typed: string | number): string | null {
  if (typeof typed === 'number' && !(Number.isSafeInteger(typed) && typed > 0)) return null;
  const text = String(typed);
  if (text.length > lengthMax) return null;
  const bare = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) & 0x0f))
    .trim()
    .replace(/^['"`\u2018\u2019]+|['"`\u2018\u2019]+$/g, '')
    .replace(/^(?:tel|phone|mobile|cell|p)\s*:\s*/i, '')
    .replace(extension, '');
  const compact = bare.replace(/[\s().\p{Pd}\u2212\u00B7\u2022/]/gu, '');
  const e164 = toE164(/^\d{10,11}\.0$/.test(bare) ? compact.slice(0, -1) : compact);
  if (!e164 || (e164.startsWith('+1') && !readNanpNumber(e164))) return null;
  return e164;
}

/** Behind the number: `x45`, `ext. 45`, `#45`, `,,45` and the parameters of a `tel:` address. */
const extension = /(?:;\s*[a-z-]+=.*|\s*(?:extension|ext\.?|x|#|,+)\s*[:.]?\s*\d{1,6})$/i;

/** Ten digits are a US number; 00, 001 and 011 are dialled in place of a `+`. */
function toE164(compact: string): string | null {
  const digits = compact.replace(/^(?:011|00)(?=[1-9])/, '+');
  if (/^\+[1-9]\d{7,14}$/.test(digits)) return digits;
  if (/^1\d{10}$/.test(digits)) return `+${digits}`;
  return /^\d{10}$/.test(digits) ? `+1${digits}` : null;
}

/** The parts of a +1 number, or null when its grammar is broken: NXX-NXX-XXXX, no N11 exchange. */
export function readNanpNumber(e164: string): { areaCode: string; exchange: string } | null {
  const match = /^\+1([2-9]\d{2})([2-9]\d{2})\d{4}$/.exec(e164);
  if (!match?.[1] || !match[2] || match[2].endsWith('11')) return null;
  return { areaCode: match[1], exchange: match[2] };
}
