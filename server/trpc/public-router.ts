// The public operations as procedures: the order of their checks, then one verb each.
import { AppError } from '../../domain/app-error.ts';
import { checkConsentGate, isConsentTooOld } from '../../domain/leads/consent.ts';
import { limits } from '../../openapi/limits.ts';
import { createOrder, getOrder, idempotencyKeyPattern } from '../../openapi/operations.ts';
import type { OrderInput } from '../../openapi/orders.ts';
import { type PublicRequest, procedureFor, t } from './trpc.ts';

/** What an order id may look like; anything else is not worth a query. */
const orderIdPattern = /^ord_[A-Za-z0-9_-]{1,64}$/;

const consentGate = t.middleware(async ({ ctx, getRawInput, next }) => {
  // The binder hands over JSON objects only.
  const body = (await getRawInput()) as Record<string, unknown>;
  const refusal = checkConsentGate(body, ctx.now());
  if (refusal) throw new AppError(refusal);
  return next();
});

const requireKey = t.middleware(async ({ ctx, next }) => {
  const key = await ctx.verbs.authenticateKey(ctx.authorization);
  if (!key) throw new AppError('unauthorized');
  return next({ ctx: { key } });
});

export const publicRouter = t.router({
  createOrder: procedureFor(createOrder)
    .use(consentGate)
    .use(requireKey)
    .input(createOrder.input)
    .output(createOrder.success.schema)
    .mutation(async ({ ctx, input }) => {
      const problem = findOrderProblem(ctx, input);
      if (problem) throw new AppError('invalid_request', problem);
      const { accepted, replayed } = await ctx.verbs.acceptOrder(ctx.key, {
        order: input,
        idempotencyKey: ctx.idempotencyKey ?? null,
      });
      if (replayed) ctx.answerHeaders['idempotent-replayed'] = 'true';
      return accepted;
    }),

  getOrder: procedureFor(getOrder)
    .use(requireKey)
    .input(getOrder.input)
    .output(getOrder.success.schema)
    .query(async ({ ctx, input }) => {
      if (!orderIdPattern.test(input.order_id)) throw new AppError('not_found');
      const order = await ctx.verbs.readOrder(ctx.key, input.order_id);
      if (!order) throw new AppError('not_found', 'No such order in the workspace of the key.');
      return { success: true as const, ...order };
    }),
});

export type PublicRouter = typeof publicRouter;

export const createPublicCaller = t.createCallerFactory(publicRouter);

/**
 * The rules that a schema cannot hold, because they depend on the time, the network or a header.
 */
function findOrderProblem(ctx: PublicRequest, order: OrderInput): string | null {
  const { idempotencyKeyMaxChars } = limits.order;
  if (isConsentTooOld(order.consent.consented_at, ctx.now()))
    return `consent.consented_at: must not be older than ${limits.consent.ageMaxDays} days`;
  const urlProblem = order.webhook_url ? ctx.webhookUrlProblem(order.webhook_url) : null;
  if (urlProblem) return `webhook_url: ${urlProblem}`;
  if (ctx.idempotencyKey !== undefined && !idempotencyKeyPattern.test(ctx.idempotencyKey))
    return `Idempotency-Key: must be 1 to ${idempotencyKeyMaxChars} visible ASCII characters`;
  return null;
}
