// What an analysis adds to the qualification of a call. It fills gaps and never takes back what was decided. Pure.
import type { AgentConfig } from '../agents/agent-config.ts';
import type { CallFindings } from './analyst.ts';
import { answerFits } from './answer-fits.ts';
import type { HeardTurn } from './call-desk.ts';
import type { CallReport, ExtractedAnswer } from './call-report.ts';
import { normaliseUtterance } from './phrases/normalise-utterance.ts';
import { qualifyLead } from './qualify-lead.ts';

const limits = { summaryCharacters: 2_000 } as const;

/** The qualification of an order, as far as it matters here. */
interface Judged {
  readonly qualified: boolean | null;
  readonly score: number | null;
  readonly extracted_answers: Readonly<Record<string, boolean | number | string>>;
  readonly summary: string | null;
}

/** Answers to the agent's questions whose quote the person said; the rest is invented. */
export function provenAnswers(
  agent: Pick<AgentConfig, 'questions'>,
  turns: readonly HeardTurn[],
  answers: CallFindings['answers'],
): ExtractedAnswer[] {
  const spoken = spokenByPerson(turns);
  const proven = new Map<string, ExtractedAnswer>();
  for (const { key, value, quote } of answers) {
    const question = agent.questions.find((candidate) => candidate.key === key);
    const words = ` ${normaliseUtterance(quote)} `;
    const said = spoken.find(({ text }) => words.trim() !== '' && text.includes(words));
    if (!question || !said || !answerFits(question, value) || proven.has(key)) continue;
    proven.set(key, { key, value, quote, atSecond: Math.floor(Math.max(0, said.startMs) / 1000) });
  }
  return [...proven.values()];
}

/** The qualification with what is new in it; a verdict is only given where there was none. */
export function addFindings(
  agent: Pick<AgentConfig, 'questions' | 'qualifyThreshold'>,
  before: Judged,
  report: Pick<CallReport, 'answers' | 'askedKeys'>,
  found: { readonly answers: readonly ExtractedAnswer[]; readonly summary: string | null },
): Judged {
  const added = found.answers.filter(({ key }) => !(key in before.extracted_answers));
  const summary = found.summary?.trim().slice(0, limits.summaryCharacters);
  const told = {
    ...before,
    summary: summary === '' ? before.summary : (summary ?? before.summary),
  };
  if (added.length === 0) return told;
  const { verdict, score } = qualifyLead(agent, [...report.answers, ...added], report.askedKeys);
  const values = Object.fromEntries(added.map(({ key, value }) => [key, value]));
  const open = before.qualified === null;
  return {
    ...told,
    extracted_answers: { ...before.extracted_answers, ...values },
    score: open ? score : (before.score ?? score),
    qualified: open && verdict !== 'undecided' ? verdict === 'qualified' : before.qualified,
  };
}

/** Each turn of the person, then what was said in one go and cut into turns. */
function spokenByPerson(turns: readonly HeardTurn[]) {
  const runs: { text: string; startMs: number }[] = [];
  const single: typeof runs = [];
  let previous: HeardTurn['role'] | null = null;
  for (const { role, text, startMs } of turns) {
    const words = normaliseUtterance(text);
    const run = runs.at(-1);
    if (role === 'user') single.push({ text: ` ${words} `, startMs });
    if (role === 'user' && previous === 'user' && run) run.text += `${words} `;
    else if (role === 'user') runs.push({ text: ` ${words} `, startMs });
    previous = role;
  }
  return [...single, ...runs];
}
