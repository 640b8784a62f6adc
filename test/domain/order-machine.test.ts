import { expect, it } from 'vitest';
import { ORDER_STATUSES, type OrderStatus } from '../../openapi/outcome.ts';
import {
  ImpossibleMoveError,
  nextStatus,
  orderMachine,
  type OrderHappening,
} from '../../domain/orders/order-machine.ts';

const happenings = orderMachine.map(({ on }) => on);
const finals: readonly OrderStatus[] = ['BOOKED', 'QUALIFIED', 'DISQUALIFIED', 'FAILED'];

/** All ways out of a status. */
function exits(from: OrderStatus) {
  return happenings.flatMap((on) => {
    try {
      const { status } = nextStatus(from, on);
      return status === from ? [] : [status];
    } catch (error) {
      if (error instanceof ImpossibleMoveError) return [];
      throw error;
    }
  });
}

it('each happening stands in the table once, so that it can mean one thing only', () => {
  expect(new Set(happenings).size).toBe(orderMachine.length);
});

it.each(finals)('%s is never left', (status) => {
  expect(exits(status)).toEqual([]);
});

it('from every other status a final one can be reached', () => {
  const reaches = (from: OrderStatus, seen: ReadonlySet<OrderStatus>): boolean =>
    finals.includes(from) ||
    exits(from).some((to) => !seen.has(to) && reaches(to, new Set([...seen, to])));
  for (const status of ORDER_STATUSES) expect(reaches(status, new Set([status]))).toBe(true);
});

it('every way into a final status tells it, and beginning to ring or to talk tells nothing', () => {
  const events = (wanted: readonly string[]) =>
    orderMachine.filter(({ to }) => wanted.includes(to)).map(({ event }) => event);
  expect(new Set(events(finals))).toEqual(new Set(['order.completed']));
  expect(new Set(events(['DIALING', 'IN_PROGRESS']))).toEqual(new Set([null]));
});

it.each<[OrderStatus, OrderHappening]>([
  ['BOOKED', 'missed'],
  ['FAILED', 'dial_begun'],
  ['QUEUED', 'booked'],
  ['QUEUED', 'person_answered'],
  ['IN_PROGRESS', 'first_never_rang'],
  ['DIALING', 'waits_for_money'],
  ['RETRY_SCHEDULED', 'interval_ended'],
])('%s does not move on %s', (from, on) => {
  expect(() => nextStatus(from, on)).toThrow(ImpossibleMoveError);
});
