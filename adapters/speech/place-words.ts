// Where in a piece of speech each word stands, estimated from pauses and letters. Pure.
import type { SpokenWord } from '../../domain/calls/speech.ts';

/** A stretch without a pause. */
export interface VoicedSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** Punctuation makes pauses: when both agree in number, each phrase gets its own stretch. */
export function placeWords(text: string, spans: readonly VoicedSpan[]): SpokenWord[] {
  const tokens = text.split(/\s+/).filter(Boolean);
  const phrases = splitPhrases(tokens);
  if (phrases.length !== spans.length) return spreadWords(tokens, spans);
  return phrases.flatMap((phrase, index) => spreadWords(phrase, spans.slice(index, index + 1)));
}

function splitPhrases(tokens: readonly string[]): string[][] {
  const phrases: string[][] = [];
  let phrase: string[] = [];
  for (const token of tokens) {
    phrase.push(token);
    if (!/[,;:.!?]["')]*$/.test(token)) continue;
    phrases.push(phrase);
    phrase = [];
  }
  return phrase.length > 0 ? [...phrases, phrase] : phrases;
}

/** Each word takes its share of the voiced time; words never reach across a pause into nothing. */
function spreadWords(tokens: readonly string[], spans: readonly VoicedSpan[]): SpokenWord[] {
  const voicedMs = spans.reduce((total, span) => total + span.endMs - span.startMs, 0);
  const total = tokens.reduce((sum, token) => sum + spokenLength(token), 0);
  let before = 0;
  return tokens.map((text) => {
    const startMs = timeAt(spans, (before / total) * voicedMs, 'start');
    before += spokenLength(text);
    return { text, startMs, endMs: timeAt(spans, (before / total) * voicedMs, 'end') };
  });
}

/** A digit is spoken as a word of its own, so it counts for several letters. */
function spokenLength(token: string): number {
  const digits = token.match(/\d/g)?.length ?? 0;
  const letters = token.match(/\p{L}/gu)?.length ?? 0;
  return Math.max(1, letters + digits * 4);
}

/** On the edge between two spans a start belongs to the later one, an end to the earlier. */
function timeAt(spans: readonly VoicedSpan[], voicedMs: number, edge: 'start' | 'end'): number {
  let leftMs = voicedMs;
  for (const span of spans) {
    const lengthMs = span.endMs - span.startMs;
    if (leftMs < lengthMs || (edge === 'end' && leftMs === lengthMs)) return span.startMs + leftMs;
    leftMs -= lengthMs;
  }
  return spans.at(-1)?.endMs ?? 0;
}
