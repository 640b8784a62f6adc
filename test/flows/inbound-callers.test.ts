// Whoever calls, and however the call ends: one order that is final, and nobody called back.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptOrder } from '../../domain/orders/accept-order.ts';
import { createCallDesk } from '../../domain/attempts/create-call-desk.ts';
import { dialOrder } from '../../domain/dialling/dial-order.ts';
import { turnableClock } from '../../platform/clock.ts';
import { orderBody } from '../support/factories.ts';
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

describe('a caller', () => {
  const order = () =>
    acceptOrder(edge.ctx, workspace.key, {
      order: orderBody(workspace, { lead: { phone: caller } }) as never,
      idempotencyKey: null,
    });

  it('who is in a live call of ours hears a busy line', async () => {
    await order();
    await edge.drain();
    const { twiml } = await edge.call(inboundForm({ To: workspace.number }));
    expect(twiml).toContain('<Reject reason="busy"/>');
    expect((await workspace.onlyOrder()).direction).toBe('outbound');
  });

  it('is not dialled while they are on the line with us', async () => {
    await edge.call(inboundForm({ To: workspace.number }));
    const { accepted } = await order();
    await dialOrder(edge.ctx, { workspaceId: workspace.id, orderId: accepted.order_id });
    expect(await workspace.read(accepted.order_id)).toMatchObject({
      status: 'QUEUED',
      attempt_number: 0,
    });
  });

  it('who calls twice at once gets through once', async () => {
    const answers = await Promise.all([
      edge.call(inboundForm({ To: workspace.number })),
      edge.call(inboundForm({ To: workspace.number })),
    ]);
    expect(answers.filter(({ token }) => token !== null)).toHaveLength(1);
    await workspace.onlyOrder();
  });

  it('whom we dial while they call us is on one line with us, whoever is first', async () => {
    const { accepted } = await order();
    const dial = () =>
      dialOrder(edge.ctx, { workspaceId: workspace.id, orderId: accepted.order_id });
    const callIn = () => edge.call(inboundForm({ To: workspace.number }));
    await Promise.all([callIn(), dial(), callIn(), dial(), callIn()]);
    const live = await edge.ctx.db`
      select direction from attempts where workspace_id = ${workspace.id} and ended_at is null`;
    expect(live).toHaveLength(1);
    expect((await workspace.wallet()).openHoldsMicros).toBe(
      live[0]?.['direction'] === 'inbound' ? 15 * centMicros : 16.5 * centMicros,
    );
  });

  it.each(['anonymous', '+266696687', '+7378742833', '+2562533', '', 'sip:bob@example.com'])(
    'who shows %j is anonymous',
    async (From) => {
      const { brief } = await workspace.connected({ From });
      const again = await edge.call(inboundForm({ To: workspace.number, From }));
      expect(again.token).not.toBeNull();
      await workspace.report(brief);
      const found = await workspace.orders();
      expect(found.map(({ lead }) => lead.phone)).toEqual(['anonymous', 'anonymous']);
    },
  );

  it('who says "stop calling" is not called again; without a number there is none to list', async () => {
    await using desk = await createCallDesk(edge.ctx);
    for (const From of [caller, 'anonymous']) {
      const { brief } = await workspace.connected({ From });
      await desk.optOut(brief, 'stop_calling', 'stop calling me');
      await workspace.report(brief, { optedOut: 'stop_calling' });
    }
    const listed = await edge.ctx.db`
      select phone, source from do_not_contact where workspace_id = ${workspace.id}`;
    expect([...listed]).toEqual([{ phone: caller, source: 'said' }]);
    for (const { status, reason } of await workspace.orders())
      expect({ status, reason }).toEqual({ status: 'DISQUALIFIED', reason: 'do_not_contact' });
    await edge.ctx.db`select deposit(${workspace.id}, 'trf', 'trf', 1000000, ${clock.now()})`;
    await expect(order()).rejects.toMatchObject({ code: 'do_not_contact' });
  });

  it('who asked not to be called may call', async () => {
    await edge.ctx
      .db`select suppress_number(${workspace.id}, ${caller}, 'added', null, null, ${clock.now()})`;
    expect((await edge.call(inboundForm({ To: workspace.number }))).token).not.toBeNull();
  });

  it('who stays silent is nobody reached: no charge', async () => {
    const { brief } = await workspace.connected();
    await workspace.report(brief, {
      answeredBy: 'nobody',
      talkStartedAt: null,
      talkEndedAt: null,
      personSpoke: false,
      endedBy: 'agent',
    });
    expect(await workspace.onlyOrder()).toMatchObject({
      status: 'FAILED',
      reason: 'no_answer',
      charged_cents: 0,
      qualification: null,
      transcript: [],
    });
  });

  it('who hangs up before a word is called back by nobody, and not charged', async () => {
    const { brief } = await workspace.connected();
    await workspace.report(brief, {
      talkStartedAt: new Date(clock.now().getTime() - 3_000),
      personSpoke: false,
    });
    expect(await workspace.onlyOrder()).toMatchObject({
      status: 'FAILED',
      reason: 'call_dropped',
      final: true,
      next_attempt_at: null,
      duration_seconds: 0,
      charged_cents: 0,
      qualification: null,
    });
  });
});

describe('when nobody tells how the call ended, the carrier is asked', () => {
  const dropped = {
    status: 'FAILED',
    reason: 'call_dropped',
    final: true,
    attempt_number: 1,
    charged_cents: 0,
    qualification: null,
  };
  const found = (carrierCallId: string, state: 'in_progress' | 'completed' | 'failed' | 'busy') =>
    edge.lookups.set(carrierCallId, {
      kind: 'found',
      carrierCallId,
      state,
      durationSeconds: state === 'completed' ? 2 : null,
    });

  it.each(['completed', 'failed', 'busy', 'in_progress'] as const)(
    'the media never came and the call is %s: dropped, at no charge',
    async (state) => {
      const form = inboundForm({ To: workspace.number });
      await edge.call(form);
      found(form.CallSid, state);
      await clock.turn(21_000);
      await edge.drain();
      expect(await workspace.onlyOrder()).toMatchObject(dropped);
      expect(edge.ended.includes(form.CallSid)).toBe(state === 'in_progress');
      expect(await workspace.wallet()).toMatchObject({
        balanceMicros: startMicros,
        heldMicros: 0,
      });
      expect((await workspace.events()).map(({ event }) => event)).toEqual(['order.completed']);
    },
  );

  it('the carrier does not know the call: dropped, and never dialled', async () => {
    const From = '+12125550155';
    await edge.call(inboundForm({ To: workspace.number, From }));
    await clock.turn(24 * 3_600_000);
    await edge.drain();
    expect(await workspace.onlyOrder()).toMatchObject(dropped);
    expect(edge.dialled).not.toContain(From);
  });

  it('the carrier says that it is over before the media came: looked up within seconds', async () => {
    const form = inboundForm({ To: workspace.number });
    await edge.call(form);
    found(form.CallSid, 'completed');
    await edge.callEnded({ ...form, CallStatus: 'completed', CallDuration: '1' });
    await clock.turn(6_000);
    await edge.drain();
    expect(await workspace.onlyOrder()).toMatchObject(dropped);
  });

  it('the end of a call that was not taken changes nothing', async () => {
    const { status } = await edge.callEnded(
      inboundForm({ To: workspace.number, CallStatus: 'busy', CallDuration: '0' }),
    );
    expect(status).toBe(200);
    expect(await workspace.orders()).toEqual([]);
    expect(await workspace.events()).toEqual([]);
  });

  it('the gateway is lost in mid-call: billed to the last word heard, by our own fault', async () => {
    await using desk = await createCallDesk(edge.ctx);
    const { form, brief } = await workspace.connected();
    await desk.personAnswered(brief, clock.now());
    await clock.turn(10_000);
    const turn = { position: 0, role: 'user', text: 'Hi there', startMs: 0, endMs: 900 } as const;
    await desk.keepTurn(brief, turn);
    found(form.CallSid, 'in_progress');
    await clock.turn(60_000);
    await edge.drain();
    expect(edge.ended).toContain(form.CallSid);
    expect(await workspace.onlyOrder()).toMatchObject({
      status: 'FAILED',
      reason: 'call_failed',
      duration_seconds: 10,
      charged_cents: 15,
    });
  });
});
