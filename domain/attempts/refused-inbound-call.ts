// What a caller hears when no agent can take the call. Pure.
import type { InboundAnswer } from '../calls/carrier.ts';
import type { InboundRefusal } from './inbound-queries.ts';

const notNow =
  'Thank you for calling. We cannot take your call right now. Please try again later. Goodbye.';

/**
 * What passes by itself within minutes sounds busy and is never answered. What somebody must mend first is told, so
 * that nobody calls a busy line all day.
 */
export function refusedInboundCall(
  why: InboundRefusal | 'unknown_number' | 'unavailable',
): InboundAnswer {
  switch (why) {
    case 'unknown_number':
      return { kind: 'not_in_service' };
    case 'number_in_call':
    case 'live_call_limit':
      return { kind: 'busy' };
    case 'no_agent':
    case 'agent_inactive':
    case 'agent_not_published':
    case 'plan_inactive':
    case 'plan_past_due':
    case 'insufficient_balance':
    case 'unavailable':
      return { kind: 'say', text: notNow };
  }
}
