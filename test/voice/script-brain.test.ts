import { describe, expect, test } from 'vitest';
import { createScriptBrain } from '../../adapters/brains/script-brain.ts';
import { chooseSlot } from '../../adapters/brains/script/choose-slot.ts';
import { readChoice } from '../../adapters/brains/script/read-choice.ts';
import { readNumber } from '../../adapters/brains/script/read-number.ts';
import { readYesNo } from '../../adapters/brains/script/read-yes-no.ts';
import { turnableClock } from '../../platform/clock.ts';
import { limits } from '../../voice-gateway/machine/limits.ts';
import { testAgent, testSlots } from './support/memory-desk.ts';
import { startTalk } from './support/scripted-talk.ts';

const brain = createScriptBrain();
const zone = 'America/New_York';

async function atOffer(options = {}) {
  const talk = startTalk(brain, options);
  await talk.opens();
  await talk.says('yes');
  await talk.says('twelve');
  return talk;
}

describe('questions', () => {
  test('are asked in their order, and each answer is kept with its words', async () => {
    const talk = startTalk(brain);
    expect(await talk.opens()).toBe('Are you the owner of the home?');
    expect(await talk.says('Yes, I am.')).toBe('Great. How old is your roof in years?');
    await talk.says('oh about twenty five years');
    expect(talk.facts().answers).toEqual([
      { key: 'homeowner', value: true, quote: 'Yes, I am.', atSecond: 2 },
      { key: 'roof_age_years', value: 25, quote: 'oh about twenty five years', atSecond: 3 },
    ]);
  });

  test('are asked once more when the answer was not understood, then left', async () => {
    const talk = startTalk(brain);
    await talk.opens();
    await talk.says('yes');
    expect(await talk.says('it is red')).toContain('How old is your roof');
    expect(await talk.says('quite red')).toContain('I have Tuesday');
    expect(talk.facts().asked).toEqual(['homeowner', 'roof_age_years', 'roof_age_years']);
  });

  test('that the person could not hear are repeated, and "yes" does not answer them', async () => {
    const talk = startTalk(brain);
    await talk.opens();
    talk.cutAgentTo(1);
    expect(await talk.says('yes hold on')).toBe('Are you the owner of the home?');
    expect(talk.facts().answers).toEqual([]);
  });

  test('are repeated on request', async () => {
    const talk = startTalk(brain);
    await talk.opens();
    expect(await talk.says('sorry, can you repeat that')).toBe('Are you the owner of the home?');
  });

  test('are not pressed on a person who does not know', async () => {
    const talk = startTalk(brain);
    await talk.opens();
    await talk.says('yes');
    expect(await talk.says("I don't know")).toContain('That is all right.');
  });

  test('end with a knock-out answer', async () => {
    const talk = startTalk(brain);
    await talk.opens();
    expect(await talk.says('no, I rent')).toContain('not the right fit');
    expect(talk.ended).toBe(true);
  });
});

describe('appointments', () => {
  test('two times are offered in the zone of the agent, the chosen one is booked', async () => {
    const talk = await atOffer();
    expect(await talk.says('the first one')).toBe(
      'Great, you are booked for Tuesday, November 24 at 10 AM. Thank you, and goodbye.',
    );
    expect(talk.desk.journal).toContain('book 2026-11-24T15:00:00.000Z');
    expect(talk.facts()).toMatchObject({
      interest: 'yes',
      booking: { calendarEventId: 'cal_test' },
    });
    expect(talk.ended).toBe(true);
  });

  test('other times are offered when neither suits', async () => {
    const talk = await atOffer();
    expect(await talk.says('neither works')).toContain(
      'Wednesday at 2:30 PM or Wednesday at 3:30 PM',
    );
    expect(await talk.says('two thirty')).toContain('Wednesday, November 25 at 2:30 PM');
  });

  test('the end of the times is the end of the offers', async () => {
    const talk = await atOffer();
    await talk.says('neither');
    expect(await talk.says('no, none of those')).toContain('will contact you to find a time');
    expect(talk.ended).toBe(true);
  });

  test('"yes" to two times is asked about once and then taken as the first', async () => {
    const talk = await atOffer();
    expect(await talk.says('yes')).toContain('Which of them works better');
    expect(await talk.says('yes')).toContain('booked for Tuesday, November 24 at 10 AM');
  });

  test('a person who wants mail instead stays interested and is not pressed', async () => {
    const talk = await atOffer();
    await talk.says('Just email me the details please, I am interested though.');
    expect(talk.facts()).toMatchObject({ interest: 'yes', booking: null });
    expect(talk.ended).toBe(true);
  });

  test('are not offered when nothing is free', async () => {
    const talk = await atOffer({ slots: [] });
    expect(talk.ended).toBe(true);
  });
});

describe('a calendar that fails', () => {
  test('at the offer: the agent says that it cannot book now, and the call ends well', async () => {
    const talk = startTalk(brain, { calendarFails: 'slots' });
    await talk.opens();
    await talk.says('yes');
    expect(await talk.says('twelve')).toContain('I cannot book a time right now');
    expect(talk.ended).toBe(true);
    expect(talk.calendarFailed()).toBe(true);
  });

  test('at the booking: no time is confirmed, and no other is offered', async () => {
    const talk = await atOffer({ calendarFails: 'booking' });
    expect(await talk.says('the first one')).toContain('I cannot book a time right now');
    expect(talk.facts()).toMatchObject({ booking: null, interest: 'yes', offers: 1 });
    expect(talk.calendarFailed()).toBe(true);
  });
});

test('a calendar that does not answer counts as away before the call would end for it', async () => {
  const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
  const talk = startTalk(brain, { calendarFails: 'silence', clock });
  await talk.opens();
  await talk.says('yes');
  const reply = talk.says('twelve');
  await clock.turn(limits.thinkingMs - 2_000);
  expect(await reply).toContain('I cannot book a time right now');
});

describe('what a person may say instead', () => {
  test('"are you a robot?" is answered with yes, and the talk goes on', async () => {
    const talk = startTalk(brain);
    await talk.opens();
    expect(await talk.says('wait, are you a robot?')).toBe(
      'Yes, I am a virtual AI assistant calling for Summit Roofing. Are you the owner of the home?',
    );
    expect(await talk.says('is this a real person?')).toMatch(/^Yes, I am a virtual AI assistant/);
  });

  test('no interest ends the call politely', async () => {
    const talk = startTalk(brain);
    await talk.opens();
    expect(await talk.says("No thank you, I'm not interested.")).toMatch(/Goodbye\.$/);
    expect(talk.facts()).toMatchObject({ interest: 'no', answers: [] });
    expect(talk.ended).toBe(true);
  });

  test('a bad moment ends the call without a verdict', async () => {
    const talk = startTalk(brain);
    await talk.opens();
    await talk.says("I'm driving, can you call me later?");
    expect(talk.facts().interest).toBe('unknown');
    expect(talk.ended).toBe(true);
  });

  test('the wish for a human is passed on, and the second time it ends the call', async () => {
    const talk = startTalk(brain);
    await talk.opens();
    expect(await talk.says('can I talk to a real person')).toContain('speak to a person');
    expect(talk.ended).toBe(false);
    await talk.says('get me a human');
    expect(talk.ended).toBe(true);
  });

  test('an objection to recording is no answer', async () => {
    const talk = startTalk(brain);
    await talk.opens();
    expect(await talk.says("please don't record this")).toBe('Are you the owner of the home?');
    expect(talk.facts().answers).toEqual([]);
  });

  test('when time is up the answer is kept and the agent says goodbye', async () => {
    const talk = startTalk(brain, { wrapUp: true });
    await talk.opens();
    expect(await talk.says('yes')).toContain('our time is up');
    expect(talk.facts().answers).toHaveLength(1);
    expect(talk.ended).toBe(true);
  });
});

test.each([
  ['yes', true],
  ['Yeah, I am.', true],
  ['no', false],
  ['not yet', false],
  ['no problem, yes', true],
  ["I'm not", false],
  ['not sure', null],
  ['blue', null],
])('"%s" means %s', (said, meaning) => expect(readYesNo(said)).toBe(meaning));

test.each([
  ['About 12.', 12],
  ['twelve', 12],
  ['twenty five', 25],
  ['a hundred and fifty', 150],
  ['two thousand three hundred', 2_300],
  ['1,200 square feet', 1_200],
  ['5k', 5_000],
  ['a dozen', 12],
  ['ten to fifteen', 10],
  ['fifteen hundred', 1_500],
  ['two and a half', 2],
  ['12.5', 12.5],
  ['many', null],
])('"%s" is the number %s', (said, number) => expect(readNumber(said)).toBe(number));

test.each([
  ['As soon as possible, this month.', 'this month'],
  ['Later.', 'later'],
  ['the first one', 'this month'],
  ['the last one', 'later'],
  ['next', 'next month'],
  ['whenever', null],
])('"%s" chooses %s', (said, choice) =>
  expect(readChoice(said, ['this month', 'next month', 'later'])).toBe(choice),
);

const [tuesdayTen, tuesdayEleven, wednesday] = testSlots;
const twoOnTuesday = testSlots.slice(0, 2);
const twoDays = testSlots.slice(1, 3);

test.each([
  ['ten', tuesdayTen],
  ['10 AM', tuesdayTen],
  ['the first one', tuesdayTen],
  ['Tuesday at 10 AM works for me.', tuesdayTen],
  ['the later one', tuesdayEleven],
  ['eleven in the morning please', tuesdayEleven],
  ['either is fine', tuesdayTen],
])('of two times on Tuesday "%s" means the right one', (said, slot) =>
  expect(chooseSlot(said, twoOnTuesday, zone)).toEqual({ kind: 'chosen', slot }),
);

test.each([
  ['Tuesday', tuesdayEleven],
  ['Wednesday is better', wednesday],
  ['two thirty', wednesday],
])('of a Tuesday and a Wednesday "%s" means the right one', (said, slot) =>
  expect(chooseSlot(said, twoDays, zone)).toEqual({ kind: 'chosen', slot }),
);

test.each([
  ['neither', 'neither'],
  ['do you have another day', 'neither'],
  ['Friday would be better', 'neither'],
  ['no', 'neither'],
  ["I don't want an appointment", 'declined'],
  ['no thanks', 'declined'],
  ['hmm', 'unclear'],
  ['Tuesday', 'unclear'],
])('"%s" chooses nothing: %s', (said, kind) =>
  expect(chooseSlot(said, twoOnTuesday, zone)).toEqual({ kind }),
);

test('the questions of an agent without appointments end with a thank-you', async () => {
  const talk = startTalk(brain, { agent: { ...testAgent, offersAppointment: false } });
  await talk.opens();
  await talk.says('yes');
  expect(await talk.says('twelve')).toContain('that is all I need');
  expect(talk.ended).toBe(true);
});
