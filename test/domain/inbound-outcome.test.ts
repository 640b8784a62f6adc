// A call to us has one attempt, whatever came of it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterAttempt,
  type AttemptOutcome,
  inboundOutcome,
  type PersonOutcome,
} from '../../domain/attempts/after-attempt.ts';
import { ImpossibleMoveError } from '../../domain/orders/order-machine.ts';
import { noAppointment } from '../../domain/orders/order.ts';

const talkOf = (change: Partial<PersonOutcome> = {}): PersonOutcome => ({
  optedOut: null,
  interest: 'unknown',
  appointment: noAppointment,
  qualification: { qualified: null, score: null, extracted_answers: {}, summary: null },
  verdict: 'undecided',
  talkSeconds: 30,
  personSpoke: true,
  ownFault: false,
  ...change,
});

const person = fc
  .record({
    optedOut: fc.constantFrom(null, 'stop_calling' as const, 'wrong_number' as const),
    interest: fc.constantFrom('yes' as const, 'no' as const, 'unknown' as const),
    verdict: fc.constantFrom(
      'qualified' as const,
      'knocked_out' as const,
      'below_threshold' as const,
      'undecided' as const,
    ),
    talkSeconds: fc.nat({ max: 600 }),
    personSpoke: fc.boolean(),
    ownFault: fc.boolean(),
  })
  .map((change): AttemptOutcome => ({ kind: 'person', talk: talkOf(change) }));
const unanswered = fc.constantFrom<AttemptOutcome>(
  { kind: 'no_answer' },
  { kind: 'busy' },
  { kind: 'declined' },
  { kind: 'machine' },
  { kind: 'invalid_number' },
  { kind: 'not_placed' },
);
const report = fc.constantFrom(
  null,
  { endedBy: 'agent' as const },
  { endedBy: 'person' as const },
  { endedBy: 'carrier' as const },
  { endedBy: 'own_fault' as const },
);

/** As begin_inbound_call makes them. */
const order = {
  status: 'IN_PROGRESS',
  attemptNumber: 1,
  maxAttempts: 1,
  carrierFaults: 0,
  sendSmsOnVoicemail: false,
} as const;
const now = new Date('2026-11-23T15:00:00Z');
const times = { now, retryAt: new Date(now.getTime() + 3_600_000) };

describe('a call to us', () => {
  it('never goes back to be dialled, though the carrier knows nothing of it', () => {
    expect(() => afterAttempt(order, { kind: 'not_placed' }, times)).toThrow(ImpossibleMoveError);
  });

  it('ends final, told, counted, and without a text or a dial, whatever came of it', () => {
    const told = fc
      .tuple(fc.oneof(person, unanswered), report)
      // The gateway never says of a call that it was not placed, or that there is no such number.
      .filter(([{ kind }, by]) => by === null || !['not_placed', 'invalid_number'].includes(kind));
    fc.assert(
      fc.property(told, ([outcome, by]) => {
        const next = afterAttempt(order, inboundOutcome(outcome, by), times);
        expect(next).toMatchObject({
          nextDialAt: null,
          event: 'order.completed',
          sendsText: false,
          counted: true,
        });
        expect(['BOOKED', 'QUALIFIED', 'DISQUALIFIED', 'FAILED']).toContain(next.status);
      }),
    );
  });

  it('of somebody who said nothing is dropped', () => {
    const silent: AttemptOutcome = { kind: 'person', talk: talkOf({ personSpoke: false }) };
    expect(inboundOutcome(silent, { endedBy: 'person' })).toEqual({ kind: 'dropped' });
  });

  it('of somebody who pressed 9 and said nothing keeps the wish', () => {
    const talk = talkOf({ personSpoke: false, optedOut: 'stop_calling' });
    const pressed: AttemptOutcome = { kind: 'person', talk };
    expect(inboundOutcome(pressed, { endedBy: 'agent' })).toBe(pressed);
  });

  it('of somebody who spoke is weighed like any other', () => {
    const spoke: AttemptOutcome = { kind: 'person', talk: talkOf({ verdict: 'qualified' }) };
    expect(inboundOutcome(spoke, { endedBy: 'own_fault' })).toBe(spoke);
  });
});
