// Faults that tests ask for, by the number that is called or texted.
import { z } from 'zod';

/** What happens to the next requests that place a call or send a text. */
const RequestFault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fails_before_placing') }),
  z.strictObject({ kind: z.literal('fails_after_placing') }),
  /** Takes the request, never answers, and never places the call. */
  z.strictObject({ kind: z.literal('never_places') }),
  z.strictObject({ kind: z.literal('too_many_requests') }),
  /** Placed, but the answer comes this much later. */
  z.strictObject({ kind: z.literal('answers_late'), afterMs: z.int().min(0).max(120_000) }),
]);

const CallbackFault = z.strictObject({
  /** `reversed` keeps the callbacks of a call or text back until it ended, then sends the last one first. */
  send: z.enum(['as_it_happens', 'reversed', 'never']).default('as_it_happens'),
  /** How often each callback is sent, always with the same idempotency token. */
  copies: z.int().min(1).max(20).default(1),
  delayMs: z.int().min(0).max(120_000).default(0),
  /** The first callback is delivered before the request that placed the call is answered. */
  firstBeforeAnswer: z.boolean().default(false),
});

/** How the texts to a number end, in place of being delivered. */
const TextFault = z.strictObject({
  endsAs: z.enum(['undelivered', 'failed']),
  errorCode: z.int().min(10_000).max(99_999),
});

export const FaultOrder = z.strictObject({
  /** Number the faults are for; absent means every number without faults of its own. */
  to: z.string().optional(),
  request: z
    .intersection(RequestFault, z.object({ times: z.int().min(1).max(1_000).default(1) }))
    .optional(),
  callbacks: CallbackFault.optional(),
  texts: TextFault.optional(),
});
export type FaultOrder = z.infer<typeof FaultOrder>;
export type RequestFault = z.infer<typeof RequestFault>;
export type CallbackFault = z.infer<typeof CallbackFault>;
export type TextFault = z.infer<typeof TextFault>;

export interface FaultPlan {
  /** Replaces what was ordered for the same number; an order without faults clears it. */
  order(order: FaultOrder): void;
  /** Each use counts: a fault ordered once happens once. */
  takeRequestFault(to: string): RequestFault | null;
  callbackFault(to: string): CallbackFault;
  textFault(to: string): TextFault | null;
  /** How often the request fault of a number has happened. */
  happened(to: string): number;
}

const everyNumber = '*';
const noCallbackFault = CallbackFault.parse({});

export function createFaultPlan(): FaultPlan {
  const orders = new Map<string, { order: FaultOrder; used: number }>();
  const orderFor = (to: string) => orders.get(to) ?? orders.get(everyNumber);
  return {
    order(order) {
      const key = order.to ?? everyNumber;
      if (order.request || order.callbacks || order.texts) orders.set(key, { order, used: 0 });
      else orders.delete(key);
    },
    takeRequestFault(to) {
      const entry = orderFor(to);
      const fault = entry?.order.request;
      if (!entry || !fault || entry.used >= fault.times) return null;
      entry.used += 1;
      return fault;
    },
    callbackFault: (to) => orderFor(to)?.order.callbacks ?? noCallbackFault,
    textFault: (to) => orderFor(to)?.order.texts ?? null,
    happened: (to) => orderFor(to)?.used ?? 0,
  };
}
