// When an order is dialled again after an attempt. Pure.
import type { Settings } from '../context.ts';
import type { NextState } from '../attempts/after-attempt.ts';
import { dialWindow } from './dial-window.ts';
import type { Order } from '../orders/order.ts';
import type { OrderFile } from '../orders/order-queries.ts';
import { simulation } from '../attempts/simulated-outcome.ts';

export function retryIntervalEnd(settings: Settings, order: Order, now: Date): Date {
  const seconds = order.simulated
    ? simulation.retryAfterSeconds / settings.simulationSpeed
    : order.retryIntervalMinutes * 60;
  return new Date(now.getTime() + seconds * 1000);
}

/** A dial waits for the next legal minute; the update that follows a text rings nobody and does not. */
export function nextDialAt(
  settings: Settings,
  { order, agent }: Pick<OrderFile, 'order' | 'agent'>,
  next: NextState,
): Date | null {
  if (!next.nextDialAt || next.status === 'VOICEMAIL_SMS_SENT') return next.nextDialAt;
  const window = dialWindow(settings, order, agent.callingHours ?? null, next.nextDialAt);
  // Without a legal minute in reach the dial itself finds that out, and fails the order.
  return window?.at ?? next.nextDialAt;
}
