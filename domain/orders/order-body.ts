// An order in the words of the contract: for GET and, with the event's name, for webhooks. Pure.
import type { OrderEvent } from '../../openapi/webhooks.ts';
import type { OrderSummary } from '../../openapi/order-list.ts';
import type { Order as OrderResource } from '../../openapi/orders.ts';
import { centsFromMicros } from '../billing/pricing.ts';
import type { AgentHours, Closure } from '../calling-hours/next-legal-minute.ts';
import type { DialWait } from '../dialling/dial-window.ts';
import type { Attempt, Order } from './order.ts';
import { isFinal } from './order.ts';
import type { OrderFile } from './order-queries.ts';

/** What a summary needs of an order. */
export type SummarisedOrder = Omit<
  Order,
  'workspaceId' | 'version' | 'consent' | 'idempotencyKey' | 'carrierFaults'
>;

export type OrderReport = Omit<OrderEvent, 'event'>;

/** The fields that webhooks and GET share. */
export function orderReport(
  file: Pick<OrderPaper, 'turns' | 'recorded'> & { readonly order: SummarisedOrder },
  publicUrl: string,
): OrderReport {
  return {
    ...outcome(file.order, file.recorded, publicUrl),
    transcript: file.turns.map(({ role, text }) => ({ role, text })),
  };
}

export type OrderBody = Omit<OrderResource, 'success'>;

/** What GET /v1/orders/{order_id} needs of an order. */
export interface OrderPaper extends Pick<OrderFile, 'order' | 'recorded'> {
  /** The agent's own calling hours while a dial is due. */
  readonly agentHours: AgentHours;
  readonly attempts: readonly ReportedAttempt[];
  readonly turns: readonly OrderReport['transcript'][number][];
}

export type ReportedAttempt = Pick<
  Attempt,
  | 'number'
  | 'createdAt'
  | 'talkStartedAt'
  | 'endedAt'
  | 'outcome'
  | 'answeredBy'
  | 'durationSeconds'
  | 'chargedMicros'
>;

/** What stands beside an order in its summary. */
export interface SummaryFacts {
  readonly recorded: boolean;
  readonly wait: DialWait;
  readonly publicUrl: string;
}

/** Everything GET /v1/orders/{order_id} tells. */
export function orderBody(file: OrderPaper, facts: Omit<SummaryFacts, 'recorded'>): OrderBody {
  return {
    ...orderSummary(file.order, { ...facts, recorded: file.recorded }),
    transcript: file.turns.map(({ role, text }) => ({ role, text })),
    consent: file.order.consent,
    attempts: file.attempts.map(attemptBody),
  };
}

/** An order as lists show it. */
export function orderSummary(
  order: SummarisedOrder,
  { recorded, wait, publicUrl }: SummaryFacts,
): OrderSummary {
  return {
    ...outcome(order, recorded, publicUrl),
    direction: order.direction,
    agent_id: order.agentId,
    agent_version: order.agentVersion,
    lead: {
      phone: order.phone,
      first_name: order.firstName,
      custom_context: order.customContext,
    },
    cadence: {
      max_attempts: order.maxAttempts,
      retry_interval_minutes: order.retryIntervalMinutes,
      send_sms_on_voicemail: order.sendSmsOnVoicemail,
    },
    webhook_url: order.webhookUrl,
    final: isFinal(order),
    created_at: order.createdAt.toISOString(),
    updated_at: order.updatedAt.toISOString(),
    completed_at: order.completedAt?.toISOString() ?? null,
    next_attempt_at: wait.nextAttemptAt?.toISOString() ?? null,
    waiting_for: wait.waitingFor && closureBody(wait.waitingFor),
    estimated_dial_seconds: order.estimatedDialSeconds,
    analysis: order.analysis,
  };
}

function closureBody({ rule, timeZone, until }: Closure): OrderSummary['waiting_for'] {
  return { rule, time_zone: timeZone, until: until.toISOString() };
}

function outcome(order: SummarisedOrder, recorded: boolean, publicUrl: string) {
  return {
    order_id: order.id,
    external_reference_id: order.externalReferenceId,
    status: order.status,
    attempt_number: order.attemptNumber,
    duration_seconds: order.durationSeconds,
    billed_minutes: order.billedMinutes,
    charged_cents: centsFromMicros(order.chargedMicros),
    qualification: order.qualification && {
      ...order.qualification,
      extracted_answers: { ...order.qualification.extracted_answers },
    },
    appointment: { ...order.appointment },
    recording_url: recorded ? `${publicUrl}/v1/recordings/${order.id}.mp3` : null,
    reason: order.reason,
    test: order.test,
  };
}

function attemptBody(attempt: ReportedAttempt): OrderBody['attempts'][number] {
  return {
    number: attempt.number,
    started_at: attempt.createdAt.toISOString(),
    answered_at: attempt.talkStartedAt?.toISOString() ?? null,
    ended_at: attempt.endedAt?.toISOString() ?? null,
    outcome: attempt.outcome,
    answered_by: attempt.answeredBy,
    duration_seconds: attempt.durationSeconds,
    charged_cents: centsFromMicros(attempt.chargedMicros),
  };
}
