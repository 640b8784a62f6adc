// Takes an order, from whichever intake, or says why not; a refused order leaves nothing behind.
import { limits } from '../../openapi/limits.ts';
import { AppError } from '../app-error.ts';
import { priceCall } from '../billing/price-call.ts';
import type { AgentHours } from '../calling-hours/next-legal-minute.ts';
import type { Context } from '../context.ts';
import { dialWindow } from './dial-window.ts';
import { intakeVerdict, type Asked, type RateRefusal } from './intake-verdict.ts';
import type { ExistingOrder, IntakeFacts, NewOrder } from './order-queries.ts';
import { insertOrderIfAllowed, unreadableSource } from './order-queries.ts';
import { recallAgentHours, rememberAgentHours } from './recall-agent-hours.ts';
import { simulation } from './simulated-outcome.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** A live call is placed at once; this covers the way to the carrier. */
const liveDialSeconds = 2;

export type Taking =
  | { readonly kind: 'taken'; readonly estimatedDialSeconds: number }
  /** It was taken before, under the same Idempotency-Key or as the same payload. */
  | { readonly kind: 'replayed'; readonly order: ExistingOrder };

/** An order as an intake hands it over; when it is dialled is found here. */
export type OrderDraft = Omit<NewOrder, 'estimatedDialSeconds' | 'nextDialAt'>;

/** Throws AppError with the first refusal in the documented order. */
export async function takeOrder(ctx: Context, draft: OrderDraft, asked: Asked): Promise<Taking> {
  const rateRefusal = await refusalByRate(ctx, draft, asked);
  let agentHours = recallAgentHours(ctx, draft);
  // Another round meets the winner of a race for the same key or payload, or the agent's hours as they are.
  for (const round of [1, 2, 3]) {
    const dial = firstDial(ctx, draft, agentHours);
    const refusal = asked.destinationRefusal ?? dial.windowRefusal ?? rateRefusal;
    const facts = await readFactsAndInsert(
      ctx,
      { ...draft, ...dial },
      { agentHours, maySucceed: refusal === null },
    );
    if (facts.insertedId) {
      ctx.wakeJobs(dial.nextDialAt);
      ctx.log.info(
        { orderId: draft.id, workspaceId: draft.workspaceId, kind: draft.kind },
        'order accepted',
      );
      return { kind: 'taken', estimatedDialSeconds: dial.estimatedDialSeconds };
    }
    agentHours = facts.agentHours;
    rememberAgentHours(ctx, draft, agentHours);
    const { windowRefusal } = firstDial(ctx, draft, agentHours);
    const destinationRefusal = asked.destinationRefusal ?? windowRefusal;
    const verdict = intakeVerdict({ ...asked, destinationRefusal }, facts, rateRefusal);
    if (verdict.kind === 'replayed') return verdict;
    if (verdict.kind === 'refused') throw new AppError(verdict.code, verdict.message);
    ctx.log.debug({ round }, 'intake raced for the same order, or met other calling hours');
  }
  throw new Error('An order was neither inserted nor found.');
}

/** A simulated call costs nothing, and what is no US number has no row. */
async function refusalByRate(ctx: Context, draft: OrderDraft, asked: Asked): Promise<RateRefusal> {
  if (asked.kind === 'simulated' || asked.destinationRefusal) return null;
  const price = await priceCall(ctx, draft.phone, draft.now);
  return price.kind === 'refused' ? price.code : null;
}

type FirstDial = Pick<NewOrder, 'estimatedDialSeconds' | 'nextDialAt'> & {
  readonly windowRefusal: Asked['destinationRefusal'];
};

/** When the first dial is due, and how that is told. */
function firstDial(ctx: Context, draft: OrderDraft, agentHours: AgentHours): FirstDial {
  const { now } = draft;
  if (draft.kind === 'simulated') {
    const seconds = simulation.dialAfterSeconds / ctx.settings.simulationSpeed;
    const nextDialAt = new Date(now.getTime() + seconds * 1000);
    return { estimatedDialSeconds: Math.ceil(seconds), nextDialAt, windowRefusal: null };
  }
  const window = dialWindow(
    ctx.settings,
    { phone: draft.phone, simulated: false },
    agentHours,
    now,
  );
  if (!window) return { estimatedDialSeconds: 0, nextDialAt: now, windowRefusal: noCallingWindow };
  const waitSeconds = Math.ceil((window.at.getTime() - now.getTime()) / 1000);
  return {
    estimatedDialSeconds: Math.max(liveDialSeconds, waitSeconds),
    nextDialAt: window.at,
    windowRefusal: null,
  };
}

const noCallingWindow = {
  code: 'unsupported_destination',
  message: 'No calling window opens for this number within the next 3 days.',
} as const;

async function readFactsAndInsert(
  ctx: Context,
  order: NewOrder,
  { agentHours, maySucceed }: { agentHours: AgentHours; maySucceed: boolean },
): Promise<IntakeFacts> {
  const daysAgo = (days: number) => new Date(order.now.getTime() - days * dayMs);
  try {
    return await insertOrderIfAllowed(ctx.db, order, {
      maySucceed,
      agentHours,
      minimumBalanceMicros: limits.wallet.minimumToOrderMicros,
      testOrdersMax: limits.testOrders.per24Hours,
      testOrdersSince: daysAgo(1),
      confirmedSince: daysAgo(limits.triggerUrl.testNumberConfirmedWithinDays),
    });
  } catch (cause) {
    // Nothing was inserted or the answer was lost; sending the same again finds out which.
    const source = await unreadableSource(ctx.db);
    if (source === 'wallets') throw new AppError('wallet_unavailable', undefined, { cause });
    if (source === 'do_not_contact')
      throw new AppError('suppression_unavailable', undefined, { cause });
    throw cause;
  }
}
