// The order of refusals of both intakes, from idempotent replay to do-not-contact. Pure.
import type { ErrorCode } from '../../openapi/errors.ts';
import { limits } from '../../openapi/limits.ts';
import type { OrderKind } from './order.ts';
import type { ExistingOrder, IntakeFacts } from './order-queries.ts';

export interface Asked {
  readonly kind: OrderKind;
  /** Whether it comes under the Idempotency-Key of a client or as a payload that a form tool may send again. */
  readonly repeatedBy: 'key' | 'payload';
  readonly agentId: string;
  /** As it was read; null when it cannot be read as a phone number. */
  readonly phone: string | null;
  readonly externalReferenceId: string | null;
  /** What the number and its destination alone already refuse. */
  readonly destinationRefusal: { readonly code: ErrorCode; readonly message?: string } | null;
}

/** What the rate deck says against the call; null where it allows it or is not asked. */
export type RateRefusal = 'high_cost_destination' | 'rate_unavailable' | null;

export type IntakeVerdict =
  | { readonly kind: 'replayed'; readonly order: ExistingOrder }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message?: string }
  | { readonly kind: 'accepted' };

export function intakeVerdict(
  asked: Asked,
  facts: IntakeFacts,
  rateRefusal: RateRefusal,
): IntakeVerdict {
  if (facts.existing)
    return asked.repeatedBy === 'payload'
      ? { kind: 'replayed', order: facts.existing }
      : replayOrConflict(asked, facts.existing);
  if (!facts.agentFound) return refuse('agent_not_found');
  if (!facts.agentActive) return refuse('agent_inactive');
  if (facts.publishedVersion === null) return refuse('agent_not_published');
  if (asked.destinationRefusal) return { kind: 'refused', ...asked.destinationRefusal };
  if (asked.kind === 'test_call' && !facts.numberConfirmed)
    return refuse('test_number_not_verified');
  if (asked.kind === 'simulated')
    return facts.testOrders >= limits.testOrders.per24Hours
      ? refuse('rate_limited')
      : { kind: 'accepted' };
  if (rateRefusal) return refuse(rateRefusal);
  if (facts.planStatus === 'inactive') return refuse('plan_inactive');
  if (facts.paused || facts.balanceMicros < limits.wallet.minimumToOrderMicros)
    return refuse('insufficient_balance');
  if (facts.suppressed) return refuse('do_not_contact');
  return { kind: 'accepted' };
}

/** The same key again is the same order, unless it asks for something else. */
function replayOrConflict(asked: Asked, existing: ExistingOrder): IntakeVerdict {
  const differs = firstDifference(asked, existing);
  if (!differs) return { kind: 'replayed', order: existing };
  return {
    kind: 'refused',
    code: 'idempotency_key_conflict',
    message: `This Idempotency-Key was used by an order with another ${differs}.`,
  };
}

function firstDifference(asked: Asked, existing: ExistingOrder): string | null {
  if ((asked.kind !== 'live') !== existing.test) return 'kind of key (test or live)';
  if (asked.agentId !== existing.agentId) return 'agent_id';
  if (asked.phone !== existing.phone) return 'lead.phone';
  if (asked.externalReferenceId !== existing.externalReferenceId) return 'external_reference_id';
  return null;
}

function refuse(code: ErrorCode): IntakeVerdict {
  return { kind: 'refused', code };
}
