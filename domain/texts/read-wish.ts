// What a person's text asks for: to be left alone, to be texted again, for help, or nothing of these. Pure.
import { classifyUtterance } from '../calls/phrases/classify-utterance.ts';

export type TextWish =
  /** `text_reply` is the agreed word; the others are said in the person's own words, as on a call. */
  | { readonly kind: 'opt_out'; readonly source: 'text_reply' | 'said' | 'wrong_number' }
  | { readonly kind: 'opt_in' | 'help' | 'none' };

const stopWords = new Set(
  oneOf(
    'stop,stopall,stop all,stop stop,stop stop stop,unsubscribe,cancel,end,quit,revoke,remove',
    'optout,opt out,arret,alto',
  ),
);
const startWords = new Set(['start', 'unstop', 'yes', 'optin', 'opt in']);
const helpWords = new Set(['help', 'info']);

/** In doubt it is an opt-out: a lost lead costs less than a violation. */
export function readWish(body: string): TextWish {
  const words = plainWords(body);
  const bare = withoutCourtesy(words);
  if (stopWords.has(words) || stopWords.has(bare) || beginsWithStop(body))
    return { kind: 'opt_out', source: 'text_reply' };
  const label = classifyUtterance(body);
  if (label === 'stop_calling') return { kind: 'opt_out', source: 'said' };
  if (label === 'wrong_number') return { kind: 'opt_out', source: 'wrong_number' };
  // Only the bare word: "yes, Tuesday works" answers a question.
  if (startWords.has(words)) return { kind: 'opt_in' };
  if (helpWords.has(bare)) return { kind: 'help' };
  return { kind: 'none' };
}

/** Lower case without accents, punctuation, quotes, emoji or invisible characters; single spaces. */
function plainWords(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{Mark}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, ' ')
    .trim();
}

const courtesy = new Set(
  oneOf(
    'please,pls,plz,now,thanks,thank,you,thx,ty,it,this,just,immediately,asap,already,ok,okay',
    'hi,hello,hey,sir,maam,reply',
  ),
);

function withoutCourtesy(words: string): string {
  return words
    .split(' ')
    .filter((word) => !courtesy.has(word))
    .join(' ');
}

const stopSentence =
  /^[^\p{Letter}\p{Number}]*(?:stop|stopall|unsubscribe|opt-?out)\s*(?:[.!;:,\n]|$)/iu;

/** The word as a sentence of its own, or shouted before words that are not: "STOP. We bought one." */
function beginsWithStop(body: string): boolean {
  const text = body.normalize('NFKC').replace(/\p{Cf}/gu, '');
  if (stopSentence.test(text)) return true;
  const [, first = '', rest = ''] = /^[^\p{Letter}\p{Number}]*([A-Z]+)\b(.*)$/su.exec(text) ?? [];
  const shouts = first === 'STOP' || first === 'STOPALL' || first === 'UNSUBSCRIBE';
  return shouts && rest !== rest.toUpperCase();
}

function oneOf(...lines: readonly string[]): string[] {
  return lines.join(',').split(',');
}
