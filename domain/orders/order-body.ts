// An order in the words of the contract: for GET and, with the event's name, for webhooks. Pure.
import type { OrderEvent } from '../../openapi/webhooks.ts';
import type { Order as OrderResource } from '../../openapi/orders.ts';
import { centsFromMicros } from '../billing/pricing.ts';
import type { Attempt } from './order.ts';
import { isFinal } from './order.ts';
import type { OrderFile } from './order-queries.ts';

export type OrderReport = Omit<OrderEvent, 'event'>;

/** The fields that webhooks and GET share. */
export function orderReport(file: Omit<OrderFile, 'hold'>, publicUrl: string): OrderReport {
  const { order } = file;
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
    recording_url: file.recorded ? `${publicUrl}/v1/recordings/${order.id}.mp3` : null,
    transcript: file.turns.map(({ role, text }) => ({ role, text })),
    reason: order.reason,
    test: order.test,
  };
}

export type OrderBody = Omit<OrderResource, 'success'>;

/** Everything GET /v1/orders/{order_id} tells. */
export function orderBody(file: OrderFile, publicUrl: string): OrderBody {
  const { order } = file;
  return {
    ...orderReport(file, publicUrl),
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
    consent: order.consent,
    webhook_url: order.webhookUrl,
    final: isFinal(order),
    created_at: order.createdAt.toISOString(),
    updated_at: order.updatedAt.toISOString(),
    completed_at: order.completedAt?.toISOString() ?? null,
    next_attempt_at: order.nextDialAt?.toISOString() ?? null,
    estimated_dial_seconds: order.estimatedDialSeconds,
    analysis: order.analysis,
    attempts: file.attempts.filter((attempt) => attempt.state !== 'not_placed').map(attemptBody),
  };
}

function attemptBody(attempt: Attempt): OrderBody['attempts'][number] {
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
