// The pump: claims what the tables say is due. Jobs may be lost; what stands here is not.
import { callLimits } from '../calls/call-limits.ts';
import type { Context } from '../context.ts';
import { claimDueOrders } from '../dialling/claim-orders-queries.ts';
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
  const [{ orders, lookAgainAt }, ...others] = await Promise.all([
    claimOrders(ctx, lease),
    tasksOf('reconcile_attempt', queries.claimWatchedAttempts(ctx.db, lease)),
    tasksOf('deliver_webhook', queries.claimDueDeliveries(ctx.db, lease)),
    tasksOf('send_text', queries.claimDueTexts(ctx.db, { ...lease, carrierAccount })),
    tasksOf('mix_recording', queries.claimRawRecordings(ctx.db, lease)),
    tasksOf('settle_appointment', queries.claimUnsettledAppointments(ctx.db, lease)),
    tasksOf('settle_number', queries.claimUnsettledNumbers(ctx.db, lease)),
    tasksOf('analyse_call', queries.claimDueAnalyses(ctx.db, lease)),
  ]);
  const dials = orders.map((order) => ({ task: 'dial_order' as const, ...order }));
  const tasks: DueTask[] = [...dials, ...others.flat()];
  return { tasks, lookAgainAt, nextDueAt: await queries.findNextDue(ctx.db, now) };
}

async function tasksOf<Task extends DueTask['task'], Ids>(
  task: Task,
  claimed: Promise<readonly Ids[]>,
) {
  return (await claimed).map((ids) => ({ task, ...ids }));
}

/** Reads the do-not-contact list too: while that cannot be read nothing is dialled, and all else goes on. */
async function claimOrders(ctx: Context, lease: queries.Lease) {
  const inSeconds = (seconds: number) => new Date(lease.now.getTime() + seconds * 1000);
  try {
    return await claimDueOrders(ctx.db, {
      ...lease,
      waitUntil: inSeconds(callLimits.callsWaitSeconds),
      carrierAccount: ctx.carrier.name,
      callsPerSecond: ctx.settings.carrierCallsPerSecond,
    });
  } catch (err) {
    ctx.log.error({ err }, 'due orders could not be claimed');
    return { orders: [], lookAgainAt: inSeconds(callLimits.claimAgainSeconds) };
  }
}
