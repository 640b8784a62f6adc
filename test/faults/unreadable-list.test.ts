// A do-not-contact list that cannot be read stops every call and text, and loses none of them.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import { acceptOrder } from '../../domain/orders/accept-order.ts';
import { claimDue } from '../../domain/orders/claim-due.ts';
import { dialOrder } from '../../domain/dialling/dial-order.ts';
import { reportCall } from '../../domain/attempts/report-call.ts';
import { sendText } from '../../domain/texts/send-text.ts';
import { authenticateKey } from '../../domain/workspaces/authenticate-key.ts';
import { turnableClock } from '../../platform/clock.ts';
import { machineReport } from '../support/call-report.ts';
import { createWorkspace, orderBody, type TestWorkspace } from '../support/factories.ts';
import { createKeptCarrier } from '../support/kept-carrier.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const phone = '+12125550123';
const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
const network = createKeptCarrier();
let system: TestContext;
let workspace: TestWorkspace;

beforeAll(async () => {
  system = await createTestContext({ clock, carrier: network.carrier });
});
afterAll(() => system.close());
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx);
  network.calls.length = 0;
  network.texts.length = 0;
});

async function place() {
  const key = await authenticateKey(system.ctx, `Bearer ${workspace.liveKey}`);
  if (!key) throw new Error('The key of the factory is good.');
  const order = orderBody(workspace, { lead: { phone }, cadence: { max_attempts: 1 } }) as never;
  const { accepted } = await acceptOrder(system.ctx, key, { order, idempotencyKey: null });
  return { workspaceId: workspace.id, orderId: accepted.order_id };
}

async function withoutList<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  await system.ctx.db`alter table do_not_contact rename to do_not_contact_away`;
  try {
    return await act();
  } finally {
    await system.ctx.db`alter table do_not_contact_away rename to do_not_contact`;
  }
}

/** Its lease ends, as it does for work that failed. */
async function workAgain() {
  await clock.turn(61_000);
  await system.drain();
}

it('a dial fails before anything is committed, and rings once the list is back', async () => {
  const ref = await place();
  await withoutList(async () => {
    await claimDue(system.ctx);
    await expect(dialOrder(system.ctx, ref)).rejects.toThrow('do_not_contact');
  });
  expect(network.calls).toEqual([]);
  const attempts = await system.ctx.db`select 1 from attempts where workspace_id = ${workspace.id}`;
  expect(attempts).toEqual([]);
  await workAgain();
  expect(network.callsTo(phone)).toHaveLength(1);
});

it('a list lost after the intent was committed stops the call; it is put back uncounted', async () => {
  const { orderId } = await place();
  const { db } = system.ctx;
  await db`create or replace function lose_list() returns trigger language plpgsql as $$
    begin alter table do_not_contact rename to do_not_contact_away; return null; end $$`;
  await db`
    create trigger lose_list_for_test after insert on holds
    for each row execute function lose_list()`;
  await system.drain();
  await db`drop trigger lose_list_for_test on holds`;
  await db`alter table do_not_contact_away rename to do_not_contact`;
  expect(network.calls).toEqual([]);
  const [order] = await db`select status, attempt_number from orders where id = ${orderId}`;
  expect(order).toEqual({ status: 'QUEUED', attemptNumber: 0 });
  expect((await readWallet(system.ctx, workspace.id)).heldMicros).toBe(0);
  await workAgain();
  expect(network.callsTo(phone)).toHaveLength(1);
});

it('a call ends although the list cannot be read, its text waits, and goes out once it can', async () => {
  const ref = await place();
  await system.drain();
  const attemptId = network.calls.at(-1)?.attemptId ?? '';
  await withoutList(async () => {
    await reportCall(system.ctx, { ...ref, attemptId }, machineReport(clock.now()));
    const [text] = await system.ctx.db<{ id: string }[]>`
      select id from texts where workspace_id = ${workspace.id}`;
    const textRef = { workspaceId: workspace.id, textId: text?.id ?? '' };
    await expect(sendText(system.ctx, textRef)).rejects.toThrow('do_not_contact');
  });
  expect(network.texts).toEqual([]);
  const [order] = await system.ctx.db`select status from orders where id = ${ref.orderId}`;
  expect(order).toEqual({ status: 'VOICEMAIL_SMS_SENT' });
  await workAgain();
  expect(network.textsTo(phone)).toHaveLength(1);
});
