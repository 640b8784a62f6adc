// Whether a value can answer one of the agent's questions. Pure.
import type { AgentQuestion } from '../agents/agent-config.ts';
import type { ExtractedAnswer } from './call-report.ts';

const limits = { answerCharacters: 500 } as const;

export function answerFits(question: AgentQuestion, value: ExtractedAnswer['value']): boolean {
  switch (question.type) {
    case 'yes_no':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'choice':
      return typeof value === 'string' && (question.choices ?? []).includes(value);
    case 'text':
      return typeof value === 'string' && value !== '' && value.length <= limits.answerCharacters;
  }
}
