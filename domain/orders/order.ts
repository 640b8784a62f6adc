// An order as it stands in the table, its statuses, and what final means.
import type { Consent } from '../../openapi/consent.ts';
import type { OrderStatus } from '../../openapi/outcome.ts';
import type { Direction } from '../calls/caller.ts';

export interface Qualification {
  readonly qualified: boolean | null;
  readonly score: number | null;
  readonly extracted_answers: Readonly<Record<string, boolean | number | string>>;
  readonly summary: string | null;
}

export interface Appointment {
  readonly booked: boolean;
  readonly start_time: string | null;
  readonly calendar_event_id: string | null;
}

export const noAppointment: Appointment = {
  booked: false,
  start_time: null,
  calendar_event_id: null,
};

/**
 * `test_call`: rings a phone for real, at the workspace's cost, and is told as a test. `simulated`: plays without a
 * carrier, a text or a charge.
 */
export type OrderKind = 'live' | 'test_call' | 'simulated';

export interface Order {
  readonly workspaceId: string;
  readonly id: string;
  /** What events and reads tell: true for simulated orders and for test calls. */
  readonly test: boolean;
  readonly simulated: boolean;
  /** Who called: we the lead, or a person one of the workspace's numbers. */
  readonly direction: Direction;
  readonly agentId: string;
  readonly agentVersion: number;
  readonly status: OrderStatus;
  readonly reason: string | null;
  readonly version: number;
  /** E.164, or `anonymous` on an inbound order. */
  readonly phone: string;
  readonly firstName: string | null;
  readonly customContext: string | null;
  readonly maxAttempts: number;
  readonly retryIntervalMinutes: number;
  readonly sendSmsOnVoicemail: boolean;
  readonly consent: Consent;
  readonly webhookUrl: string | null;
  readonly externalReferenceId: string | null;
  readonly idempotencyKey: string | null;
  readonly attemptNumber: number;
  readonly carrierFaults: number;
  readonly estimatedDialSeconds: number;
  readonly nextDialAt: Date | null;
  readonly durationSeconds: number;
  readonly billedMinutes: number;
  readonly chargedMicros: number;
  readonly qualification: Qualification | null;
  readonly appointment: Appointment;
  readonly analysis: 'none' | 'pending' | 'complete';
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
}

export interface Attempt {
  readonly workspaceId: string;
  readonly id: string;
  readonly orderId: string;
  readonly number: number;
  readonly state: 'intent' | 'unknown' | 'placed' | 'answered' | 'ended' | 'not_placed';
  /** Simulated; false on the attempts of test calls. */
  readonly test: boolean;
  readonly direction: Direction;
  readonly phone: string;
  readonly callerNumber: string | null;
  readonly carrierCallId: string | null;
  readonly outcome: string | null;
  readonly answeredBy: 'person' | 'machine' | 'unknown' | null;
  readonly gatewaySeenAt: Date | null;
  readonly lastHeardAt: Date | null;
  readonly talkStartedAt: Date | null;
  readonly talkEndedAt: Date | null;
  readonly carrierState: string | null;
  readonly durationSeconds: number;
  readonly chargedMicros: number;
  readonly watchAt: Date | null;
  readonly createdAt: Date;
  readonly placedAt: Date | null;
  readonly endedAt: Date | null;
}

/** Final orders never move again; VOICEMAIL_SMS_SENT is final once nothing is due. */
export function isFinal(order: Pick<Order, 'completedAt'>): boolean {
  return order.completedAt !== null;
}

export function isLive(attempt: Pick<Attempt, 'state'>): boolean {
  return attempt.state !== 'ended' && attempt.state !== 'not_placed';
}
