// A rule over normalised text, and how far it may be trusted while a sentence is still being spoken.

export interface PhraseRule {
  readonly pattern: RegExp;
  /** The next word may still turn its meaning ("don't call me" + "before noon"), so it must not be last. */
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
