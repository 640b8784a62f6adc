import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { classifyUtterance } from '../../domain/calls/phrases/classify-utterance.ts';
import { isBackchannel } from '../../domain/calls/phrases/backchannel.ts';
import { asksWhetherMachine } from '../../domain/calls/phrases/human-request.ts';
import { normaliseUtterance } from '../../domain/calls/phrases/normalise-utterance.ts';

const utterances = readFileSync(new URL('data/utterances.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [label = '', text = ''] = line.split('\t');
    return { label, text, heard: classifyUtterance(text) };
  })
  .filter(({ label }) => !label.startsWith('sms_'));

describe('the collected utterances', () => {
  test('98 of 100 wishes not to be called are heard', () => {
    const wishes = utterances.filter(({ label }) => label === 'stop_calling');
    const heard = wishes.filter(({ heard: found }) => found === 'stop_calling');
    expect(heard.length / wishes.length).toBeGreaterThanOrEqual(0.98);
  });

  test('hardly anything else passes for one', () => {
    const others = utterances.filter(({ label }) => label !== 'stop_calling');
    const mistaken = others.filter(({ heard }) => heard === 'stop_calling');
    expect(mistaken.length / others.length).toBeLessThanOrEqual(0.01);
  });

  test.each([...new Set(utterances.map(({ label }) => label))])(
    '%s is found and not invented in 19 of 20 cases',
    (label) => {
      const meant = utterances.filter((utterance) => utterance.label === label);
      const found = utterances.filter(({ heard }) => heard === label);
      const right = meant.filter(({ heard }) => heard === label).length;
      expect(right / meant.length).toBeGreaterThanOrEqual(0.95);
      expect(right / found.length).toBeGreaterThanOrEqual(0.95);
    },
  );
});

describe('text that is still being spoken', () => {
  test.each([
    ['stop', 'stop by the office'],
    ["don't call", "don't call it a repair"],
    ["please don't call me", "please don't call me before noon"],
    ['I need you to stop', 'I need you to stop by on Friday'],
  ])('"%s" waits, because it may become "%s"', (soFar, later) => {
    expect(classifyUtterance(soFar, 'interim')).not.toBe('stop_calling');
    expect(classifyUtterance(later, 'final')).not.toBe('stop_calling');
  });

  test.each(['stop calling', 'remove my number', "don't call me again", 'take me off your list'])(
    '"%s" acts at once',
    (soFar) => expect(classifyUtterance(soFar, 'interim')).toBe('stop_calling'),
  );

  test.each(['stop', 'please stop', "don't call me", 'no stop it'])(
    '"%s" counts once nothing follows',
    (said) => expect(classifyUtterance(said, 'final')).toBe('stop_calling'),
  );
});

test('a recogniser that writes no apostrophes and no capitals is understood as well', () => {
  expect(classifyUtterance('dont call me again')).toBe('stop_calling');
  expect(classifyUtterance('i dont want to be recorded')).toBe('recording_objection');
  expect(classifyUtterance('im not interested')).toBe('not_interested');
});

test('curly apostrophes and accents change nothing', () => {
  expect(classifyUtterance('don’t ever call me')).toBe('stop_calling');
  expect(classifyUtterance('quítenme de su lista')).toBe('stop_calling');
});

test('of two wishes the heavier one counts', () => {
  expect(classifyUtterance("wrong number, don't call me again")).toBe('stop_calling');
  expect(classifyUtterance("I'm not interested and don't record me")).toBe('recording_objection');
});

test.each(['uh-huh', 'mm-hmm', 'yeah', 'Okay.', 'right right', 'I see', 'got it'])(
  '"%s" only tells the agent to go on',
  (said) => expect(isBackchannel(said)).toBe(true),
);

test.each(['yes but wait', 'no', 'okay, how much is it', 'what'])(
  '"%s" wants to be heard',
  (said) => expect(isBackchannel(said)).toBe(false),
);

test.each([
  'are you a robot?',
  'is this a real person',
  'am I talking to a machine',
  'Are you AI?',
  'you sound like a recording',
])('"%s" asks what is calling', (said) =>
  expect(asksWhetherMachine(normaliseUtterance(said))).toBe(true),
);
