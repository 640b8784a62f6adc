import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterAttempt,
  afterOptOut,
  type AttemptOutcome,
  type PersonOutcome,
  yieldsToOptOut,
} from '../../domain/attempts/after-attempt.ts';
import { noAppointment } from '../../domain/orders/order.ts';

const now = new Date('2026-11-23T15:00:00Z');
const retryAt = new Date('2026-11-23T16:00:00Z');
const times = { now, retryAt };
const first = {
  status: 'DIALING' as const,
  attemptNumber: 1,
  maxAttempts: 3,
  carrierFaults: 0,
  sendSmsOnVoicemail: true,
};
const last = { ...first, attemptNumber: 3 };

const talk: PersonOutcome = {
  optedOut: null,
  interest: 'unknown',
  appointment: noAppointment,
  qualification: { qualified: null, score: null, extracted_answers: {}, summary: null },
  verdict: 'undecided',
  talkSeconds: 60,
  personSpoke: true,
  ownFault: false,
};
const booked = { booked: true, start_time: '2026-11-24T17:00:00Z', calendar_event_id: 'cal_1' };
const person = (change: Partial<PersonOutcome>): AttemptOutcome => ({
  kind: 'person',
  talk: { ...talk, ...change },
});

describe('nobody reached', () => {
  it.each(['no_answer', 'busy', 'declined'] as const)(
    '%s with attempts left schedules a retry and updates',
    (kind) => {
      expect(afterAttempt(first, { kind }, times)).toMatchObject({
        status: 'RETRY_SCHEDULED',
        reason: 'no_answer',
        nextDialAt: retryAt,
        event: 'order.updated',
      });
    },
  );

  it('the last attempt without an answer fails the order', () => {
    expect(afterAttempt(last, { kind: 'busy' }, times)).toMatchObject({
      status: 'FAILED',
      reason: 'no_answer',
      nextDialAt: null,
      event: 'order.completed',
    });
  });

  it('voicemail with texts on sends a text and updates only when the interval has ended', () => {
    expect(afterAttempt(first, { kind: 'machine' }, times)).toMatchObject({
      status: 'VOICEMAIL_SMS_SENT',
      sendsText: true,
      nextDialAt: retryAt,
      event: null,
    });
  });

  it('voicemail with texts on and no attempts left is final', () => {
    expect(afterAttempt(last, { kind: 'machine' }, times)).toMatchObject({
      status: 'VOICEMAIL_SMS_SENT',
      nextDialAt: null,
      event: 'order.completed',
    });
  });

  it('voicemail with texts off and no attempts left fails the order', () => {
    const order = { ...last, sendSmsOnVoicemail: false };
    expect(afterAttempt(order, { kind: 'machine' }, times)).toMatchObject({
      status: 'FAILED',
      reason: 'machine',
    });
  });

  it('a number that is not in service fails at once', () => {
    expect(afterAttempt(first, { kind: 'invalid_number' }, times)).toMatchObject({
      status: 'FAILED',
      reason: 'invalid_number',
      event: 'order.completed',
    });
  });
});

describe('a phone that surely never rang', () => {
  it('puts the order back where it was, uncounted and without an event', () => {
    expect(afterAttempt(first, { kind: 'not_placed' }, times)).toMatchObject({
      status: 'QUEUED',
      counted: false,
      event: null,
    });
    const second = { ...first, attemptNumber: 2 };
    expect(afterAttempt(second, { kind: 'not_placed' }, times).status).toBe('RETRY_SCHEDULED');
  });

  it('fails the order after three such faults', () => {
    const order = { ...first, carrierFaults: 3 };
    expect(afterAttempt(order, { kind: 'not_placed' }, times)).toMatchObject({
      status: 'FAILED',
      reason: 'call_failed',
    });
  });

  it('while dials are paused for everybody, waits for their end and is no fault of the order', () => {
    const carrierPausedUntil = new Date(times.now.getTime() + 5_000);
    const order = { ...first, carrierFaults: 3 };
    expect(afterAttempt(order, { kind: 'not_placed', carrierPausedUntil }, times)).toMatchObject({
      status: 'QUEUED',
      nextDialAt: carrierPausedUntil,
      counted: false,
      countsAsFault: false,
    });
  });
});

describe('a person answered', () => {
  it.each<[string, Partial<PersonOutcome>, string, string | null]>([
    ['a confirmed booking', { appointment: booked }, 'BOOKED', null],
    ['booked beats an opt-out', { appointment: booked, optedOut: 'stop_calling' }, 'BOOKED', null],
    ['stop calling', { optedOut: 'stop_calling' }, 'DISQUALIFIED', 'do_not_contact'],
    [
      'stop calling beats qualified',
      { optedOut: 'stop_calling', verdict: 'qualified' },
      'DISQUALIFIED',
      'do_not_contact',
    ],
    ['wrong number', { optedOut: 'wrong_number' }, 'DISQUALIFIED', 'wrong_number'],
    [
      'not interested beats qualified',
      { interest: 'no', verdict: 'qualified' },
      'DISQUALIFIED',
      'not_interested',
    ],
    ['qualified', { verdict: 'qualified' }, 'QUALIFIED', null],
    [
      'qualified while the calendar was away',
      { verdict: 'qualified', calendarFailed: true },
      'QUALIFIED',
      'calendar_unavailable',
    ],
    ['a knock-out answer', { verdict: 'knocked_out' }, 'DISQUALIFIED', 'knocked_out'],
    ['below the threshold', { verdict: 'below_threshold' }, 'DISQUALIFIED', 'below_threshold'],
    ['undecided', {}, 'FAILED', 'inconclusive'],
    ['undecided by our own fault', { ownFault: true }, 'FAILED', 'call_failed'],
  ])('%s', (_title, change, status, reason) => {
    expect(afterAttempt(first, person(change), times)).toMatchObject({
      status,
      reason,
      event: 'order.completed',
    });
  });

  it.each([{ talkSeconds: 4 }, { personSpoke: false }])(
    'a call dropped early is retried: %o',
    (change) => {
      expect(afterAttempt(first, person(change), times)).toMatchObject({
        status: 'RETRY_SCHEDULED',
        reason: 'call_dropped',
        event: 'order.updated',
      });
      expect(afterAttempt(last, person(change), times)).toMatchObject({
        status: 'FAILED',
        reason: 'inconclusive',
      });
    },
  );
});

const anyOutcome: fc.Arbitrary<AttemptOutcome> = fc.oneof(
  fc.constantFrom<AttemptOutcome>(
    { kind: 'no_answer' },
    { kind: 'busy' },
    { kind: 'declined' },
    { kind: 'machine' },
    { kind: 'invalid_number' },
    { kind: 'not_placed' },
    { kind: 'do_not_contact' },
  ),
  fc
    .record({
      optedOut: fc.constantFrom('stop_calling' as const, 'wrong_number' as const, null),
      interest: fc.constantFrom('yes' as const, 'no' as const, 'unknown' as const),
      appointment: fc.constantFrom(noAppointment, booked),
      verdict: fc.constantFrom('qualified', 'knocked_out', 'below_threshold', 'undecided'),
      talkSeconds: fc.nat(600),
      personSpoke: fc.boolean(),
      ownFault: fc.boolean(),
    })
    .map(person),
);

describe('whatever happens', () => {
  it('every order ends within its attempts and its carrier faults', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        fc.array(anyOutcome, { minLength: 10, maxLength: 10 }),
        (maxAttempts, sendSmsOnVoicemail, outcomes) => {
          let order = { ...first, attemptNumber: 0, maxAttempts, sendSmsOnVoicemail };
          for (const outcome of outcomes) {
            order = { ...order, attemptNumber: order.attemptNumber + 1 };
            expect(order.attemptNumber).toBeLessThanOrEqual(maxAttempts);
            const next = afterAttempt(order, outcome, times);
            expect(next.event === 'order.completed').toBe(next.nextDialAt === null);
            if (next.nextDialAt === null) return;
            if (!next.counted)
              order = {
                ...order,
                attemptNumber: order.attemptNumber - 1,
                carrierFaults: order.carrierFaults + 1,
              };
          }
          expect.fail('the order never ended');
        },
      ),
    );
  });

  it('after an opt-out nothing waits, is texted or is uncounted that rang; what a talk decided stays', () => {
    fc.assert(
      fc.property(fc.constantFrom(first, last), anyOutcome, (order, outcome) => {
        const next = afterAttempt(order, outcome, times);
        const after = yieldsToOptOut(next) ? afterOptOut(order, next) : next;
        expect(after).toMatchObject({
          nextDialAt: null,
          sendsText: false,
          event: 'order.completed',
          counted: next.counted,
        });
        const wasDecided = next.nextDialAt === null && outcome.kind === 'person';
        expect(after).toMatchObject(
          wasDecided ? next : { status: 'FAILED', reason: expect.any(String) as string },
        );
      }),
    );
  });
});
