// Whether the answers qualify the lead. Pure, so that it can be replayed from what was stored.
import type { AgentConfig, AgentQuestion } from '../agents/agent-config.ts';
import type { ExtractedAnswer } from './call-report.ts';

export type Verdict = 'qualified' | 'knocked_out' | 'below_threshold' | 'undecided';

export interface Scoring {
  readonly verdict: Verdict;
  /** 0 to 100; null when nothing was answered. */
  readonly score: number | null;
  readonly extractedAnswers: Readonly<Record<string, boolean | number | string>>;
}

/** score = round(100 × weights passed / weights asked or required). */
export function qualifyLead(
  agent: Pick<AgentConfig, 'questions' | 'qualifyThreshold'>,
  answers: readonly ExtractedAnswer[],
  askedKeys: readonly string[],
): Scoring {
  const answerOf = new Map(answers.map((answer) => [answer.key, answer.value]));
  const known = agent.questions.filter((question) => answerOf.has(question.key));
  const extractedAnswers = Object.fromEntries(
    known.map((question) => [question.key, answerOf.get(question.key) ?? '']),
  );
  const score = scoreOf(agent.questions, answerOf, new Set(askedKeys));
  return { verdict: verdictOf(agent, answerOf, score), score, extractedAnswers };
}

function verdictOf(
  agent: Pick<AgentConfig, 'questions' | 'qualifyThreshold'>,
  answerOf: ReadonlyMap<string, unknown>,
  score: number | null,
): Verdict {
  const failed = (question: AgentQuestion) =>
    answerOf.has(question.key) && !passes(question, answerOf.get(question.key));
  if (agent.questions.some((question) => question.knockout && failed(question)))
    return 'knocked_out';
  if (agent.questions.some((question) => question.required && !answerOf.has(question.key)))
    return 'undecided';
  if (score === null) return 'undecided';
  return score >= agent.qualifyThreshold ? 'qualified' : 'below_threshold';
}

function scoreOf(
  questions: readonly AgentQuestion[],
  answerOf: ReadonlyMap<string, unknown>,
  asked: ReadonlySet<string>,
): number | null {
  if (answerOf.size === 0) return null;
  const counted = questions.filter((question) => question.required || asked.has(question.key));
  const total = sum(counted.map((question) => question.weight));
  if (total === 0) return 100;
  const passed = counted.filter(
    (question) => answerOf.has(question.key) && passes(question, answerOf.get(question.key)),
  );
  return Math.round((100 * sum(passed.map((question) => question.weight))) / total);
}

function passes(question: AgentQuestion, value: unknown): boolean {
  const rule = question.passes;
  if (!rule) return true;
  switch (rule.kind) {
    case 'yes_no':
      return value === rule.is;
    case 'number':
      return (
        typeof value === 'number' &&
        value >= (rule.min ?? Number.NEGATIVE_INFINITY) &&
        value <= (rule.max ?? Number.POSITIVE_INFINITY)
      );
    case 'choice':
      return typeof value === 'string' && rule.among.includes(value);
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
