// Calls to a workspace's numbers, from the carrier's request to the tables: taken once and paid, or refused whole.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCallDesk } from '../../domain/attempts/create-call-desk.ts';
import { turnableClock } from '../../platform/clock.ts';
import { createAgent } from '../support/factories.ts';
import { type InboundEdge, inboundForm, startInboundEdge } from '../support/inbound-edge.ts';
import {
  caller,
  centMicros,
  createInboundWorkspace,
  type InboundWorkspace,
  startMicros,
} from '../support/inbound-workspace.ts';

const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
let edge: InboundEdge;
let workspace: InboundWorkspace;

beforeAll(async () => {
  edge = await startInboundEdge(clock);
});
afterAll(() => edge.stop());
beforeEach(async () => {
  workspace = await createInboundWorkspace(edge);
});

async function expectNothingHappened() {
  expect(await workspace.orders()).toEqual([]);
  expect(await workspace.events()).toEqual([]);
  expect(await workspace.wallet()).toMatchObject({ balanceMicros: startMicros, heldMicros: 0 });
}

describe('a call to a number of the workspace', () => {
  it('is an order in progress, with the call itself as consent and a minute held', async () => {
    const answered = await edge.call(inboundForm({ To: workspace.number }));
    expect(answered.status).toBe(200);
    expect(answered.twiml).toMatch(
      /<Connect><Stream url="[^"]+\/media\/twilio\/[^"]+"\/><\/Connect>/,
    );
    expect(await workspace.onlyOrder()).toMatchObject({
      status: 'IN_PROGRESS',
      direction: 'inbound',
      test: false,
      attempt_number: 1,
      external_reference_id: null,
      agent_id: workspace.agentId,
      lead: { phone: caller, first_name: null, custom_context: null },
      cadence: { max_attempts: 1, send_sms_on_voicemail: false },
      consent: {
        opt_in_confirmed: true,
        consented_at: clock.now().toISOString(),
        source: 'inbound_call',
      },
      webhook_url: null,
      next_attempt_at: null,
      attempts: [{ number: 1, outcome: null }],
    });
    expect((await workspace.wallet()).heldMicros).toBe(15 * centMicros);
  });

  it('told again is answered the same, and is one order', async () => {
    const form = inboundForm({ To: workspace.number });
    const first = await edge.call(form);
    await clock.turn(1_000);
    const again = await Promise.all(Array.from({ length: 8 }, () => edge.call(form)));
    for (const answer of again) expect(answer).toEqual(first);
    await workspace.onlyOrder();
  });

  it('told ten times at once is one order', async () => {
    const form = inboundForm({ To: workspace.number });
    const answers = await Promise.all(Array.from({ length: 10 }, () => edge.call(form)));
    expect(new Set(answers.map(({ twiml }) => twiml)).size).toBe(1);
    await workspace.onlyOrder();
    expect((await workspace.wallet()).heldMicros).toBe(15 * centMicros);
  });

  it('reaches the agent as a call to it', async () => {
    const { brief } = await workspace.connected();
    expect(brief).toMatchObject({
      direction: 'inbound',
      lead: { firstName: null },
      agent: { businessName: 'Summit Roofing' },
    });
  });

  it('ends once: charged by started minutes, told to the default URL, nothing held', async () => {
    const { form, brief } = await workspace.connected();
    await workspace.report(brief, { talkStartedAt: new Date(clock.now().getTime() - 45_000) });
    await workspace.report(brief);
    await edge.callEnded({ ...form, CallStatus: 'completed', CallDuration: '45' });
    expect(await workspace.onlyOrder()).toMatchObject({
      status: 'FAILED',
      reason: 'inconclusive',
      final: true,
      duration_seconds: 45,
      billed_minutes: 1,
      charged_cents: 15,
    });
    expect(await workspace.wallet()).toEqual({
      balanceMicros: startMicros - 15 * centMicros,
      ledgerMicros: startMicros - 15 * centMicros,
      heldMicros: 0,
      openHoldsMicros: 0,
    });
    const [event, ...more] = await workspace.events();
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      event: 'order.completed',
      url: 'http://127.0.0.1:9/default',
    });
    expect(JSON.parse(event?.body.toString() ?? '')).toMatchObject({
      external_reference_id: null,
      attempt_number: 1,
      test: false,
    });
  });

  it('is billed for no more than was held, minute by minute', async () => {
    await using desk = await createCallDesk(edge.ctx);
    const { brief } = await workspace.connected();
    const extensions: string[] = [];
    for (let minute = 0; minute < 8; minute += 1) extensions.push(await desk.extendHold(brief));
    // One dollar pays for six minutes of fifteen cents.
    expect(extensions.filter((answer) => answer === 'extended')).toHaveLength(5);
    await workspace.report(brief, { talkStartedAt: new Date(clock.now().getTime() - 20 * 60_000) });
    expect(await workspace.onlyOrder()).toMatchObject({ billed_minutes: 6, charged_cents: 90 });
    expect(await workspace.wallet()).toMatchObject({
      balanceMicros: 10 * centMicros,
      heldMicros: 0,
    });
  });
});

describe('who answers', () => {
  it('the agent that the number was given', async () => {
    const agentId = await createAgent(edge.ctx, workspace.id);
    await edge.ctx
      .db`update caller_numbers set agent_id = ${agentId} where phone = ${workspace.number}`;
    await edge.call(inboundForm({ To: workspace.number }));
    expect(await workspace.onlyOrder()).toMatchObject({ agent_id: agentId });
  });

  it('without one, the first active agent that was published', async () => {
    await edge.ctx.db`update agents set active = false where id = ${workspace.agentId}`;
    await createAgent(edge.ctx, workspace.id, { published: false });
    await clock.turn(1_000);
    const agentId = await createAgent(edge.ctx, workspace.id);
    await clock.turn(1_000);
    await createAgent(edge.ctx, workspace.id);
    await edge.call(inboundForm({ To: workspace.number }));
    expect(await workspace.onlyOrder()).toMatchObject({ agent_id: agentId });
  });
});

describe('a call that is not taken changes nothing', () => {
  const change = (column: 'active' | 'published_version', value: boolean | null) => () =>
    edge.ctx
      .db`update agents set ${edge.ctx.db({ [column]: value })} where id = ${workspace.agentId}`;
  const giveAgent = () =>
    edge.ctx
      .db`update caller_numbers set agent_id = ${workspace.agentId} where phone = ${workspace.number}`;
  const plan = (status: string) => () =>
    edge.ctx.db`update workspaces set plan_status = ${status} where id = ${workspace.id}`;
  const wallet = (fields: Record<string, unknown>) => () =>
    edge.ctx
      .db`update wallets set ${edge.ctx.db(fields as never)} where workspace_id = ${workspace.id}`;

  it.each<[string, () => Promise<unknown>]>([
    ['no agent is active', change('active', false)],
    ['no agent is published', change('published_version', null)],
    [
      'the agent of the number is off',
      async () => void (await giveAgent(), await change('active', false)()),
    ],
    [
      'the agent of the number was never published',
      async () => void (await giveAgent(), await change('published_version', null)()),
    ],
    ['the plan is cancelled', plan('inactive')],
    ['the plan is overdue', plan('past_due')],
    ['calling is paused', wallet({ paused: true })],
  ])('%s: told so, and hung up', async (_, arrange) => {
    await arrange();
    const { twiml } = await edge.call(inboundForm({ To: workspace.number }));
    expect(twiml).toMatch(/<Response><Say>Thank you for calling\..+<\/Say><Hangup\/><\/Response>$/);
    await expectNothingHappened();
  });

  it('the wallet cannot pay a minute: told so, and hung up', async () => {
    workspace = await createInboundWorkspace(edge, 15 * centMicros - 1);
    const { twiml } = await edge.call(inboundForm({ To: workspace.number }));
    expect(twiml).toContain('<Say>');
    expect(await workspace.orders()).toEqual([]);
  });

  it('as many live calls as the workspace may have: busy', async () => {
    await edge.ctx.db`update workspaces set live_call_limit = 1 where id = ${workspace.id}`;
    await edge.call(inboundForm({ To: workspace.number, From: '+12125550144' }));
    const { twiml } = await edge.call(inboundForm({ To: workspace.number }));
    expect(twiml).toContain('<Response><Reject reason="busy"/></Response>');
    await workspace.onlyOrder();
  });

  it('a number that nobody has: not in service', async () => {
    const { twiml } = await edge.call(inboundForm({ To: '+12125559999' }));
    expect(twiml).toContain('<Response><Reject reason="rejected"/></Response>');
  });

  it('a number that was switched off: not in service', async () => {
    await edge.ctx.db`update caller_numbers set active = false where phone = ${workspace.number}`;
    const { twiml } = await edge.call(inboundForm({ To: workspace.number }));
    expect(twiml).toContain('<Reject reason="rejected"/>');
    await expectNothingHappened();
  });

  it('the tables cannot be read: told so, and hung up', async () => {
    await edge.ctx.db`alter table holds rename to holds_away`;
    const { status, twiml } = await edge.call(inboundForm({ To: workspace.number }));
    await edge.ctx.db`alter table holds_away rename to holds`;
    expect(status).toBe(200);
    expect(twiml).toContain('<Say>');
    await expectNothingHappened();
  });

  it.each(['of another token', ''])('with a signature %j: 403', async (signature) => {
    const form = inboundForm({ To: workspace.number });
    expect((await edge.call(form, signature)).status).toBe(403);
    expect((await edge.callEnded(form, signature)).status).toBe(403);
    await expectNothingHappened();
  });

  it('without a number that was called: 400', async () => {
    expect((await edge.call(inboundForm({ To: 'client:web' }))).status).toBe(400);
    await expectNothingHappened();
  });

  it('of twenty calls at once, as many as money and lines allow', async () => {
    const callers = Array.from({ length: 20 }, (_, n) => `+121255502${String(n + 10)}`);
    const answers = await Promise.all(
      callers.map((From) => edge.call(inboundForm({ To: workspace.number, From }))),
    );
    expect(answers.filter(({ token }) => token !== null)).toHaveLength(6);
    expect(await workspace.orders()).toHaveLength(6);
    expect((await workspace.wallet()).heldMicros).toBe(90 * centMicros);
  });
});
