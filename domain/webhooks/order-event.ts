// One event of an order and where it goes. Pure.
import type { OrderEvent } from '../../openapi/webhooks.ts';

export interface EventDestinations {
  readonly test: boolean;
  readonly simulated: boolean;
  readonly orderUrl: string | null;
  readonly defaultUrl: string | null;
  readonly testUrl: string | null;
}

/**
 * The order's own URL, else the workspace default. Tests never fall back to the default URL: simulated orders have the
 * test URL in its place, and a test that rings a phone has none.
 */
export function destinationOf(destinations: EventDestinations): string | null {
  const { test, simulated, orderUrl, defaultUrl, testUrl } = destinations;
  if (orderUrl || !test) return orderUrl ?? defaultUrl;
  return simulated ? testUrl : null;
}

/** The body with `event` first; these bytes are kept and signed again on every attempt. */
export function eventBody(event: OrderEvent['event'], report: Omit<OrderEvent, 'event'>): string {
  return JSON.stringify({ event, ...report });
}
