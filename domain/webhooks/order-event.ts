// One event of an order and where it goes. Pure.
import type { OrderEvent } from '../../openapi/webhooks.ts';

export interface EventDestinations {
  readonly test: boolean;
  readonly orderUrl: string | null;
  readonly defaultUrl: string | null;
  readonly testUrl: string | null;
}

/** The order's own URL, else the workspace default; test orders never fall back to the default URL. */
export function destinationOf(destinations: EventDestinations): string | null {
  return (
    destinations.orderUrl ?? (destinations.test ? destinations.testUrl : destinations.defaultUrl)
  );
}

/** The body with `event` first; these bytes are kept and signed again on every attempt. */
export function eventBody(event: OrderEvent['event'], report: Omit<OrderEvent, 'event'>): string {
  return JSON.stringify({ event, ...report });
}
