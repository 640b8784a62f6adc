// The table refuses what the state machine does not have, whoever asks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDER_STATUSES, type OrderStatus } from '../../openapi/outcome.ts';
import { orderMachine } from '../../domain/orders/order-machine.ts';
import { turnableClock } from '../../platform/clock.ts';
import { createWorkspace } from '../support/factories.ts';
import { createOrderRow } from '../support/recorded-order.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

let system: TestContext;

beforeAll(async () => {
  system = await createTestContext({ clock: turnableClock(new Date('2026-11-23T15:00:00Z')) });
});
afterAll(() => system.close());

function isMove(from: OrderStatus, to: OrderStatus): boolean {
  return orderMachine.some((move) => move.to === to && move.from.some((one) => one === from));
}

it('has the moves of the state machine and no other', async () => {
  const { db } = system.ctx;
  for (const from of ORDER_STATUSES)
    for (const to of ORDER_STATUSES) {
      const [answer] = await db`select is_legal_move(${from}, ${to}) as legal`;
      expect({ from, to, legal: answer?.['legal'] }).toEqual({
        from,
        to,
        legal: from === to || isMove(from, to),
      });
    }
});

describe('a final order', () => {
  const row = async () => createOrderRow(system.ctx, await createWorkspace(system.ctx));

  it.each([
    { status: 'FAILED' },
    { reason: 'no_answer' },
    { chargedMicros: 150_000 },
    { attemptNumber: 2 },
    { completedAt: null, status: 'QUEUED' },
  ])('refuses %o', async (change) => {
    const { db } = system.ctx;
    const id = await row();
    await expect(db`update orders set ${db(change)} where id = ${id}`).rejects.toMatchObject({
      constraint_name: 'legal_move',
    });
  });

  it('takes what the analysis adds', async () => {
    const { db } = system.ctx;
    const id = await row();
    const change = { qualification: { summary: 'Later.' } as never, analysis: 'complete' };
    const { count } = await db`update orders set ${db(change)} where id = ${id}`;
    expect(count).toBe(1);
  });
});

it('a waiting order is not moved to an end that only a call can have', async () => {
  const { db } = system.ctx;
  const workspace = await createWorkspace(system.ctx);
  const id = await createOrderRow(system.ctx, workspace);
  await db`delete from orders where id = ${id}`;
  await db`
    insert into orders (workspace_id, id, test, agent_id, agent_version, status, phone,
      max_attempts, retry_interval_minutes, send_sms_on_voicemail, consent,
      estimated_dial_seconds, next_dial_at, created_at, updated_at)
    values (${workspace.id}, ${id}, false, ${workspace.agentId}, 1, 'QUEUED', '+12125550101',
      3, 60, true, '{}', 2, now(), now(), now())`;
  await expect(
    db`update orders set status = 'BOOKED', next_dial_at = null, completed_at = now()
      where id = ${id}`,
  ).rejects.toMatchObject({ constraint_name: 'legal_move' });
});
