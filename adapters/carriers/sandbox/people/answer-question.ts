// What a willing person answers to a question they never heard before. Pure.
import type { Reply } from './person.ts';

const dayName = String.raw`\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow)\b`;

/** Whether somebody proposes appointment times. */
export const offersTimes = new RegExp(String.raw`${dayName}.*\bat\b.*\d`, 'i');

/** Empty when the other spoke without words that could be understood. */
export function answerTo(turn: string): Reply {
  if (turn === '') return listening('Yes, sure.');
  if (/\b(?:good ?bye|bye|have a (?:good|great|nice|lovely))\b/i.test(turn))
    return { says: 'Thank you, goodbye.', afterwards: 'hangs_up' };
  const question = lastQuestion(turn);
  if (question === null) return answerStatement(turn);
  if (/\banything else\b/i.test(question)) return listening('No, that is all. Thank you.');
  if (offersTimes.test(turn) && /\b(?:which|works?|suits?|prefer|better|time)\b/i.test(question))
    return listening(acceptFirstTime(turn));
  return listening(answerQuestion(question));
}

function listening(says: string): Reply {
  return { says, afterwards: 'listens' };
}

function lastQuestion(turn: string): string | null {
  const sentences = turn.match(/[^.!?]+(?:\.(?=\S)[^.!?]*)*[.!?]*/g) ?? [];
  return sentences.findLast((sentence) => sentence.includes('?'))?.trim() ?? null;
}

function answerStatement(turn: string): Reply {
  if (/\b(?:booked|confirmed|scheduled|all set)\b/i.test(turn))
    return listening('Perfect, thank you. Goodbye.');
  return listening('Okay.');
}

function acceptFirstTime(turn: string): string {
  const [time] = firstTime.exec(turn) ?? [];
  return time === undefined ? 'The first one works for me.' : `${capitalised(time)} works for me.`;
}

/** From the day's name to the hour: "Tuesday at 10 AM", "Tuesday, May 4 at 2:30 p.m." */
const firstTime = new RegExp(
  String.raw`${dayName}[^?!]{0,40}?\bat \d{1,2}(?::\d\d)?(?: ?[ap]\.?m\b)?`,
  'i',
);

/** Most telling words first: "do you know how old it is?" wants a number, not a yes. */
const answers: readonly (readonly [RegExp, (question: string) => string])[] = [
  [/\bhow (?:much|expensive)\b|\bbudget\b|\bprice\b/i, () => 'About 5000 dollars.'],
  [
    /\bhow (?:many|old|long|big|large|far|often)\b|\bwhat number\b|\bin years\b/i,
    () => 'About 12.',
  ],
  [/:[^?]*\bor\b/i, (question) => firstOption(question.slice(question.indexOf(':') + 1))],
  [/\bzip\b|\bpostal code\b/i, () => 'It is 10001.'],
  [/\baddress\b|\bwhere\b/i, () => 'It is 12 Oak Street, Springfield.'],
  [/\be-?mail\b/i, () => 'It is home at example dot com.'],
  [/\bwhat time\b|\bwhen\b|\bhow soon\b/i, () => 'As soon as possible, this month.'],
  [/\bwho\b|\bwhose\b/i, () => 'That would be me.'],
  [/\bor\b/i, (question) => firstOption(question)],
  [/\bwhy\b/i, () => 'Because it is time to get it done.'],
  [/^(?:\S+ ){0,2}(?:what|which)\b/i, () => 'Just the usual, nothing special.'],
];

function answerQuestion(question: string): string {
  const found = answers.find(([asks]) => asks.test(question));
  return found ? found[1](question) : sayYes(question);
}

/** The words before the first comma or "or"; of a question without a list, only the last one. */
function firstOption(list: string): string {
  const [option = ''] = list.split(/,|\bor\b|\?/i);
  const words = option.trim().split(/\s+/);
  const isListAlone = list.startsWith(' ');
  return `${capitalised((isListAlone ? words : words.slice(-1)).join(' '))}.`;
}

function sayYes(question: string): string {
  const [, verb = ''] = /\b(are|do|have|did|is this)\b(?= you\b| \S+\??$)/i.exec(question) ?? [];
  switch (verb.toLowerCase()) {
    case 'are':
      return 'Yes, I am.';
    case 'do':
      return 'Yes, I do.';
    case 'have':
      return 'Yes, I have.';
    case 'did':
      return 'Yes, I did.';
    case 'is this':
      return 'Yes, speaking.';
    default:
      return 'Yes.';
  }
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
