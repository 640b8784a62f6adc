import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addFindings, provenAnswers } from '../../domain/calls/add-findings.ts';
import { demoAgent } from '../../domain/workspaces/demo-agent.ts';

const turn = (role: 'agent' | 'user', text: string, startMs = 0) => ({
  position: 0,
  role,
  text,
  startMs,
  endMs: startMs + 1,
});
const turns = [
  turn('agent', 'Are you the owner of the home? Say yes.', 1_000),
  turn('user', "Yes, it's", 4_000),
  turn('user', 'my house.', 5_500),
  turn('agent', 'How old is the roof, in years?', 7_000),
  turn('user', 'About twelve years.', 9_900),
];

const answer = (key: string, value: boolean | number | string, quote: string) => ({
  key,
  value,
  quote,
});

describe('an answer counts', () => {
  it('with the words of the person and the second in which they began, however they are written', () => {
    const answers = [
      answer('homeowner', true, 'yes it is my house'),
      answer('roof_age_years', 12, 'ABOUT TWELVE YEARS'),
    ];
    expect(provenAnswers(demoAgent, turns, answers)).toEqual([
      { ...answers[0], atSecond: 4 },
      { ...answers[1], atSecond: 9 },
    ]);
  });

  it.each([
    ['words that nobody said', answer('roof_age_years', 12, 'twenty years')],
    ['words of the agent', answer('homeowner', true, 'Say yes.')],
    ['no words at all', answer('homeowner', true, ' ... ')],
    ['half a word', answer('roof_age_years', 12, 'twelve yea')],
    ['a question that was never put into the agent', answer('income', 12, 'twelve')],
    ['a value of another kind', answer('roof_age_years', 'twelve', 'twelve')],
    ['a choice that is not listed', answer('start', 'never', 'twelve')],
  ])('but not with %s', (_title, invented) => {
    expect(provenAnswers(demoAgent, turns, [invented])).toEqual([]);
  });
});

const undecided = { qualified: null, score: 30, extracted_answers: {}, summary: 'By the rules.' };
const proven = (key: string, value: boolean | number | string) => ({
  ...answer(key, value, 'yes'),
  atSecond: 1,
});
const all = [
  proven('homeowner', true),
  proven('roof_age_years', 12),
  proven('start', 'this month'),
];
const noReport = { answers: [], askedKeys: [] };

describe('what is added', () => {
  it('gives an undecided call its answers, score and verdict', () => {
    const found = { answers: all, summary: 'A summary.' };
    expect(addFindings(demoAgent, undecided, noReport, found)).toEqual({
      qualified: true,
      score: 100,
      extracted_answers: { homeowner: true, roof_age_years: 12, start: 'this month' },
      summary: 'A summary.',
    });
  });

  it('takes back no verdict, score or answer of the rules', () => {
    const before = {
      qualified: true,
      score: 80,
      extracted_answers: { homeowner: true },
      summary: null,
    };
    const found = { answers: [proven('homeowner', false), ...all.slice(1)], summary: ' ' };
    expect(addFindings(demoAgent, before, noReport, found)).toEqual({
      ...before,
      extracted_answers: { homeowner: true, roof_age_years: 12, start: 'this month' },
    });
  });

  it('is nothing when nothing was found', () => {
    expect(addFindings(demoAgent, undecided, noReport, { answers: [], summary: null })).toEqual(
      undecided,
    );
  });

  it('is the same when it is added again', () => {
    fc.assert(
      fc.property(
        fc.subarray(all),
        fc.option(fc.string()),
        fc.constantFrom(true, false, null),
        (answers, summary, qualified) => {
          const before = { ...undecided, qualified };
          const once = addFindings(demoAgent, before, noReport, { answers, summary });
          const again = addFindings(demoAgent, once, noReport, { answers, summary });
          expect(again).toEqual(once);
          if (qualified !== null) expect(once.qualified).toBe(qualified);
        },
      ),
    );
  });
});
