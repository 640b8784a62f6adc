// Free times for one call, held for it while they are being spoken about.
import { newId } from '../../platform/ids.ts';
import type { CallRef, Slot } from '../calls/call-desk.ts';
import type { Context } from '../context.ts';
import { findOrderFile } from '../orders/order-queries.ts';
import { holdSlots } from './appointment-queries.ts';
import { openWorkspaceCalendar } from './open-workspace-calendar.ts';

const limits = {
  /** Long enough to hear two times, think, and choose; each further offer begins it anew. */
  holdSeconds: 180,
  /** Times proposed to the table; more than all calls at once could hold. */
  proposedMax: 400,
} as const;

const minuteMs = 60_000;

/** Soonest first; `unavailable` when the calendar cannot tell. */
export async function offerSlots(
  ctx: Context,
  call: CallRef,
  count: number,
): Promise<readonly Slot[] | 'unavailable'> {
  const file = await findOrderFile(ctx.db, call.workspaceId, call.orderId);
  const calendar = file && (await openWorkspaceCalendar(ctx, call.workspaceId));
  if (!calendar) return 'unavailable';
  const { row } = calendar;
  const asked = ctx.clock.now().getTime();
  const free = await calendar.freeSlots({
    from: new Date(asked + row.noticeMinutes * minuteMs),
    to: new Date(asked + row.horizonDays * 24 * 60 * minuteMs),
    minutes: file.agent.appointmentMinutes,
    hours: row,
    bufferBeforeMinutes: row.bufferBeforeMinutes,
    bufferAfterMinutes: row.bufferAfterMinutes,
  });
  if (free.kind === 'unavailable') {
    await calendar.noteProblem(free.problem);
    return 'unavailable';
  }
  const now = ctx.clock.now();
  const proposed = free.slots
    .slice(0, limits.proposedMax)
    .map((slot) => ({ ...slot, id: newId('cal', now) }));
  const { bufferBeforeMinutes, bufferAfterMinutes } = row;
  const heldUntil = new Date(now.getTime() + limits.holdSeconds * 1000);
  const terms = { bufferBeforeMinutes, bufferAfterMinutes, count, now, heldUntil };
  const starts = await holdSlots(ctx.db, call, proposed, terms);
  const held = new Set(starts.map((start) => start.getTime()));
  return free.slots.filter(({ startTime }) => held.has(Date.parse(startTime)));
}
