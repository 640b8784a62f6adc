// The brain that needs no model: asks the agent's questions in order, books, and says goodbye.
import type { AgentQuestion } from '../../domain/agents/agent-config.ts';
import type { Brain, BrainEvent, BrainTools, BrainTurn } from '../../domain/calls/brain.ts';
import type { ExtractedAnswer } from '../../domain/calls/call-report.ts';
import { normaliseUtterance } from '../../domain/calls/phrases/normalise-utterance.ts';
import { declinesOffer } from '../../domain/calls/phrases/not-interested.ts';
import { qualifyLead } from '../../domain/calls/qualify-lead.ts';
import { offerTimes, settleAppointment } from './script/appointment.ts';
import { digressTo, mayAnswer } from './script/digression.ts';
import { extractAnswer, isQuestionBack } from './script/extract-answer.ts';
import { lines } from './script/lines.ts';
import { ask, hangUpAfter, say } from './script/moves.ts';
import { lastSaid, nextQuestion, openQuestion } from './script/progress.ts';
import { timesAsked, wasCutShort, wasHeard } from './script/progress.ts';

const limits = { timesAsked: 2 } as const;

export function createScriptBrain(): Brain {
  return { name: 'script', reply };
}

async function* reply(
  turn: BrainTurn,
  tools: BrainTools,
  signal: AbortSignal,
): AsyncGenerator<BrainEvent> {
  for await (const event of decideReply(turn, tools)) {
    if (signal.aborted) return;
    yield event;
  }
}

async function* decideReply(turn: BrainTurn, tools: BrainTools): AsyncGenerator<BrainEvent> {
  const said = lastSaid(turn);
  if (said === null) return yield* goOn(turn, tools, null);
  const open = openQuestion(turn);
  const answer = open && takeAnswer(turn, tools, open, said);
  if (showsInterest(said)) tools.noteInterest('yes');
  const digression = digressTo(turn, said, answer !== null);
  if (digression?.kind === 'goodbye') {
    if (digression.interest) tools.noteInterest(digression.interest);
    return yield* hangUpAfter(tools, digression.says);
  }
  if (digression) yield* say(digression.says);
  if (turn.wrapUp) return yield* hangUpAfter(tools, lines.outOfTime(turn.agent));
  if (turn.facts.offers > 0)
    return yield* settleAppointment(turn, tools, said, digression !== null);
  if (!open || answer) return yield* goOn(turn, tools, answer);
  if (isWorthRepeating(turn, open, said, digression !== null)) {
    const puzzled = !digression && !isQuestionBack(said) && !wasCutShort(turn);
    if (puzzled) yield* say(lines.notUnderstood);
    return yield* ask(open);
  }
  yield* say(lines.neverMind);
  yield* goOn(turn, tools, null);
}

type Answer = Pick<ExtractedAnswer, 'key' | 'value' | 'quote'>;

function takeAnswer(
  turn: BrainTurn,
  tools: BrainTools,
  open: AgentQuestion,
  said: string,
): Answer | null {
  const answerable = wasHeard(turn, open) && mayAnswer(open, said);
  const value = answerable ? extractAnswer(open, said) : null;
  if (value === null) return null;
  const answer: Answer = { key: open.key, value, quote: said };
  return tools.recordAnswer(answer) === 'kept' ? answer : null;
}

/** Being cut short or asked something back costs no try; "I don't know" needs no second one. */
function isWorthRepeating(
  turn: BrainTurn,
  open: AgentQuestion,
  said: string,
  digressed: boolean,
): boolean {
  if (doesNotKnow.test(normaliseUtterance(said))) return false;
  const free = digressed || wasCutShort(turn) || isQuestionBack(said);
  const allowed = free ? limits.timesAsked * 2 : limits.timesAsked;
  return timesAsked(turn, open.key) < allowed;
}

const doesNotKnow = /\b(?:do not know|no idea|not sure|can not (?:say|tell)|could not tell)\b/;

/** The next question, or what follows the last one. */
async function* goOn(
  turn: BrainTurn,
  tools: BrainTools,
  answer: Answer | null,
): AsyncGenerator<BrainEvent> {
  if (answer && isKnockedOut(turn, answer))
    return yield* hangUpAfter(tools, lines.notAFit(turn.agent));
  if (answer) yield* say(lines.acknowledge(turn.facts.answers.length));
  const next = nextQuestion(turn);
  const called = turn.brief.direction === 'inbound' && turn.facts.asked.length === 0;
  if (next && called) yield* say(lines.takeDown);
  if (next) return yield* ask(next);
  if (!turn.agent.offersAppointment)
    return yield* hangUpAfter(tools, lines.willFollowUp(turn.agent));
  yield* offerTimes(turn, tools);
}

function isKnockedOut({ agent, facts }: BrainTurn, answer: Answer): boolean {
  const answers = [...facts.answers, { ...answer, atSecond: 0 }];
  return qualifyLead(agent, answers, facts.asked).verdict === 'knocked_out';
}

function showsInterest(said: string): boolean {
  const text = normaliseUtterance(said);
  return /\b(?:am|are|definitely|very|still) interested\b/.test(text) && !declinesOffer(text);
}
