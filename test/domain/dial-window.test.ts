// What a waiting order is said to wait for: calling hours only where they put its dial off.
import { describe, expect, it } from 'vitest';
import { dialWaitOf, dialWindow } from '../../domain/dialling/dial-window.ts';
import { sandboxPeople } from '../../domain/workspaces/sandbox-people.ts';

const settings = { ringsSandbox: true };
const order = { phone: '+12122340177', simulated: false };

const waitOf = (dueAt: string | null, now: string) =>
  dialWaitOf(
    settings,
    { ...order, nextDialAt: dueAt ? new Date(dueAt) : null },
    null,
    new Date(now),
  );

describe('an order of New York', () => {
  it.each([
    ['put off from the night', '2026-11-24T13:00:00Z', '2026-11-24T04:00:00Z', true],
    ['put off by an interval into the night', '2026-11-24T13:00:00Z', '2026-11-24T01:00:00Z', true],
    ['with an interval that ends by day', '2026-11-24T15:00:00Z', '2026-11-24T04:00:00Z', false],
    ['with an interval of days, at night', '2026-11-27T15:00:00Z', '2026-11-24T04:00:00Z', false],
    ['due now', '2026-11-24T15:00:00Z', '2026-11-24T15:00:00Z', false],
    ['overdue', '2026-11-24T15:00:00Z', '2026-11-24T15:00:05Z', false],
  ])('%s', (_name, dueAt, now, waits) => {
    const wait = waitOf(dueAt, now);
    expect(wait.nextAttemptAt).toEqual(new Date(dueAt));
    expect(wait.waitingFor?.rule ?? null).toBe(waits ? 'federal_hours' : null);
  });

  it('whose text is followed up at night is dialled in the morning', () => {
    expect(waitOf('2026-11-24T03:00:00Z', '2026-11-24T01:00:00Z')).toMatchObject({
      nextAttemptAt: new Date('2026-11-24T13:00:00Z'),
      waitingFor: { rule: 'federal_hours' },
    });
  });

  it('without a due dial waits for nothing', () => {
    expect(waitOf(null, '2026-11-24T04:00:00Z')).toEqual({ nextAttemptAt: null, waitingFor: null });
  });
});

describe('who has no hours', () => {
  const night = new Date('2026-11-24T07:00:00Z');
  const isOpen = (phone: string, simulated: boolean, ringsSandbox: boolean) =>
    dialWindow({ ringsSandbox }, { phone, simulated }, null, night)?.why === null;

  it('fictional numbers, as long as the carrier is the sandbox', () => {
    expect(isOpen(sandboxPeople.books, false, true)).toBe(true);
    expect(isOpen(sandboxPeople.books, false, false)).toBe(false);
    expect(isOpen('+12122340177', false, true)).toBe(false);
  });

  it('simulated orders', () => expect(isOpen('+12122340177', true, false)).toBe(true));
});
