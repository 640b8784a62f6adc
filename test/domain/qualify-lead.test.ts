import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AgentQuestion } from '../../domain/agents/agent-config.ts';
import type { ExtractedAnswer } from '../../domain/calls/call-report.ts';
import { qualifyLead } from '../../domain/calls/qualify-lead.ts';
import { demoAgent } from '../../domain/workspaces/demo-agent.ts';

const answer = (key: string, value: ExtractedAnswer['value']): ExtractedAnswer => ({
  key,
  value,
  quote: String(value),
  atSecond: 1,
});
const good = [
  answer('homeowner', true),
  answer('roof_age_years', 20),
  answer('start', 'this month'),
];
const allKeys = demoAgent.questions.map(({ key }) => key);

it('qualifies a lead whose answers all pass', () => {
  expect(qualifyLead(demoAgent, good, allKeys)).toEqual({
    verdict: 'qualified',
    score: 100,
    extractedAnswers: { homeowner: true, roof_age_years: 20, start: 'this month' },
  });
});

it('a failing knock-out answer disqualifies whatever else was answered', () => {
  const answers = [answer('homeowner', false)];
  expect(qualifyLead(demoAgent, answers, ['homeowner']).verdict).toBe('knocked_out');
});

it('stays undecided while a required question is open', () => {
  expect(qualifyLead(demoAgent, good.slice(0, 2), allKeys)).toMatchObject({
    verdict: 'undecided',
    score: 70,
  });
});

it('scores below the threshold when too little weight passes', () => {
  const answers = [
    answer('homeowner', true),
    answer('roof_age_years', 1),
    answer('start', 'later'),
  ];
  expect(qualifyLead(demoAgent, answers, allKeys)).toMatchObject({
    verdict: 'below_threshold',
    score: 40,
  });
});

it('has no score and no verdict when nothing was answered', () => {
  expect(qualifyLead(demoAgent, [], [])).toEqual({
    verdict: 'undecided',
    score: null,
    extractedAnswers: {},
  });
});

it('ignores answers to questions that the agent does not ask', () => {
  expect(
    qualifyLead(demoAgent, [...good, answer('other', 'x')], allKeys).extractedAnswers,
  ).not.toHaveProperty('other');
});

it('a score is always a whole number from 0 to 100, and more passing answers never lower it', () => {
  const question = (index: number, weight: number): AgentQuestion => ({
    key: `q${index}`,
    question: 'Is it?',
    type: 'yes_no',
    required: true,
    weight,
    passes: { kind: 'yes_no', is: true },
    knockout: false,
  });
  fc.assert(
    fc.property(
      fc.array(fc.record({ weight: fc.nat(100), yes: fc.boolean() }), {
        minLength: 1,
        maxLength: 8,
      }),
      (cases) => {
        const agent = {
          questions: cases.map(({ weight }, index) => question(index, weight)),
          qualifyThreshold: 70,
        };
        const keys = agent.questions.map(({ key }) => key);
        const scoreWith = (yes: readonly boolean[]) =>
          qualifyLead(
            agent,
            yes.map((value, index) => answer(`q${index}`, value)),
            keys,
          ).score ?? -1;
        const given = cases.map(({ yes }) => yes);
        const score = scoreWith(given);
        expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
        expect(scoreWith(given.map(() => true))).toBeGreaterThanOrEqual(score);
      },
    ),
  );
});
