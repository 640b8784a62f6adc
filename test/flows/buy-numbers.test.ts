// Numbers are bought once, whatever happens to the answer, and no call is made from one that is given back.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox, type Sandbox } from '../../adapters/carriers/sandbox/start-sandbox.ts';
import { sandboxTelnyxAccount } from '../../adapters/carriers/sandbox/telnyx/account.ts';
import { createTelnyxNumbers } from '../../adapters/carriers/telnyx/telnyx-numbers.ts';
import { chargeRents } from '../../domain/billing/charge-rents.ts';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import type { Numbers } from '../../domain/calls/numbers.ts';
import { buyNumber } from '../../domain/workspaces/buy-number.ts';
import { listHeldNumbers } from '../../domain/workspaces/caller-number-queries.ts';
import { releaseNumber } from '../../domain/workspaces/release-number.ts';
import { turnableClock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/log.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const clock = turnableClock(new Date('2026-11-21T12:00:00Z'));
const log = createLogger({ level: 'silent', process: 'test' });
const asked: string[] = [];
let sandbox: Sandbox;
let test: TestContext;
let shop: Numbers;
let workspace: TestWorkspace;
let last = 149;

beforeAll(async () => {
  const account = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'token' };
  sandbox = await startSandbox({ ...account, port: 0, simulationSpeed: 20, log });
  const telnyx = { ...sandboxTelnyxAccount(account.authToken), messagingProfileId: null };
  shop = createTelnyxNumbers({ ...telnyx, baseUrl: sandbox.url });
  const numbers: Numbers = {
    ...shop,
    buyNumber(order) {
      asked.push(order.phone);
      return shop.buyNumber(order);
    },
  };
  test = await createTestContext({ clock, numbers });
});
afterAll(async () => {
  await test.close();
  await sandbox.close();
});
beforeEach(async () => {
  workspace = await createWorkspace(test.ctx);
  last += 1;
});

const phone = () => `+15035550${last}`;
const buy = () => buyNumber(test.ctx, workspace.id, phone());
const held = async () =>
  (await listHeldNumbers(test.ctx.db, workspace.id)).filter((row) => row.phone === phone());
const timesAsked = () => asked.filter((each) => each === phone()).length;

/** The numbers from which the workspace may call. */
const callable = async () =>
  (
    await test.ctx.db<{ phone: string }[]>`
      select phone from caller_numbers where workspace_id = ${workspace.id} and active`
  ).map((row) => row.phone);

const fault = (request: object) =>
  fetch(`${sandbox.url}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to: phone(), request }),
  });

describe('buying a number', () => {
  it('makes it a number to call from, and buying it again changes nothing', async () => {
    expect(await buy()).toMatchObject({ kind: 'owned', number: { phone: phone() } });
    expect(await callable()).toContain(phone());
    expect(await buy()).toMatchObject({ kind: 'owned' });
    expect(timesAsked()).toBe(1);
    expect(await held()).toMatchObject([{ state: 'owned', carrier: 'none' }]);
  });

  it('keeps nothing of a number that is not for sale', async () => {
    const other = await createWorkspace(test.ctx);
    await buyNumber(test.ctx, other.id, phone());
    expect(await buy()).toEqual({ kind: 'not_available' });
    expect(await held()).toEqual([]);
    expect(await callable()).not.toContain(phone());
  });

  it('costs the first month at once, and only once', async () => {
    const balanceMicros = async () =>
      (await readWallet(test.ctx, workspace.id))?.balanceMicros ?? 0;
    // The number that the workspace had before owes its own month.
    await chargeRents(test.ctx, workspace.id);
    const before = await balanceMicros();
    await buy();
    expect(before - (await balanceMicros())).toBe(3_000_000);
    await chargeRents(test.ctx, workspace.id);
    expect(before - (await balanceMicros())).toBe(3_000_000);
  });

  it('whose process died is looked up by the jobs, and costs its month then', async () => {
    const lost = () => Promise.reject(new Error('The process died.'));
    const order = { ...test.ctx.numbers, findNumber: lost };
    await fault({ kind: 'fails_after_placing' });
    const died = buyNumber({ ...test.ctx, numbers: order }, workspace.id, phone());
    await expect(died).rejects.toThrow('The process died.');
    expect(await held()).toMatchObject([{ state: 'buying' }]);
    await test.drain();
    expect(await held()).toMatchObject([{ state: 'buying' }]);
    await clock.turn(61_000);
    await test.drain();
    expect(await held()).toMatchObject([{ state: 'owned' }]);
    expect(timesAsked()).toBe(1);
    const rents = await test.ctx.db`
      select from ledger_transfers where workspace_id = ${workspace.id} and kind = 'rent'
        and idempotency_key like 'rent:' || ${(await held())[0]?.id ?? ''} || ':%'`;
    expect(rents).toHaveLength(1);
  });

  it('looks an unknown purchase up and finds that it was made', async () => {
    await fault({ kind: 'fails_after_placing' });
    expect(await buy()).toMatchObject({ kind: 'owned' });
    expect(timesAsked()).toBe(1);
  });

  it('never repeats a purchase of unknown outcome; ten minutes later it was never made', async () => {
    await fault({ kind: 'fails_before_placing' });
    expect(await buy()).toMatchObject({ kind: 'buying' });
    expect(await buy()).toMatchObject({ kind: 'buying' });
    expect(timesAsked()).toBe(1);
    expect(await callable()).not.toContain(phone());
    await clock.turn(601_000);
    await test.drain();
    expect(await held()).toEqual([]);
    expect(await buy()).toMatchObject({ kind: 'owned' });
  });

  it('by ten at once asks the carrier once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, buy));
    expect(answers.every(({ kind }) => kind === 'owned' || kind === 'buying')).toBe(true);
    expect(timesAsked()).toBe(1);
    expect(await held()).toMatchObject([{ state: 'owned' }]);
  });

  it.each([
    ['nonsense', 'invalid_phone'],
    ['+442071838750', 'not_a_us_number'],
  ])('%s is refused as %s', async (typed, kind) => {
    expect(await buyNumber(test.ctx, workspace.id, typed)).toEqual({ kind });
  });
});

describe('releasing a number', () => {
  it('ends calls from it, gives it back, and says so once', async () => {
    await buy();
    expect(await releaseNumber(test.ctx, workspace.id, phone())).toBe('released');
    expect(await callable()).not.toContain(phone());
    expect(await releaseNumber(test.ctx, workspace.id, phone())).toBe('not_bought');
    expect(await buy()).toMatchObject({ kind: 'owned' });
  });

  it('that the carrier could not hear is asked again, and no call is made meanwhile', async () => {
    await buy();
    const deaf = { ...test.ctx, numbers: { ...shop, releaseNumber: unreachable } };
    expect(await releaseNumber(deaf, workspace.id, phone())).toBe('releasing');
    expect(await callable()).not.toContain(phone());
    expect(await buy()).toMatchObject({ kind: 'being_released' });
    await test.drain();
    expect(await held()).toMatchObject([{ state: 'releasing' }]);
    await clock.turn(61_000);
    await test.drain();
    expect(await held()).toEqual([]);
  });

  it('at a carrier that is not in use waits for it', async () => {
    await buy();
    const deaf = { ...test.ctx, numbers: { ...shop, releaseNumber: unreachable } };
    await releaseNumber(deaf, workspace.id, phone());
    const gone = (carrier: string) => test.ctx.db`
      update caller_numbers set carrier = ${carrier}
      where workspace_id = ${workspace.id} and state = 'releasing'`;
    await gone('another');
    await clock.turn(61_000);
    await test.drain();
    expect(await held()).toMatchObject([{ state: 'releasing' }]);
    await gone(test.ctx.carrier.name);
    await clock.turn(3_601_000);
    await test.drain();
    expect(await held()).toEqual([]);
  });

  it('leaves a number alone that was given to the workspace by hand', async () => {
    expect(await releaseNumber(test.ctx, workspace.id, '+12125550199')).toBe('not_bought');
    expect(await callable()).toEqual(['+12125550199']);
  });
});

const unreachable = () => Promise.resolve('unreachable' as const);
