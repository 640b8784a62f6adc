// Generated from openapi.json by generate.ts; change the contract, never this file.

/** An order for one lead. Unknown fields are ignored; null in an optional field means absent. */
export interface OrderInput {
  /** An agent of the key's workspace. */
  agent_id: string;
  lead: Lead;
  cadence?: Cadence | undefined;
  consent: Consent;
  /** Where the events of this order go instead of the workspace default. https, without user name or password, on the public internet. */
  webhook_url?: string | null | undefined;
  /** Your own reference, echoed in webhooks and reads. */
  external_reference_id?: string | null | undefined;
}

/** The person to call. */
export interface Lead {
  /** E.164 with the leading `+`. Only US mainland, Alaska and Hawaii numbers are called. For test keys the last four digits choose the simulated outcome. */
  phone: string;
  /** Name of the lead. */
  first_name?: string | null | undefined;
  /** Free text about why the lead is being called. */
  custom_context?: string | null | undefined;
}

/** The retry plan. What is left out comes from the agent's own settings, else 3 attempts, 60 minutes, text on. */
export interface Cadence {
  /** Dials at most. */
  max_attempts?: number | null | undefined;
  /** Wait between two attempts. */
  retry_interval_minutes?: number | null | undefined;
  /** When true, a fallback text is sent if voicemail answers. */
  send_sms_on_voicemail?: boolean | null | undefined;
}

/** Kept with the order, word for word, as the record for every call and text. */
export interface Consent {
  /** Must be true: the lead agreed to be called and texted. */
  opt_in_confirmed: true;
  /** When the lead agreed: an ISO 8601 timestamp with a zone, a real date, at most 5 minutes in the future and at most 1461 days old. Seconds may be left out. */
  consented_at: string;
  /** Page or form where the lead agreed. Must not start with `test_` or `manual:`; these are reserved for the dashboard. */
  source: string;
}

/** Where the order stands. Final: `BOOKED`, `QUALIFIED`, `DISQUALIFIED`, `FAILED`, and `VOICEMAIL_SMS_SENT` when no attempts are left. */
export type OrderStatus = 'QUEUED' | 'DIALING' | 'IN_PROGRESS' | 'RETRY_SCHEDULED' | 'VOICEMAIL_SMS_SENT' | 'BOOKED' | 'QUALIFIED' | 'DISQUALIFIED' | 'FAILED';

/** What the person said, measured by the questions. */
export interface Qualification {
  /** null when the lead was not scored. */
  qualified: boolean | null;
  /** 0 to 100, null when not scored. */
  score: number | null;
  /** Answers to the agent's questions, keyed by the key of the question. */
  extracted_answers: Record<string, string | number | boolean>;
  /** The call in a few sentences. */
  summary: string | null;
}

/** The appointment that the call led to, if any. */
export interface Appointment {
  /** false when nothing was booked. */
  booked: boolean;
  /** When the appointment begins; null when nothing was booked. */
  start_time: string | null;
  /** The event in the calendar of the workspace. */
  calendar_event_id: string | null;
}

/** One turn of the conversation. */
export interface TranscriptTurn {
  /** Who spoke: our `agent` or the lead. */
  role: 'agent' | 'user';
  /** The words of this turn. */
  text: string;
}

/** The order was taken; the call follows. */
export interface OrderAccepted {
  success: true;
  /** Identifier of the order. */
  order_id: string;
  /** The status at creation. */
  status: 'QUEUED';
  /** Estimated seconds until the first dial. */
  estimated_dial_seconds: number;
}

/** Everything about an order: its outcome so far, what was ordered, and its dials. */
export interface Order {
  success: true;
  /** Identifier of the order. */
  order_id: string;
  /** As sent on the order; null for calls that people make to the workspace's numbers. */
  external_reference_id: string | null;
  status: OrderStatus;
  /** Dials made so far; 0 when the order ended or waits before its first dial. */
  attempt_number: number;
  /** Talk time from the moment a person answered; 0 when nobody answered. */
  duration_seconds: number;
  /** Talk time rounded up to whole minutes. */
  billed_minutes: number;
  /** Cost of this order's call in cents, with any high-cost-area surcharge; fallback texts are not in it. */
  charged_cents: number;
  qualification: Qualification | null;
  appointment: Appointment;
  /** Where the recording can be downloaded with an API key; null when there is none or it was deleted. */
  recording_url: string | null;
  /** The conversation in order; empty when nobody was reached. */
  transcript: Array<TranscriptTurn>;
  /** Why the order waits or failed; null when there is nothing to report. New values may appear. */
  reason: 'waiting_for_balance' | 'plan_inactive' | 'plan_past_due' | 'live_call_limit' | 'no_answer' | 'machine' | 'do_not_contact' | 'unsupported_destination' | 'high_cost_destination' | 'agent_inactive' | 'no_caller_id' | 'invalid_number' | 'call_dropped' | 'call_failed' | 'inconclusive' | 'not_interested' | 'wrong_number' | 'knocked_out' | 'below_threshold' | (string & {}) | null;
  /** true for an order made with a test key. */
  test: boolean;
  /** The agent that calls. */
  agent_id: string;
  /** Published version of the agent that the order uses. */
  agent_version: number;
  lead: OrderLead;
  cadence: OrderCadence;
  consent: OrderConsent;
  /** The webhook URL of this order; null when the workspace default applies. */
  webhook_url: string | null;
  /** true when the status will not change again. */
  final: boolean;
  /** When the order was accepted. */
  created_at: string;
  /** When anything on the order last changed. */
  updated_at: string;
  /** When the order became final; null before. */
  completed_at: string | null;
  /** When the next dial is due; null when none is. */
  next_attempt_at: string | null;
  /** Seconds until the first dial, as estimated at creation. */
  estimated_dial_seconds: number;
  /** `pending` while the call is still analysed; an `order.updated` may follow. */
  analysis: 'none' | 'pending' | 'complete';
  /** All dials, first to last. */
  attempts: Array<Attempt>;
}

/** The lead as it was ordered. */
export interface OrderLead {
  /** E.164. */
  phone: string;
  /** null when none was sent. */
  first_name: string | null;
  /** null when none was sent. */
  custom_context: string | null;
}

/** The retry plan in effect, with defaults filled in. */
export interface OrderCadence {
  max_attempts: number;
  retry_interval_minutes: number;
  send_sms_on_voicemail: boolean;
}

/** The consent record, word for word. */
export interface OrderConsent {
  opt_in_confirmed: true;
  /** As it was sent. */
  consented_at: string;
  /** As it was sent. */
  source: string;
}

/** One dial of the order. */
export interface Attempt {
  /** Counted from 1. */
  number: number;
  /** When the dial began. */
  started_at: string;
  /** When a person answered; null when nobody did. */
  answered_at: string | null;
  /** When the call was over; null while it lasts. */
  ended_at: string | null;
  /** What came of the dial; null while it lasts. New values may appear. */
  outcome: 'person' | 'voicemail' | 'no_answer' | 'busy' | 'declined' | 'invalid_number' | 'dropped' | 'failed' | 'not_placed' | (string & {}) | null;
  /** Who picked up; null when nobody did. New values may appear. */
  answered_by: 'person' | 'machine' | 'unknown' | (string & {}) | null;
  /** Talk time of this attempt. */
  duration_seconds: number;
  /** Cost of the call of this attempt in cents. */
  charged_cents: number;
}

/** The order reached a final status. */
export interface OrderCompletedEvent {
  /** Name of the event. */
  event: 'order.completed';
  /** Identifier of the order. */
  order_id: string;
  /** As sent on the order; null for calls that people make to the workspace's numbers. */
  external_reference_id: string | null;
  status: OrderStatus;
  /** Dials made so far; 0 when the order ended or waits before its first dial. */
  attempt_number: number;
  /** Talk time from the moment a person answered; 0 when nobody answered. */
  duration_seconds: number;
  /** Talk time rounded up to whole minutes. */
  billed_minutes: number;
  /** Cost of this order's call in cents, with any high-cost-area surcharge; fallback texts are not in it. */
  charged_cents: number;
  qualification: Qualification | null;
  appointment: Appointment;
  /** Where the recording can be downloaded with an API key; null when there is none or it was deleted. */
  recording_url: string | null;
  /** The conversation in order; empty when nobody was reached. */
  transcript: Array<TranscriptTurn>;
  /** Why the order waits or failed; null when there is nothing to report. New values may appear. */
  reason: 'waiting_for_balance' | 'plan_inactive' | 'plan_past_due' | 'live_call_limit' | 'no_answer' | 'machine' | 'do_not_contact' | 'unsupported_destination' | 'high_cost_destination' | 'agent_inactive' | 'no_caller_id' | 'invalid_number' | 'call_dropped' | 'call_failed' | 'inconclusive' | 'not_interested' | 'wrong_number' | 'knocked_out' | 'below_threshold' | (string & {}) | null;
  /** true for an order made with a test key. */
  test: boolean;
}

/** Another attempt is scheduled, the order waits for money, or analysis added to a final order. */
export interface OrderUpdatedEvent {
  /** Name of the event. */
  event: 'order.updated';
  /** Identifier of the order. */
  order_id: string;
  /** As sent on the order; null for calls that people make to the workspace's numbers. */
  external_reference_id: string | null;
  status: OrderStatus;
  /** Dials made so far; 0 when the order ended or waits before its first dial. */
  attempt_number: number;
  /** Talk time from the moment a person answered; 0 when nobody answered. */
  duration_seconds: number;
  /** Talk time rounded up to whole minutes. */
  billed_minutes: number;
  /** Cost of this order's call in cents, with any high-cost-area surcharge; fallback texts are not in it. */
  charged_cents: number;
  qualification: Qualification | null;
  appointment: Appointment;
  /** Where the recording can be downloaded with an API key; null when there is none or it was deleted. */
  recording_url: string | null;
  /** The conversation in order; empty when nobody was reached. */
  transcript: Array<TranscriptTurn>;
  /** Why the order waits or failed; null when there is nothing to report. New values may appear. */
  reason: 'waiting_for_balance' | 'plan_inactive' | 'plan_past_due' | 'live_call_limit' | 'no_answer' | 'machine' | 'do_not_contact' | 'unsupported_destination' | 'high_cost_destination' | 'agent_inactive' | 'no_caller_id' | 'invalid_number' | 'call_dropped' | 'call_failed' | 'inconclusive' | 'not_interested' | 'wrong_number' | 'knocked_out' | 'below_threshold' | (string & {}) | null;
  /** true for an order made with a test key. */
  test: boolean;
}

/** What a webhook tells; `event` says which. */
export type WebhookEvent = OrderCompletedEvent | OrderUpdatedEvent;

export type CreateOrderResponse = OrderAccepted;

export type GetOrderResponse = Order;

/** Every error code, its HTTP status and what may be done about it. */
export const errorCodes = {
  invalid_json: { status: 400, retry: 'never' },
  consent_required: { status: 400, retry: 'never' },
  invalid_consent_source: { status: 400, retry: 'never' },
  invalid_request: { status: 400, retry: 'never' },
  invalid_phone: { status: 400, retry: 'never' },
  invalid_body: { status: 400, retry: 'never' },
  unauthorized: { status: 401, retry: 'never' },
  insufficient_balance: { status: 402, retry: 'after_change' },
  plan_inactive: { status: 402, retry: 'after_change' },
  test_number_not_verified: { status: 403, retry: 'after_change' },
  agent_not_found: { status: 404, retry: 'never' },
  not_found: { status: 404, retry: 'never' },
  method_not_allowed: { status: 405, retry: 'never' },
  agent_inactive: { status: 409, retry: 'after_change' },
  agent_not_published: { status: 409, retry: 'after_change' },
  idempotency_key_conflict: { status: 409, retry: 'never' },
  do_not_contact: { status: 409, retry: 'never' },
  recording_deleted: { status: 410, retry: 'never' },
  unsupported_destination: { status: 422, retry: 'never' },
  high_cost_destination: { status: 422, retry: 'never' },
  rate_limited: { status: 429, retry: 'after_wait' },
  internal_error: { status: 500, retry: 'same_request' },
  recording_unavailable: { status: 502, retry: 'same_request' },
  suppression_unavailable: { status: 503, retry: 'same_request' },
  rate_unavailable: { status: 503, retry: 'same_request' },
  wallet_unavailable: { status: 503, retry: 'same_request' },
  unavailable: { status: 503, retry: 'same_request' },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Method and path of each operation. */
export const operations = {
  createOrder: { method: 'POST', path: '/v1/orders' },
  getOrder: { method: 'GET', path: '/v1/orders/{order_id}' },
} as const;
