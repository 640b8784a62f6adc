// The media token against the tables: one use, one call, one live attempt.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Carrier, Texts } from '../../domain/calls/carrier.ts';
import { acceptOrder } from '../../domain/orders/accept-order.ts';
import { admitCall } from '../../domain/attempts/admit-call.ts';
import { reportCall } from '../../domain/attempts/report-call.ts';
import { authenticateKey } from '../../domain/workspaces/authenticate-key.ts';
import { turnableClock } from '../../platform/clock.ts';
import { silentReport } from '../support/call-report.ts';
import { createWorkspace, orderBody } from '../support/factories.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
let system: TestContext;
let mediaUrls: string[];
let calls = 0;

/** Takes every call and keeps the media URL that it was given. */
const carrier: Carrier & Texts = {
  name: 'keeps media urls',
  async placeCall(request) {
    mediaUrls.push(request.mediaUrl);
    calls += 1;
    return { kind: 'placed', carrierCallId: `CA${calls}` };
  },
  findCall: async () => ({ kind: 'none' }),
  endCall: async () => 'ended',
  sendText: async () => ({ kind: 'sent', carrierTextId: 'SM1' }),
};

beforeAll(async () => {
  system = await createTestContext({ clock, carrier });
});
afterAll(() => system.close());
beforeEach(() => {
  mediaUrls = [];
});

/** Rings, and gives the token of the media URL and the carrier's id of the call. */
async function ring() {
  const workspace = await createWorkspace(system.ctx);
  const key = await authenticateKey(system.ctx, `Bearer ${workspace.liveKey}`);
  if (!key) throw new Error('The key of the factory is good.');
  const order = orderBody(workspace) as never;
  await acceptOrder(system.ctx, key, { order, idempotencyKey: null });
  await system.drain();
  const token = mediaUrls.at(-1)?.split('/').at(-1) ?? '';
  return { token, carrierCallId: `CA${calls}` };
}

describe('a media socket', () => {
  it('is admitted once, with what the agent needs to know', async () => {
    const { token, carrierCallId } = await ring();
    const admission = await admitCall(system.ctx, token, carrierCallId);
    expect(admission).toMatchObject({
      kind: 'admitted',
      brief: {
        carrierCallId,
        lead: { firstName: 'Dana' },
        agent: { businessName: 'Summit Roofing' },
      },
    });
    expect(await admitCall(system.ctx, token, carrierCallId)).toEqual({
      kind: 'refused',
      reason: 'used',
    });
  });

  it('of ten that race with one token, one is admitted', async () => {
    const { token, carrierCallId } = await ring();
    const race = Array.from({ length: 10 }, () => admitCall(system.ctx, token, carrierCallId));
    const admitted = (await Promise.all(race)).filter(({ kind }) => kind === 'admitted');
    expect(admitted).toHaveLength(1);
  });

  it('that carries another call is refused, and the token stays good for its own', async () => {
    const { token, carrierCallId } = await ring();
    expect(await admitCall(system.ctx, token, 'CA-of-somebody-else')).toEqual({
      kind: 'refused',
      reason: 'other_call',
    });
    expect((await admitCall(system.ctx, token, carrierCallId)).kind).toBe('admitted');
  });

  it('with a changed token is refused', async () => {
    const { token, carrierCallId } = await ring();
    expect(await admitCall(system.ctx, `${token}x`, carrierCallId)).toEqual({
      kind: 'refused',
      reason: 'bad_token',
    });
  });

  it('that comes too late is refused', async () => {
    const { token, carrierCallId } = await ring();
    await clock.turn(121_000);
    expect(await admitCall(system.ctx, token, carrierCallId)).toEqual({
      kind: 'refused',
      reason: 'expired',
    });
  });

  it('of an attempt that is over is refused', async () => {
    const { token, carrierCallId } = await ring();
    const admission = await admitCall(system.ctx, token, carrierCallId);
    if (admission.kind !== 'admitted') throw new Error('The first socket is admitted.');
    await reportCall(system.ctx, admission.brief, silentReport);
    expect(await admitCall(system.ctx, token, carrierCallId)).toEqual({
      kind: 'refused',
      reason: 'not_live',
    });
  });
});
