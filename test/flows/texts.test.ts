// Texts both ways between the server and the sandbox network: signed, repeated, late, out of order.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import { acceptOrder } from '../../domain/orders/accept-order.ts';
import { reportCall } from '../../domain/attempts/report-call.ts';
import { authenticateKey } from '../../domain/workspaces/authenticate-key.ts';
import { turnableClock } from '../../platform/clock.ts';
import { machineReport } from '../support/call-report.ts';
import { createWorkspace, orderBody, type TestWorkspace } from '../support/factories.ts';
import { startTextingSystem, type TextingSystem } from '../support/texting-system.ts';

const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
const callerNumber = '+12125550199';
let system: TextingSystem;
let workspace: TestWorkspace;
let phone = '';
let people = 0;

beforeAll(async () => {
  system = await startTextingSystem({ clock, firstPort: 18_700 });
});
afterAll(() => system.close());
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx, { agent: { businessName: 'Hill & Sons' } });
  people += 1;
  phone = `+1212555${String(2000 + people)}`;
});

async function order(change: Record<string, unknown> = {}) {
  const key = await authenticateKey(system.ctx, `Bearer ${workspace.liveKey}`);
  if (!key) throw new Error('The key of the factory is good.');
  const body = orderBody(workspace, { lead: { phone }, ...change });
  const asked = { order: body as never, idempotencyKey: null };
  return (await acceptOrder(system.ctx, key, asked)).accepted.order_id;
}

/** The person texts the workspace's number; answers what our webhook said. */
async function textBack(body: string, change: object = {}) {
  const response = await system.control('texts', {
    from: phone,
    to: callerNumber,
    body,
    ...change,
  });
  return ((await response.json()) as { status: number | null }).status;
}

const textsToPerson = () => system.textsTo(phone);

const listed = () => system.ctx.db`
  select source, quote, order_id from do_not_contact
  where workspace_id = ${workspace.id} and phone = ${phone}`;
const received = () => system.ctx.db`
  select body, order_id from texts
  where workspace_id = ${workspace.id} and phone = ${phone} and direction = 'in' order by id`;

describe('STOP', () => {
  it('lists the number before it is answered, ends the waiting order and is confirmed once', async () => {
    const id = await order();
    expect(await textBack('Stop.')).toBe(200);
    expect(await listed()).toEqual([{ source: 'text_reply', quote: 'Stop.', orderId: id }]);
    await system.drain();
    const [row] = await system.ctx.db`select status, reason from orders where id = ${id}`;
    expect(row).toEqual({ status: 'FAILED', reason: 'do_not_contact' });
    await textBack('STOP');
    await system.drain();
    const texts = await textsToPerson();
    expect(texts).toEqual([expect.stringMatching(/^Hill & Sons: you are opted out/)]);
    expect(system.network.callsTo(phone)).toEqual([]);
  });

  it('delivered ten times at once is one text, one entry and one confirmation', async () => {
    await order();
    const fields = { MessageSid: `SM${phone}`, From: phone, To: callerNumber, Body: 'STOP' };
    const posts = Array.from({ length: 10 }, () =>
      system.postSigned('/carriers/twilio/texts', fields),
    );
    for (const { status } of await Promise.all(posts)) expect(status).toBe(200);
    await system.drain();
    expect(await received()).toHaveLength(1);
    expect(await textsToPerson()).toHaveLength(1);
    const entries = await system.ctx.db`
      select 1 from do_not_contact_history where workspace_id = ${workspace.id}`;
    expect(entries).toHaveLength(1);
  });

  it('that the carrier answered is not answered twice', async () => {
    await order();
    await textBack('Stop', { handled_as: 'STOP' });
    await system.drain();
    expect(await listed()).toHaveLength(1);
    expect(await textsToPerson()).toEqual([expect.stringContaining('successfully')]);
  });

  it('in a word that only the carrier knows holds all the same', async () => {
    await order();
    await textBack('GENUG', { handled_as: 'STOP' });
    expect(await listed()).toMatchObject([{ source: 'text_reply', quote: 'GENUG' }]);
  });

  it('on a shared number holds where the person is known, and nowhere else', async () => {
    const mine = workspace;
    workspace = await createWorkspace(system.ctx);
    await order();
    const other = workspace;
    workspace = mine;
    await order();
    await textBack('STOP');
    await system.drain();
    const rows = await system.ctx.db<{ workspaceId: string }[]>`
      select workspace_id from do_not_contact where phone = ${phone}`;
    expect(rows.map(({ workspaceId }) => workspaceId).toSorted()).toEqual(
      [mine.id, other.id].toSorted(),
    );
    expect(await textsToPerson()).toHaveLength(1);
  });
});

it('a STOP that cannot be written down is refused whole, and holds when it is repeated', async () => {
  await order();
  const fields = { MessageSid: `SM${phone}`, From: phone, To: callerNumber, Body: 'STOP' };
  const post = () => system.postSigned('/carriers/twilio/texts', fields);
  await system.ctx.db`alter table do_not_contact_history rename to history_away`;
  expect((await post()).status).toBe(500);
  await system.ctx.db`alter table history_away rename to do_not_contact_history`;
  expect(await received()).toEqual([]);
  expect(await listed()).toEqual([]);
  expect((await post()).status).toBe(200);
  expect(await listed()).toHaveLength(1);
});

describe('START', () => {
  it('lifts what a STOP set, and says so', async () => {
    await order();
    await textBack('STOP');
    await system.drain();
    await textBack('start');
    await system.drain();
    expect(await listed()).toEqual([]);
    expect((await textsToPerson()).toSorted()).toEqual([
      expect.stringContaining('opted in again'),
      expect.stringContaining('opted out'),
    ]);
  });

  it('lifts nothing that was said, and nothing for who is not listed', async () => {
    await order();
    await textBack('YES');
    await textBack('stop calling me');
    await textBack('START');
    await system.drain();
    expect(await listed()).toMatchObject([{ source: 'said', quote: 'stop calling me' }]);
    expect(await textsToPerson()).toEqual([expect.stringContaining('opted out')]);
  });
});

describe('other texts', () => {
  it('HELP is answered with the name of the business, also to who opted out', async () => {
    await order();
    await textBack('STOP');
    await textBack('help?');
    await system.drain();
    const [help] = (await textsToPerson()).filter((text) => text.includes('about your request'));
    expect(help).toContain('Hill & Sons');
    expect(help).toContain('Reply STOP');
  });

  it('HELP without end is answered once a minute', async () => {
    await order();
    const helped = async () => {
      await textBack('HELP');
      await textBack('HELP');
      await system.drain();
      return (await textsToPerson()).length;
    };
    expect(await helped()).toBe(1);
    await clock.turn(61_000);
    expect(await helped()).toBe(2);
  });

  it('free words are kept with the latest order and answered by nobody', async () => {
    await order();
    await clock.turn(1_000);
    const latest = await order();
    await textBack('Friday is better, but call after five');
    await system.drain();
    expect(await received()).toEqual([
      { body: 'Friday is better, but call after five', orderId: latest },
    ]);
    expect(await textsToPerson()).toEqual([]);
  });

  it('to a number of nobody is taken and changes nothing', async () => {
    expect(await textBack('STOP', { to: '+12125550198' })).toBe(200);
    const rows = await system.ctx.db`select 1 from do_not_contact where phone = ${phone}`;
    expect(rows).toEqual([]);
  });

  it.each(['/carriers/twilio/texts', `/carriers/twilio/wsp_1/texts/txt_1`])(
    'a forged one at %s is refused and changes nothing',
    async (path) => {
      await order();
      const body = new URLSearchParams([
        ['MessageSid', 'SM1'],
        ['MessageStatus', 'delivered'],
        ['From', phone],
        ['To', callerNumber],
        ['Body', 'STOP'],
      ]);
      const post = (headers: Record<string, string>) =>
        fetch(`${system.baseUrl}${path}`, { method: 'POST', body, headers });
      expect((await post({ 'x-twilio-signature': 'forged' })).status).toBe(403);
      expect((await post({})).status).toBe(403);
      expect(await listed()).toEqual([]);
      expect(await received()).toEqual([]);
    },
  );
});

describe('the delivery of a text', () => {
  /** An order of one attempt that met a machine; its text is sent. */
  async function textedOrder(change: Record<string, unknown> = { cadence: { max_attempts: 1 } }) {
    const id = await order(change);
    await system.drain();
    const attemptId = system.network.callsTo(phone).at(-1)?.attemptId ?? '';
    const call = { workspaceId: workspace.id, orderId: id, attemptId };
    await reportCall(system.ctx, call, machineReport(clock.now()));
    await system.drain();
    return id;
  }

  const delivery = async () => {
    const [text] = await system.ctx.db<{ deliveryState: string | null }[]>`
      select state, delivery_state, delivery_error from texts
      where workspace_id = ${workspace.id} and phone = ${phone} and direction = 'out'`;
    return text;
  };
  const balance = async () => (await readWallet(system.ctx, workspace.id)).balanceMicros;
  const paid = 100_000_000 - 15_000;

  it('is told to its end', async () => {
    await textedOrder();
    await expect.poll(delivery).toMatchObject({ state: 'sent', deliveryState: 'delivered' });
    expect(await balance()).toBe(paid);
  });

  it('stays at its end when the callbacks come in reverse and three times each', async () => {
    await system.control('faults', { to: phone, callbacks: { send: 'reversed', copies: 3 } });
    await textedOrder();
    const [text] = await system.ctx.db<{ id: string }[]>`
      select id from texts where workspace_id = ${workspace.id}`;
    const told = () => system.logged.filter((line) => line.includes(`"textId":"${text?.id}"`));
    // Six callbacks; the last three told "sent".
    await expect.poll(() => told().length).toBe(6);
    expect(await delivery()).toMatchObject({ deliveryState: 'delivered' });
  });

  it('that does not arrive is kept with its code, and was carried all the same', async () => {
    await system.control('faults', {
      to: phone,
      texts: { endsAs: 'undelivered', errorCode: 30_003 },
    });
    await textedOrder();
    await expect
      .poll(delivery)
      .toMatchObject({ deliveryState: 'undelivered', deliveryError: '30003' });
    expect(await balance()).toBe(paid);
  });

  it('that the carrier fails to send costs nothing, however often it says so', async () => {
    await system.control('faults', {
      to: phone,
      texts: { endsAs: 'failed', errorCode: 30_007 },
      callbacks: { copies: 3 },
    });
    await textedOrder();
    await expect.poll(delivery).toMatchObject({ deliveryState: 'failed', deliveryError: '30007' });
    await expect.poll(balance).toBe(100_000_000);
    expect(await listed()).toEqual([]);
  });

  it('that fails because the person opted out lists the number and ends the order', async () => {
    await system.control('faults', { to: phone, texts: { endsAs: 'failed', errorCode: 21_610 } });
    const id = await textedOrder({});
    await expect.poll(listed).toEqual([{ source: 'carrier', quote: null, orderId: id }]);
    await system.drain();
    const [row] = await system.ctx.db`select status, reason from orders where id = ${id}`;
    expect(row).toEqual({ status: 'FAILED', reason: 'do_not_contact' });
  });

  it('proves that a text was taken whose answer was lost', async () => {
    await system.control('faults', { to: phone, request: { kind: 'fails_after_placing' } });
    await textedOrder();
    await expect.poll(delivery).toMatchObject({ state: 'sent', deliveryState: 'delivered' });
    expect(await textsToPerson()).toHaveLength(1);
  });
});

it('no log line holds a number or a word of a text', () => {
  expect(system.logged.length).toBeGreaterThan(10);
  const lines = system.logged.join('');
  for (const secret of ['+1212555', 'Friday is better', 'stop calling me', 'GENUG', 'opted out'])
    expect(lines).not.toContain(secret);
});
