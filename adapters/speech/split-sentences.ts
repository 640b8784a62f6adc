// Cuts a text into pieces that are spoken one by one, so that the first is ready early. Pure.

const limits = { sentenceLettersMax: 240 } as const;

/** Titles and such, whose full stop ends no sentence. */
const abbreviations = new Set([
  'mr',
  'mrs',
  'ms',
  'dr',
  'st',
  'jr',
  'sr',
  'no',
  'vs',
  'ave',
  'apt',
]);

export function splitSentences(text: string): string[] {
  const words = text.split(/\s+/).filter(Boolean);
  const sentences: string[] = [];
  let sentence: string[] = [];
  for (const [index, word] of words.entries()) {
    sentence.push(word);
    if (!endsSentence(word, words[index + 1]) && !isTooLong(sentence, words[index + 1])) continue;
    sentences.push(sentence.join(' '));
    sentence = [];
  }
  if (sentence.length > 0) sentences.push(sentence.join(' '));
  return sentences;
}

function endsSentence(word: string, next: string | undefined): boolean {
  if (!/[.!?…]["'”’)\]]*$/.test(word)) return false;
  if (next === undefined) return true;
  if (/^\p{Ll}/u.test(next)) return false;
  const bare = word.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  const isInitial = /^\p{L}\.$/u.test(word);
  return !word.includes('.') || !(isInitial || abbreviations.has(bare));
}

/** A piece that grew long ends at a comma, and one twice as long ends anywhere. */
function isTooLong(sentence: readonly string[], next: string | undefined): boolean {
  const letters = sentence.reduce((total, word) => total + word.length + 1, next?.length ?? 0);
  const atComma = /[,;:]$/.test(sentence.at(-1) ?? '');
  return letters > limits.sentenceLettersMax * (atComma ? 1 : 2);
}
