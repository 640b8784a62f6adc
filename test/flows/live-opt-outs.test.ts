// Opt-outs through the running system: real processes, the queue's own hints, and no clock turned.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sandboxPeople } from '../../domain/workspaces/sandbox-people.ts';
import type { TestWorkspace } from '../support/factories.ts';
import { startLiveSystem, type LiveSystem } from '../support/live-system.ts';
import { openReceiver } from '../support/receiver.ts';

const ours = '+12125550199';
let live: LiveSystem;
let workspace: TestWorkspace;
let receiver: Awaited<ReturnType<typeof openReceiver>>;

beforeAll(async () => {
  live = await startLiveSystem({
    firstPort: 18_800,
    // Phones ring long enough to be interrupted.
    environment: { SIMULATION_SPEED: '2' },
  });
}, 60_000);
afterAll(() => live.stop());
beforeEach(async () => {
  workspace = await live.workspace();
  receiver = await openReceiver();
  return () => receiver.close();
});

const until = (read: () => Promise<unknown>) =>
  expect.poll(read, { timeout: 30_000, interval: 50 });

async function place(phone: string) {
  const { id } = await live.order(workspace, phone, { webhook_url: receiver.url });
  return { id, status: async () => (await live.read(workspace, id)).status };
}

const eventsOf = (orderId: string) =>
  receiver.received
    .filter(({ event }) => event.order_id === orderId)
    .map(({ event }) => [event.event, event['reason']]);

it('a STOP ends the order that waits an hour for its next call, tells so, and is confirmed', async () => {
  const phone = sandboxPeople.busy;
  const order = await place(phone);
  await until(order.status).toBe('RETRY_SCHEDULED');
  await live.textBack({ from: phone, to: ours, body: 'Stop please' });
  await until(order.status).toBe('FAILED');
  await until(async () => eventsOf(order.id)).toEqual([
    ['order.updated', 'no_answer'],
    ['order.completed', 'do_not_contact'],
  ]);
  await until(async () => (await live.textsTo(phone)).length).toBe(1);
  expect((await live.order(workspace, phone)).status).toBe(409);
});

it('a STOP while the phone rings ends the ringing', async () => {
  const phone = sandboxPeople.no_answer;
  const order = await place(phone);
  await until(order.status).toBe('DIALING');
  await until(() => live.ringsOf(phone)).toBe(1);
  await live.textBack({ from: phone, to: ours, body: 'STOP' });
  await until(order.status).toBe('FAILED');
  await until(async () => eventsOf(order.id)).toEqual([['order.completed', 'do_not_contact']]);
});
