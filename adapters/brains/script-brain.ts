// The brain that needs no model: asks the agent's questions in order, books, and says goodbye.
import type { AgentQuestion } from '../../domain/agents/agent-config.ts';
import type { Brain, BrainEvent, BrainTools, BrainTurn } from '../../domain/calls/brain.ts';
import { offerTimes, settleAppointment } from './script/appointment.ts';
import { answerCounterQuestion, digressTo } from './script/digression.ts';
import { extractAnswer, isQuestionBack } from './script/extract-answer.ts';
import { lines } from './script/lines.ts';
import { ask, hangUpAfter, say } from './script/moves.ts';
import { lastSaid, nextQuestion, openQuestion, timesAsked, wasCutShort } from './script/progress.ts';

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
  const open = openQuestion(turn);
  const answer = open && said !== null ? extractAnswer(open, said) : null;
  const digression = said === null ? null : digressTo(turn, said, answer !== null && open);
  if (digression?.kind === 'goodbye') {
    if (digression.interest !== null) tools.noteInterest(digression.interest);
    yield* hangUpAfter(tools, digression.says);
    return;
  }
  if (digression?.kind === 'aside') yield* say(digression.says);
  if (answer !== null && open && said !== null)
    tools.recordAnswer({ key: open.key, value: answer, quote: said });
  if (turn.wrapUp) return yield* hangUpAfter(tools, lines.outOfTime(turn.agent));
  if (turn.facts.offers > 0) return yield* settleAppointment(turn, tools, said ?? '');
  if (open && answer === null && said !== null) {
    const question = yield* tryAgain(turn, open, said, digression !== null);
    if (question === 'asked') return;
  }
  yield* goOn(turn, tools, open, answer);
}

/** An unanswered question is put once more; being cut short or asked something back costs no try. */
async function* tryAgain(
  turn: BrainTurn,
  open: AgentQuestion,
  said: string,
  digressed: boolean,
): AsyncGenerator<BrainEvent, 'asked' | 'given_up'> {
  const free = digressed || wasCutShort(turn) || isQuestionBack(said);
  const gaveUp = timesAsked(turn, open.key) >= limits.timesAsked && !free;
  if (gaveUp || doesNotKnow.test(said)) {
    yield* say(lines.neverMind);
    return 'given_up';
  }
  const counter = digressed ? null : answerCounterQuestion(turn, said);
  yield* say(counter ?? (free ? '' : lines.notUnderstood));
  yield* ask(open);
  return 'asked';
}

const doesNotKnow = /\b(?:i (?:do not|don['’]?t) know|no idea|not sure|can['’]?t say|couldn['’]?t tell)\b/i;

async function* goOn(
  turn: BrainTurn,
  tools: BrainTools,
  open: AgentQuestion | null,
  answer: boolean | number | string | null,
): AsyncGenerator<BrainEvent> {
  const next = nextQuestion(turn, open?.key ?? null);
  const failsKnockOut = open?.knockout === true && answer !== null && fails(open, answer);
  if (failsKnockOut) return yield* hangUpAfter(tools, lines.notAFit(turn.agent));
  if (answer !== null) yield* say(lines.acknowledge(turn.facts.answers.length));
  if (next) return yield* ask(next);
  if (!turn.agent.offersAppointment) return yield* hangUpAfter(tools, lines.willFollowUp(turn.agent));
  yield* offerTimes(turn, tools);
}
