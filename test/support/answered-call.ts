// An order whose phone rings, is answered, and is talked on, one verb after the other.
import type { CallBrief } from '../../domain/calls/call-desk.ts';
import { acceptOrder } from '../../domain/orders/accept-order.ts';
import { admitCall } from '../../domain/attempts/admit-call.ts';
import { keepTurn, markAnswered } from '../../domain/attempts/attempt-queries.ts';
import { readOrder } from '../../domain/orders/read-order.ts';
import { reportCall } from '../../domain/attempts/report-call.ts';
import type { TurnableClock } from '../../platform/clock.ts';
import { talkReport, type TalkKind } from './talk-reports.ts';
import { orderBody, type TestWorkspace } from './factories.ts';
import type { ScriptedCall, ScriptedCarrier } from './scripted-carrier.ts';
import type { TestContext } from './test-context.ts';

export interface CallScene {
  readonly system: TestContext;
  readonly clock: TurnableClock;
  readonly network: ScriptedCarrier;
  readonly workspace: TestWorkspace;
}

const keyOf = (workspace: TestWorkspace) =>
  ({ keyId: 'key_test', workspaceId: workspace.id, mode: 'live' }) as const;

export async function placeOrder(scene: CallScene, change: Record<string, unknown> = {}) {
  const { system, workspace } = scene;
  const order = orderBody(workspace, change) as never;
  const { accepted } = await acceptOrder(system.ctx, keyOf(workspace), {
    order,
    idempotencyKey: null,
  });
  return {
    id: accepted.order_id,
    read: async () => {
      const body = await readOrder(system.ctx, keyOf(workspace), accepted.order_id);
      if (!body) throw new Error('The order is there.');
      return body;
    },
  };
}

/** The last call that rang is picked up; a gateway holds it. */
export async function answerCall({ system, network }: CallScene) {
  const call = network.pickUp();
  if (!call) throw new Error('A phone rings.');
  const admission = await admitCall(system.ctx, call.token, call.id);
  if (admission.kind !== 'admitted') throw new Error('The socket of the call is admitted.');
  return { call, brief: admission.brief };
}

/** What the person says, a second each. */
export async function say(
  { system, clock }: CallScene,
  brief: CallBrief,
  words: readonly string[],
) {
  await markAnswered(system.ctx.db, brief, clock.now(), clock.now());
  for (const [position, text] of words.entries()) {
    const startMs = position * 1_000;
    const turn = { position, role: 'user' as const, text, startMs, endMs: startMs + 900 };
    await keepTurn(system.ctx.db, brief, turn, clock.now());
  }
}

/** Half a minute later the line goes down and the gateway reports. */
export async function endTalk(
  { system, clock }: CallScene,
  { call, brief }: { call: ScriptedCall; brief: CallBrief },
  kind: TalkKind,
) {
  await clock.turn(30_000);
  call.states.push('completed');
  await reportCall(system.ctx, brief, talkReport(kind, call.answeredAt, clock.now()));
}
