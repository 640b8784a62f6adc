// Which of the offered choices a person named.
import { normaliseUtterance } from '../../../domain/calls/phrases/normalise-utterance.ts';

/** Whole choice first, then its place in the list, then words that only one choice has. */
export function readChoice(spoken: string, choices: readonly string[]): string | null {
  const text = normaliseUtterance(spoken);
  const named = choices
    .map((choice) => ({ choice, at: text.search(wholeWords(normaliseUtterance(choice))) }))
    .filter(({ at }) => at !== -1)
    .toSorted((one, other) => one.at - other.at)[0];
  return named?.choice ?? byPlace(text, choices) ?? byDistinctWord(text, choices);
}

const places: readonly (readonly [RegExp, number])[] = [
  [/\b(?:first|former)(?: one| option)?\b/, 0],
  [/\bsecond(?: one| option)?\b/, 1],
  [/\bthird(?: one| option)?\b/, 2],
  [/\b(?:last|latter)(?: one| option)?\b/, -1],
];

function byPlace(text: string, choices: readonly string[]): string | null {
  const place = places.find(([pattern]) => pattern.test(text));
  return place ? (choices.at(place[1]) ?? null) : null;
}

function byDistinctWord(text: string, choices: readonly string[]): string | null {
  const spoken = new Set(text.split(' '));
  const matching = choices.filter((choice) =>
    normaliseUtterance(choice)
      .split(' ')
      .some((word) => word.length > 2 && spoken.has(word) && isDistinct(word, choices)),
  );
  return matching.length === 1 ? (matching[0] ?? null) : null;
}

function isDistinct(word: string, choices: readonly string[]): boolean {
  const having = choices.filter((choice) => normaliseUtterance(choice).split(' ').includes(word));
  return having.length === 1;
}

function wholeWords(text: string): RegExp {
  return new RegExp(`(?<!\\S)${text}(?!\\S)`);
}
