// The public operations as procedures: the order of their checks, then one verb each.
import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { RecordingFile } from '../../domain/recordings/open-recording.ts';
import { checkConsentGate, isConsentTooOld } from '../../domain/leads/consent.ts';
import { limits } from '../../openapi/limits.ts';
import { createOrder, getOrder, idempotencyKeyPattern } from '../../openapi/operations.ts';
import { getMe, listAgents, listOrders } from '../../openapi/read-operations.ts';
import { getRecording, getRecordingLink } from '../../openapi/recording-operations.ts';
import { receiveLead } from '../../openapi/lead-operations.ts';
import type { OrderList } from '../../openapi/order-list.ts';
import type { OrderInput } from '../../openapi/orders.ts';
import { isDatabaseFailure } from '../../platform/db.ts';
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

/** A database that cannot be asked is told from a failure of our own: the caller may come again shortly. */
function failAs(code: 'unavailable' | 'wallet_unavailable') {
  return t.middleware(async ({ next }) => {
    const result = await next();
    if (!result.ok && isDatabaseFailure(result.error.cause))
      throw new AppError(code, undefined, { cause: result.error.cause });
    return result;
  });
}

/** Counts the read, also one that then turns out to be wrong. */
const limitReads = t.middleware(async ({ ctx, next }) => {
  const key = await ctx.verbs.authenticateKey(ctx.authorization);
  if (!key) throw new AppError('unauthorized');
  await ctx.verbs.takeRead(key);
  return next({ ctx: { key } });
});

/** Comes before the query and the body: a stranger learns nothing about either. */
const openTriggerUrl = t.middleware(async ({ ctx, getRawInput, next }) => {
  // The route has no other path than one with a token.
  const { token } = (await getRawInput()) as { token: string };
  return next({ ctx: { triggerUrl: await ctx.verbs.openTriggerUrl(token) } });
});

export const publicRouter = t.router({
  createOrder: procedureFor(createOrder)
    .use(failAs('wallet_unavailable'))
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

  receiveLead: procedureFor(receiveLead)
    .use(failAs('unavailable'))
    .use(openTriggerUrl)
    .input(receiveLead.input)
    .output(receiveLead.success.schema)
    .mutation(async ({ ctx, input }) => {
      const payload = await ctx.readBody();
      const test = input.test === '1' || input.test === 'true';
      return ctx.verbs.acceptLead(ctx.triggerUrl, { payload, test });
    }),

  getOrder: procedureFor(getOrder)
    .use(limitReads)
    .input(getOrder.input)
    .output(getOrder.success.schema)
    .query(async ({ ctx, input }) => {
      if (!orderIdPattern.test(input.order_id)) throw new AppError('not_found');
      const order = await ctx.verbs.readOrder(ctx.key, input.order_id);
      if (!order) throw new AppError('not_found', 'No such order in the workspace of the key.');
      return { success: true as const, ...order };
    }),

  listOrders: procedureFor(listOrders)
    .use(failAs('unavailable'))
    .use(limitReads)
    .input(listOrders.input)
    // A page is built field by field; checking a hundred orders again would double its cost.
    .output(z.custom<OrderList>())
    .query(({ ctx, input }) => ctx.verbs.listOrders(ctx.key, input)),

  getMe: procedureFor(getMe)
    .use(failAs('unavailable'))
    .use(limitReads)
    .input(getMe.input)
    .output(getMe.success.schema)
    .query(({ ctx }) => ctx.verbs.readMe(ctx.key)),

  listAgents: procedureFor(listAgents)
    .use(failAs('unavailable'))
    .use(limitReads)
    .input(listAgents.input)
    .output(listAgents.success.schema)
    .query(({ ctx }) => ctx.verbs.listAgents(ctx.key)),

  getRecording: procedureFor(getRecording)
    .input(getRecording.input)
    .output(z.custom<RecordingFile>())
    .query(async ({ ctx, input }) => {
      const workspaceId = await findListener(ctx, input.order_id);
      return ctx.verbs.openRecording(workspaceId, input.order_id);
    }),

  getRecordingLink: procedureFor(getRecordingLink)
    .input(getRecordingLink.input)
    .output(getRecordingLink.success.schema)
    .query(async ({ ctx, input }) => {
      const workspaceId = await findListener({ ...ctx, linkToken: undefined }, input.order_id);
      return ctx.verbs.createRecordingLink(workspaceId, input.order_id);
    }),
});

/** Whose recordings the request may hear: a link or a key says so. Anything else finds nothing. */
async function findListener(ctx: PublicRequest, orderId: string): Promise<string> {
  if (!orderIdPattern.test(orderId)) throw new AppError('not_found');
  const linked = ctx.linkToken && ctx.verbs.readRecordingLink(orderId, ctx.linkToken);
  if (linked) return linked;
  const key = await ctx.verbs.authenticateKey(ctx.authorization);
  if (!key) throw new AppError('not_found');
  return key.workspaceId;
}

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
