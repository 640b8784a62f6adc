// Where the conversation stands, read from its turns and facts alone. Pure.
import type { AgentQuestion } from '../../../domain/agents/agent-config.ts';
import type { BrainTurn, ConversationTurn } from '../../../domain/calls/brain.ts';

/** What the person said since the agent last spoke; null when nothing. */
export function lastSaid({ turns }: BrainTurn): string | null {
  const lastAgent = turns.findLastIndex((turn) => turn.role === 'agent');
  const said = turns.slice(lastAgent + 1).map((turn) => turn.text);
  return said.length === 0 ? null : said.join(' ');
}

/** The question that waits for its answer. */
export function openQuestion({ agent, facts }: BrainTurn): AgentQuestion | null {
  const key = facts.asked.at(-1);
  const answered = facts.answers.some((answer) => answer.key === key);
  if (key === undefined || answered || facts.offers > 0) return null;
  return agent.questions.find((question) => question.key === key) ?? null;
}

/** False while the person talked over so much of the question that "yes" cannot be its answer. */
export function wasHeard(turn: BrainTurn, question: AgentQuestion): boolean {
  const agentTurn = lastAgentTurn(turn);
  if (!agentTurn || agentTurn.complete) return true;
  const heard = new Set(agentTurn.text.toLowerCase().split(/\W+/));
  const words = question.question
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word !== '');
  return words.filter((word) => heard.has(word)).length * 3 >= words.length * 2;
}

export function wasCutShort(turn: BrainTurn): boolean {
  return lastAgentTurn(turn)?.complete === false;
}

export function timesAsked({ facts }: BrainTurn, key: string): number {
  return facts.asked.filter((asked) => asked === key).length;
}

/** Questions are put in their order, each once before any other is repeated. */
export function nextQuestion({ agent, facts }: BrainTurn): AgentQuestion | null {
  return agent.questions.find((question) => !facts.asked.includes(question.key)) ?? null;
}

function lastAgentTurn({ turns }: BrainTurn): ConversationTurn | undefined {
  return turns.findLast((turn) => turn.role === 'agent');
}
