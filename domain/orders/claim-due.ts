// The pump: claims what the tables say is due. Jobs may be lost; what stands here is not.
import { callLimits } from '../calls/call-limits.ts';
import type { Context } from '../context.ts';
import { claimDueOrders } from './claim-orders-queries.ts';
import * as queries from './due-queries.ts';

export type DueTask =
  | { readonly task: 'dial_order'; readonly workspaceId: string; readonly orderId: string }
  | { readonly task: 'reconcile_attempt'; readonly workspaceId: string; readonly attemptId: string }
  | {
      readonly task: 'deliver_webhook';
      readonly workspaceId: string;
      readonly deliveryId: string;
      readonly leaseToken: number;
    }
  | { readonly task: 'send_text'; readonly workspaceId: string; readonly textId: string }
  | { readonly task: 'mix_recording'; readonly workspaceId: string; readonly attemptId: string }
  | {
      readonly task: 'settle_appointment';
      readonly workspaceId: string;
      readonly appointmentId: string;
    }
  | { readonly task: 'settle_number'; readonly workspaceId: string; readonly numberId: string }
  | {
      readonly task: 'analyse_call';
      readonly workspaceId: string;
      readonly orderId: string;
      readonly tries: number;
    };

export interface DueWork {
  readonly tasks: readonly DueTask[];
  /** When the next thing falls due; null when nothing waits. */
  readonly nextDueAt: Date | null;
  /** When to claim again what is due but was left, a crowd or a carrier being in its way; null when nothing was. */
  readonly lookAgainAt: Date | null;
}

const claimMax = 200;

/** Each item is leased to the caller; a worker that dies lets the lease run out. */
export async function claimDue(ctx: Context): Promise<DueWork> {
  const now = ctx.clock.now();
  const lease = {
    now,
    until: new Date(now.getTime() + callLimits.leaseSeconds * 1000),
    max: claimMax,
  };
  const { name: carrierAccount } = ctx.carrier;
  const [
    { orders, lookAgainAt },
    attempts,
    deliveries,
    texts,
    recordings,
    appointments,
    numbers,
    analyses,
  ] = await Promise.all([
    claimDueOrders(ctx.db, {
      ...lease,
      waitUntil: new Date(now.getTime() + callLimits.callsWaitSeconds * 1000),
      carrierAccount,
      callsPerSecond: ctx.settings.carrierCallsPerSecond,
    }),
    queries.claimWatchedAttempts(ctx.db, lease),
    queries.claimDueDeliveries(ctx.db, lease),
    queries.claimDueTexts(ctx.db, { ...lease, carrierAccount }),
    queries.claimRawRecordings(ctx.db, lease),
    queries.claimUnsettledAppointments(ctx.db, lease),
    queries.claimUnsettledNumbers(ctx.db, lease),
    queries.claimDueAnalyses(ctx.db, lease),
  ]);
  const tasks: DueTask[] = [
    ...orders.map((order) => ({ task: 'dial_order' as const, ...order })),
    ...attempts.map((attempt) => ({ task: 'reconcile_attempt' as const, ...attempt })),
    ...deliveries.map((delivery) => ({ task: 'deliver_webhook' as const, ...delivery })),
    ...texts.map((text) => ({ task: 'send_text' as const, ...text })),
    ...recordings.map((recording) => ({ task: 'mix_recording' as const, ...recording })),
    ...appointments.map((appointment) => ({ task: 'settle_appointment' as const, ...appointment })),
    ...numbers.map((number) => ({ task: 'settle_number' as const, ...number })),
    ...analyses.map((analysis) => ({ task: 'analyse_call' as const, ...analysis })),
  ];
  return { tasks, lookAgainAt, nextDueAt: await queries.findNextDue(ctx.db, now) };
}
