// One paragraph about a finished talk, from facts alone. Pure.
import type { AgentConfig } from '../agents/agent-config.ts';
import type { CallReport } from './call-report.ts';

/** What a person reads first; a model's own summary takes its place when there is one. */
export function summariseCall(agent: Pick<AgentConfig, 'questions'>, report: CallReport): string {
  const answers = agent.questions.flatMap(({ key, question }) => {
    const answer = report.answers.find((given) => given.key === key);
    return answer ? [`${question} ${spoken(answer.value)}`] : [];
  });
  return [ending(report), ...answers].join(' ');
}

function ending(report: CallReport): string {
  if (report.booking) return `The person booked an appointment at ${report.booking.startTime}.`;
  if (report.optedOut === 'stop_calling') return 'The person asked not to be called again.';
  if (report.optedOut === 'wrong_number') return 'The number belongs to somebody else.';
  if (report.interest === 'no') return 'The person was not interested.';
  if (!report.personSpoke) return 'The person hung up without a word.';
  if (report.endedBy === 'own_fault') return 'The call was cut off by a fault on our side.';
  return report.interest === 'yes'
    ? 'The person was interested.'
    : 'The person talked to the agent.';
}

function spoken(value: boolean | number | string): string {
  if (typeof value === 'boolean') return value ? 'Yes.' : 'No.';
  return `${value}.`;
}
