// Yes, no, or neither, from what a person answered.
import { normaliseUtterance } from '../../../domain/calls/phrases/normalise-utterance.ts';
import { phrase } from '../../../domain/calls/phrases/phrase-rule.ts';

export function readYesNo(spoken: string): boolean | null {
  const text = normaliseUtterance(spoken).replace(/\bno (?:problem|worries|doubt)\b/g, 'yes');
  if (undecided.test(text)) return null;
  const yesAt = text.search(yes);
  const noAt = text.search(no);
  if (yesAt === -1 && noAt === -1) return null;
  return noAt === -1 || (yesAt !== -1 && yesAt < noAt);
}

const undecided =
  /\b(?:not (?:sure|certain)|do not know|no idea|maybe|perhaps|it depends|hard to say)\b/;

const yes = phrase(
  String.raw`(?<!not )\b(?:yes|yeah|yep|yup|yah|si|sure|correct|right|absolutely|definitely`,
  String.raw`|certainly|of course|indeed|affirmative|uh huh|mm hmm|mhm|okay|fine|exactly|totally`,
  String.raw`|please do|(?:i|we) (?:am|are|do|have|did|would|can)|it is|that is me|speaking`,
  String.raw`|works for me|sounds good)\b(?! not\b)`,
);

const no = /\b(?:no|nope|nah|not|never|negative|neither|none|unfortunately)\b/;
