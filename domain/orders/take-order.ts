// Takes an order, from whichever intake, or says why not; a refused order leaves nothing behind.
import { limits } from '../../openapi/limits.ts';
import { AppError } from '../app-error.ts';
import type { AgentHours } from '../calling-hours/next-legal-minute.ts';
import { priceCall } from '../billing/price-call.ts';
import type { Context } from '../context.ts';
import { firstDial } from '../dialling/first-dial.ts';
import { intakeVerdict, type Asked, type RateRefusal } from './intake-verdict.ts';
import type { ExistingOrder, IntakeFacts, IntakeRules, NewOrder } from './order-queries.ts';
import { insertOrderIfAllowed, unreadableSource } from './order-queries.ts';
import { recallAgentHours, rememberAgentHours } from './recall-agent-hours.ts';

const dayMs = 24 * 60 * 60 * 1000;

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
    const { windowRefusal, ...dial } = firstDial(ctx.settings, draft, agentHours);
    const refused = asked.destinationRefusal ?? windowRefusal ?? rateRefusal;
    const facts = await readFactsAndInsert(
      ctx,
      { ...draft, ...dial },
      { maySucceed: refused === null, agentHours },
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
    const verdict = intakeVerdict(withWindow(ctx, draft, asked, agentHours), facts, rateRefusal);
    if (verdict.kind === 'replayed') return verdict;
    if (verdict.kind === 'refused') throw new AppError(verdict.code, verdict.message);
    ctx.log.debug({ round }, 'intake raced for the same order, or met other calling hours');
  }
  throw new Error('An order was neither inserted nor found.');
}

/** The window counts as a part of the destination: it is refused right after the phone. */
function withWindow(ctx: Context, draft: OrderDraft, asked: Asked, agentHours: AgentHours): Asked {
  const { windowRefusal } = firstDial(ctx.settings, draft, agentHours);
  return { ...asked, destinationRefusal: asked.destinationRefusal ?? windowRefusal };
}

/** A simulated call costs nothing, and what is no US number has no row. */
async function refusalByRate(ctx: Context, draft: OrderDraft, asked: Asked): Promise<RateRefusal> {
  if (asked.kind === 'simulated' || asked.destinationRefusal) return null;
  const price = await priceCall(ctx, draft.phone, draft.now);
  return price.kind === 'refused' ? price.code : null;
}

async function readFactsAndInsert(
  ctx: Context,
  order: NewOrder,
  rules: Pick<IntakeRules, 'maySucceed' | 'agentHours'>,
): Promise<IntakeFacts> {
  const daysAgo = (days: number) => new Date(order.now.getTime() - days * dayMs);
  try {
    return await insertOrderIfAllowed(ctx.db, order, {
      ...rules,
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
