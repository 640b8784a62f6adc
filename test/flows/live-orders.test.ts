// Every person of the sandbox, called for real over audio: what the order, the webhook and the wallet say afterwards.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import { recordingKey } from '../../domain/recordings/store-recording.ts';
import { sandboxPeople } from '../../domain/workspaces/sandbox-people.ts';
import { verifyWebhook } from '../../sdk/src/index.ts';
import type { TestWorkspace } from '../support/factories.ts';
import { startLiveSystem, type LiveSystem, type ReadOrder } from '../support/live-system.ts';
import { openReceiver } from '../support/receiver.ts';

type Person = keyof typeof sandboxPeople;

let live: LiveSystem;
let workspace: TestWorkspace;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
const orders = new Map<Person, string>();

beforeAll(async () => {
  live = await startLiveSystem({ firstPort: 18_300 });
  workspace = await live.workspace();
  receiver = await openReceiver();
  for (const person of Object.keys(sandboxPeople) as Person[]) {
    const maxAttempts = person === 'hangs_up' ? 2 : 1;
    const order = await live.order(workspace, sandboxPeople[person], {
      webhook_url: receiver.url,
      cadence: { max_attempts: maxAttempts },
    });
    orders.set(person, order.id);
  }
}, 60_000);
afterAll(async () => {
  await live.stop();
  await receiver.close();
});

const read = (person: Person): Promise<ReadOrder> => live.read(workspace, orders.get(person) ?? '');

/** The order once its call is over. */
async function ended(person: Person): Promise<ReadOrder> {
  await expect
    .poll(async () => (await read(person)).attempts.at(-1)?.outcome ?? null, {
      timeout: 110_000,
      interval: 250,
    })
    .not.toBeNull();
  return read(person);
}

const heard = (order: ReadOrder, role: string) =>
  order.transcript.filter((turn) => turn.role === role).map(({ text }) => text);

function expectDisclosure(order: ReadOrder) {
  const said = heard(order, 'agent').join(' ');
  expect(said).toContain('virtual AI assistant');
  expect(said).toContain('transcribed and may be recorded');
  expect(said).toContain("'stop calling'");
}

describe('the person who books', () => {
  it('BOOKED, with the appointment of the calendar, every answer, and one minute charged', async () => {
    const order = await ended('books');
    expect(order).toMatchObject({
      status: 'BOOKED',
      final: true,
      attempt_number: 1,
      billed_minutes: 1,
      charged_cents: 15,
      appointment: { booked: true, calendar_event_id: expect.stringMatching(/^cal_/) },
      qualification: {
        qualified: true,
        score: 100,
        extracted_answers: { homeowner: true, roof_age_years: 12, start: 'this month' },
      },
    });
    expectDisclosure(order);
  });

  it('reports it by a webhook that verifies and tells what GET tells', async () => {
    const { order_id: id } = await ended('books');
    await expect
      .poll(() => receiver.received.some(({ event }) => event.order_id === id), {
        timeout: 20_000,
      })
      .toBe(true);
    const webhook = receiver.received.find(({ event }) => event.order_id === id);
    const signature = String(webhook?.headers['x-service-signature']);
    const event = await verifyWebhook(webhook?.body ?? '', signature, workspace.webhookSecret);
    const { event: name, ...report } = event;
    expect(name).toBe('order.completed');
    expect(await read('books')).toMatchObject(report);
  });

  it('leaves a stereo recording that is shorter than the talk, because it begins after the notice', async () => {
    const order = await ended('books');
    const row = await expect
      .poll(async () => (await recordingOf('books'))?.state, { timeout: 20_000 })
      .toBe('ready')
      .then(() => recordingOf('books'));
    const file = recordingKey(workspace.id, String(order['order_id']), row?.attemptId ?? '');
    const mp3 = await readFile(join(live.dataDir, 'recordings', file));
    expect(channelsOf(mp3)).toBe(2);
    const seconds = (row?.durationMs ?? 0) / 1000;
    expect(seconds).toBeGreaterThan(10);
    expect(seconds).toBeLessThan(Number(order['duration_seconds']) - 5);
  });
});

describe('the others', () => {
  it('qualifies without booking', async () => {
    const order = await ended('qualifies');
    expect(order).toMatchObject({ status: 'QUALIFIED', appointment: { booked: false } });
  });

  it('not interested', async () => {
    expect(await ended('not_interested')).toMatchObject({
      status: 'DISQUALIFIED',
      reason: 'not_interested',
    });
  });

  it('"stop calling" over the agent: suppressed at once, and refused from then on', async () => {
    expect(await ended('stop_calling')).toMatchObject({
      status: 'DISQUALIFIED',
      reason: 'do_not_contact',
      recording_url: null,
    });
    const again = await live.order(workspace, sandboxPeople.stop_calling);
    expect(again.status).toBe(409);
  });

  it('objects to recording: the talk goes on and no recording is kept', async () => {
    const order = await ended('objects_to_recording');
    expect(order).toMatchObject({ status: 'BOOKED', recording_url: null });
    expect(await recordingOf('objects_to_recording')).toBeNull();
  });

  it('talks over the disclosure: it is heard to its end all the same', async () => {
    const order = await ended('talks_over');
    expect(order.status).toBe('BOOKED');
    expectDisclosure(order);
  });

  it('voicemail: hung up, texted, not charged for the call', async () => {
    expect(await ended('voicemail')).toMatchObject({
      status: 'VOICEMAIL_SMS_SENT',
      final: true,
      charged_cents: 0,
      qualification: null,
    });
    await expect
      .poll(async () => (await live.textsTo(sandboxPeople.voicemail)).length, { timeout: 10_000 })
      .toBe(1);
  });

  it.each(['no_answer', 'busy'] as const)('%s: nobody reached, nothing charged', async (person) => {
    expect(await ended(person)).toMatchObject({
      status: 'FAILED',
      reason: 'no_answer',
      charged_cents: 0,
      qualification: null,
      transcript: [],
    });
  });

  it('hangs up at once: dropped, and tried again by the cadence', async () => {
    expect(await ended('hangs_up')).toMatchObject({
      status: 'RETRY_SCHEDULED',
      reason: 'call_dropped',
      final: false,
    });
  });
});

it('when all calls are over, nothing is held and the ledger is the balance', async () => {
  const bodies = await Promise.all([...orders.keys()].map(ended));
  const calls = bodies.reduce((cents, order) => cents + order.charged_cents, 0);
  const wallet = await readWallet(live.ctx, workspace.id);
  const voicemailTextMicros = 15_000;
  expect(wallet).toEqual({
    balanceMicros: 100_000_000 - calls * 10_000 - voicemailTextMicros,
    heldMicros: 0,
    ledgerMicros: 100_000_000 - calls * 10_000 - voicemailTextMicros,
    openHoldsMicros: 0,
  });
});

async function recordingOf(person: Person) {
  const [row] = await live.ctx.db<{ state: string; attemptId: string; durationMs: number }[]>`
    select state, attempt_id, duration_ms from recordings
    where workspace_id = ${workspace.id} and order_id = ${orders.get(person) ?? ''}`;
  return row ?? null;
}

/** From the first frame header: eleven sync bits, and a channel mode of three for mono. */
function channelsOf(mp3: Buffer): number {
  const start = mp3.findIndex((byte, at) => byte === 0xff && ((mp3[at + 1] ?? 0) & 0xe0) === 0xe0);
  return (mp3[start + 3] ?? 0) >> 6 === 3 ? 1 : 2;
}
