// Brings what a recogniser wrote to one form, so that a rule needs one spelling of each wish.

/** Lower case, contractions spelled out, no accents, no punctuation, single spaces. */
export function normaliseUtterance(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[’‘`´]/g, "'");
  return expandContractions(plain)
    .replace(/[^\p{Letter}\p{Number}]+/gu, ' ')
    .trim();
}

const contractions: readonly (readonly [RegExp, string])[] = [
  [/\b(?:wo|will)n'?t\b/g, 'will not'],
  [/\bca(?:n'?t|nnot)\b/g, 'can not'],
  [/\b(do|does|did|is|are|was|were|has|have|had|would|could|should|must)n'?t\b/g, '$1 not'],
  [/\bain'?t\b/g, 'is not'],
  [/\b(i)'?m\b/g, '$1 am'],
  [/\b(you|we|they)'re\b/g, '$1 are'],
  [/\b(i|you|we|they)'?ve\b/g, '$1 have'],
  [/\b(i|you|we|they|he|she|it)'ll\b/g, '$1 will'],
  [/\b(i|you|we|they|he|she)'d\b/g, '$1 would'],
  [/\b(he|she|it|that|this|there|who|what|where|when|how)'s\b/g, '$1 is'],
  [/\bgonna\b/g, 'going to'],
  [/\bwanna\b/g, 'want to'],
  [/\bgotta\b/g, 'got to'],
  [/\bgimme\b/g, 'give me'],
  [/\blemme\b/g, 'let me'],
  [/\by'?all\b/g, 'you all'],
  [/\bo\.?k\.?\b/g, 'okay'],
];

function expandContractions(text: string): string {
  let expanded = text;
  for (const [pattern, words] of contractions) expanded = expanded.replace(pattern, words);
  return expanded;
}
