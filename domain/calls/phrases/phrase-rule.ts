// A rule over normalised text, and whether it may be trusted before the sentence has ended.

export interface PhraseRule {
  readonly pattern: RegExp;
  /** The next word may turn its meaning ("don't call me" + "before noon"): it must not be last. */
  readonly open?: true;
  /** Turns the match into nothing ("don't" before "stop calling"). */
  readonly unless?: RegExp;
}

/** `interim` is text that may go on; `final` has been said to its end. */
export type Certainty = 'interim' | 'final';

export function matchesAny(
  rules: readonly PhraseRule[],
  text: string,
  certainty: Certainty,
): boolean {
  return rules.some((rule) => matches(rule, text, certainty));
}

function matches(rule: PhraseRule, text: string, certainty: Certainty): boolean {
  const match = rule.pattern.exec(text);
  if (!match) return false;
  if (rule.unless?.test(text)) return false;
  const mayTurn = rule.open === true && certainty === 'interim';
  return !mayTurn || match.index + match[0].length < text.length;
}

/** A pattern too long for one line, written in pieces. */
export function phrase(...pieces: readonly string[]): RegExp {
  return new RegExp(pieces.join(''));
}

/** One of many words, given as lines of words. */
export function oneOf(...lines: readonly string[]): string {
  return `(?:${lines.join(' ').split(' ').join('|')})`;
}
