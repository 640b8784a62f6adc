// Reads the answer to one of the agent's questions from what the person said.
import type { AgentQuestion } from '../../../domain/agents/agent-config.ts';
import { isBackchannel } from '../../../domain/calls/phrases/backchannel.ts';
import { normaliseUtterance } from '../../../domain/calls/phrases/normalise-utterance.ts';
import { phrase } from '../../../domain/calls/phrases/phrase-rule.ts';
import { readChoice } from './read-choice.ts';
import { readNumber } from './read-number.ts';
import { readYesNo } from './read-yes-no.ts';

/** Null when the words do not answer this question. */
export function extractAnswer(
  question: AgentQuestion,
  spoken: string,
): boolean | number | string | null {
  switch (question.type) {
    case 'yes_no':
      return readYesNo(spoken);
    case 'number':
      return readNumber(spoken);
    case 'choice':
      return readChoice(spoken, question.choices ?? []);
    case 'text':
      return readFreeText(spoken);
  }
}

const leadIn = new RegExp(
  phrase(
    String.raw`^(?:(?:well|um|uh|so|okay|sure|yes|yeah)[,\s]+)*`,
    String.raw`(?:(?:it|that|this)(?:'s| is| would be)|my \w+ is)\s+`,
  ),
  'i',
);

function readFreeText(spoken: string): string | null {
  if (isBackchannel(spoken) || isQuestionBack(spoken) || isGreeting(spoken)) return null;
  const text = spoken
    .trim()
    .replace(leadIn, '')
    .replace(/[.,\s]+$/, '');
  return text === '' ? null : text;
}

/** A counter-question or a request to repeat answers nothing. */
export function isQuestionBack(spoken: string): boolean {
  return questionBack.test(normaliseUtterance(spoken));
}

const questionBack = phrase(
  String.raw`^(?:what|sorry|pardon|excuse me|huh|come again|wait what)$`,
  String.raw`|\b(?:repeat (?:that|it|the question|please)|say (?:that|it) again|one more time`,
  String.raw`|what (?:did|do|was) (?:you|the question)|what do you mean`,
  String.raw`|(?:did|could|can) not (?:\w+ )?(?:catch|hear|understand|get) (?:that|you|it))\b`,
);

function isGreeting(spoken: string): boolean {
  return /^(?:hello|hi|hey)(?: (?:there|hello|hi))*$/.test(normaliseUtterance(spoken));
}
