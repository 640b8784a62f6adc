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

/** Whatever a form or automation tool posts. Bodies of Zapier, Make, Meta and Google lead forms, HubSpot, Typeform, Webflow, Jotform, Elementor and others are understood as they are. */
export interface LeadPayload {
  /** A US number in any usual way of writing. Fields such as `phone_number`, `mobile`, `cell` or "Your phone" do as well, also deeper in the body. */
  phone?: string | number | undefined;
  /** Name of the lead; else the first word of `full_name` or `name`. */
  first_name?: string | undefined;
  /** Why the lead is called; else `message`, `notes` or `comments`. */
  custom_context?: string | undefined;
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
  /** Always true. */
  success: true;
  /** Identifier of the order. */
  order_id: string;
  /** The status at creation. */
  status: 'QUEUED';
  /** Estimated seconds until the first dial; outside calling hours until the next minute in which the number may be called. */
  estimated_dial_seconds: number;
}

/** One page of orders. */
export interface OrderList {
  /** Always true. */
  success: true;
  /** The newest first, by `created_at` and then `order_id`. */
  orders: Array<OrderSummary>;
  /** true when another page follows. */
  has_more: boolean;
  /** Gets the next page; null when this one is the last. */
  next_cursor: string | null;
}

/** An order as lists show it: without its transcript, its dials and its consent. */
export interface OrderSummary {
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
  /** Why the order waits or failed; null when there is nothing to report. New values may appear. */
  reason: 'waiting_for_balance' | 'plan_inactive' | 'plan_past_due' | 'live_call_limit' | 'daily_cap' | 'caller_numbers_resting' | 'no_answer' | 'machine' | 'do_not_contact' | 'unsupported_destination' | 'high_cost_destination' | 'rate_unavailable' | 'agent_inactive' | 'no_caller_id' | 'invalid_number' | 'call_dropped' | 'call_failed' | 'inconclusive' | 'not_interested' | 'wrong_number' | 'knocked_out' | 'below_threshold' | 'calendar_unavailable' | (string & {}) | null;
  /** true for an order made with a test key. */
  test: boolean;
  /** `outbound`: the lead is called. `inbound`: a person called a number of the workspace; there is one attempt, nobody is called back or texted, and events go to the default webhook URL. New values may appear. */
  direction: 'outbound' | 'inbound' | (string & {});
  /** The agent that calls, or that took the call. */
  agent_id: string;
  /** Published version of the agent that the order uses. */
  agent_version: number;
  lead: OrderLead;
  cadence: OrderCadence;
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
  /** When the next dial is due: a minute in which the number may be called; null when none is. */
  next_attempt_at: string | null;
  /** The calling hours that the next dial waits for; null when none is due or it falls due on its own. */
  waiting_for: WaitingFor | null;
  /** Seconds until the first dial, as estimated at creation. */
  estimated_dial_seconds: number;
  /** `pending` while the call is still analysed; an `order.updated` may follow. */
  analysis: 'none' | 'pending' | 'complete';
}

/** The lead as it was ordered. */
export interface OrderLead {
  /** E.164. `anonymous` for a person who called without showing a number. */
  phone: string;
  /** null when none was sent. */
  first_name: string | null;
  /** null when none was sent. */
  custom_context: string | null;
}

/** The retry plan in effect, with defaults filled in. */
export interface OrderCadence {
  /** Dials at most. */
  max_attempts: number;
  /** Wait between two attempts. */
  retry_interval_minutes: number;
  /** Whether a fallback text is sent when voicemail answers. */
  send_sms_on_voicemail: boolean;
}

/** Calling hours that put the next dial off. All rules must allow a dial in every time zone of the area code; of several that close, this one stays closed longest. */
export interface WaitingFor {
  /** The rule that keeps the phone from ringing: `federal_hours` (08:00 to 21:00), `state_hours`, `sunday`, `holiday` and `emergency` of the state, or the agent's own `agent_hours`. New values may appear. */
  rule: 'federal_hours' | 'state_hours' | 'sunday' | 'holiday' | 'emergency' | 'agent_hours' | (string & {});
  /** IANA name of the zone of the number in which the rule counts. */
  time_zone: string;
  /** When this rule lets the phone ring again. */
  until: string;
}

/** The lead became an order, now or before. */
export interface LeadAccepted {
  /** Always true. */
  success: true;
  /** Identifier of the order. */
  order_id: string;
  /** `QUEUED`, or the present status on a duplicate. */
  status: OrderStatus;
  /** Estimated seconds until the first dial; outside calling hours until the next minute in which the number may be called. */
  estimated_dial_seconds: number;
  /** true when the same payload came within 24 hours: this is its first order. */
  duplicate: boolean;
  /** true for a test lead, and for a lead that marks itself as a test. */
  test: boolean;
}

/** Everything about an order: its outcome so far, what was ordered, and its dials. */
export interface Order {
  /** Always true. */
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
  reason: 'waiting_for_balance' | 'plan_inactive' | 'plan_past_due' | 'live_call_limit' | 'daily_cap' | 'caller_numbers_resting' | 'no_answer' | 'machine' | 'do_not_contact' | 'unsupported_destination' | 'high_cost_destination' | 'rate_unavailable' | 'agent_inactive' | 'no_caller_id' | 'invalid_number' | 'call_dropped' | 'call_failed' | 'inconclusive' | 'not_interested' | 'wrong_number' | 'knocked_out' | 'below_threshold' | 'calendar_unavailable' | (string & {}) | null;
  /** true for an order made with a test key. */
  test: boolean;
  /** `outbound`: the lead is called. `inbound`: a person called a number of the workspace; there is one attempt, nobody is called back or texted, and events go to the default webhook URL. New values may appear. */
  direction: 'outbound' | 'inbound' | (string & {});
  /** The agent that calls, or that took the call. */
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
  /** When the next dial is due: a minute in which the number may be called; null when none is. */
  next_attempt_at: string | null;
  /** The calling hours that the next dial waits for; null when none is due or it falls due on its own. */
  waiting_for: WaitingFor | null;
  /** Seconds until the first dial, as estimated at creation. */
  estimated_dial_seconds: number;
  /** `pending` while the call is still analysed; an `order.updated` may follow. */
  analysis: 'none' | 'pending' | 'complete';
  /** All dials, first to last. */
  attempts: Array<Attempt>;
}

/** The consent record, word for word. */
export interface OrderConsent {
  /** Always true: no order is taken without. */
  opt_in_confirmed: true;
  /** As it was sent; when the call came, for inbound calls. */
  consented_at: string;
  /** As it was sent; `inbound_call` for inbound calls. */
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

/** The workspace and the key behind a request. */
export interface Me {
  /** Always true. */
  success: true;
  /** The workspace of the key. */
  workspace: {
    /** Identifier of the workspace. */
    id: string;
    /** Its name. */
    name: string;
    /** Its IANA time zone. */
    timezone: string;
  };
  /** The key of this request. */
  key: {
    /** Identifier of the key. */
    id: string;
    /** Its name. */
    name: string;
    /** Whether its orders ring phones. */
    mode: 'live' | 'test';
    /** Its last four characters. */
    last4: string;
    /** When it was made. */
    created_at: string;
  };
  /** The plan of the workspace. */
  plan: {
    /** With `past_due`, orders are taken and wait. */
    status: 'active' | 'past_due' | 'inactive';
  };
  /** null when it cannot be read right now. */
  wallet: Wallet | null;
  /** Whether an order with this key would be taken as far as the account goes. */
  can_place_orders: boolean;
  /** The error code that an order would get; null when it would be taken. New values may appear. */
  blocked_reason: 'plan_inactive' | 'insufficient_balance' | 'wallet_unavailable' | 'rate_limited' | (string & {}) | null;
  /** What the workspace may do, and what it has used of it. */
  limits: {
    /** Calls of the workspace. */
    live_calls: {
      /** Live calls at the same time, at most; further orders wait. */
      limit: number;
      /** Live calls that run now, inbound ones among them. */
      current: number;
    };
    /** Orders of the test keys of the workspace. */
    test_orders: {
      /** Orders with test keys in 24 hours, at most. */
      limit: number;
      /** Orders with test keys in the last 24 hours. */
      used: number;
    };
    /** Read requests of the workspace in a minute, at most. */
    reads_per_minute: number;
  };
}

/** The money of the workspace. */
export interface Wallet {
  /** What was paid in and not yet spent, rounded down. */
  balance_cents: number;
  /** Set aside for calls that run now, rounded up. */
  held_cents: number;
  /** Balance without what is held, rounded down. */
  available_cents: number;
  /** Rent of caller numbers that fell due and could not be paid; 0 when all is paid. Calling pauses when it is unpaid for 7 days, until a deposit pays it. */
  unpaid_rent_cents: number;
  /** Always US dollars. */
  currency: 'USD';
}

/** The agents of the workspace. */
export interface AgentList {
  /** Always true. */
  success: true;
  /** All agents of the workspace, by name. */
  agents: Array<Agent>;
}

/** An automated voice caller of the workspace. */
export interface Agent {
  /** Identifier of the agent. */
  agent_id: string;
  /** Its name. */
  name: string;
  /** Whether it is switched on. */
  active: boolean;
  /** Whether it was ever published. */
  published: boolean;
  /** When its present version was published; null before. */
  published_at: string | null;
  /** The version that new orders use; null when it was never published. */
  version: number | null;
  /** Whether it can place calls now. */
  callable: boolean;
  /** Why it cannot; null when it can. New values may appear. */
  not_callable_reason: 'agent_inactive' | 'agent_not_published' | 'no_caller_id' | (string & {}) | null;
  /** Language that it speaks. */
  language: string | null;
  /** IANA time zone that it works in. */
  timezone: string | null;
  /** What it asks, in order. */
  questions: Array<AgentQuestion>;
  /** What an order gets that leaves `cadence` out; null before it was published. */
  cadence_defaults: OrderCadence | null;
  /** Whether it can book appointments. */
  calendar_connected: boolean;
  /** Numbers that its calls come from, in E.164. */
  caller_numbers: Array<string>;
  /** When it was made. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
}

/** One question of an agent. */
export interface AgentQuestion {
  /** Names the answer in `extracted_answers`. */
  key: string;
  /** As the agent asks it. */
  question: string;
  /** What kind of answer is expected. New values may appear. */
  type: 'yes_no' | 'number' | 'choice' | 'text' | (string & {});
  /** Whether a lead must answer it to qualify. */
  required: boolean;
}

/** A link that plays a recording for a while. */
export interface RecordingLink {
  /** Always true. */
  success: true;
  /** Address of the MP3 with its token; whoever holds it can listen. */
  url: string;
  /** When the link stops working: 15 minutes after it was made. */
  expires_at: string;
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
  reason: 'waiting_for_balance' | 'plan_inactive' | 'plan_past_due' | 'live_call_limit' | 'daily_cap' | 'caller_numbers_resting' | 'no_answer' | 'machine' | 'do_not_contact' | 'unsupported_destination' | 'high_cost_destination' | 'rate_unavailable' | 'agent_inactive' | 'no_caller_id' | 'invalid_number' | 'call_dropped' | 'call_failed' | 'inconclusive' | 'not_interested' | 'wrong_number' | 'knocked_out' | 'below_threshold' | 'calendar_unavailable' | (string & {}) | null;
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
  reason: 'waiting_for_balance' | 'plan_inactive' | 'plan_past_due' | 'live_call_limit' | 'daily_cap' | 'caller_numbers_resting' | 'no_answer' | 'machine' | 'do_not_contact' | 'unsupported_destination' | 'high_cost_destination' | 'rate_unavailable' | 'agent_inactive' | 'no_caller_id' | 'invalid_number' | 'call_dropped' | 'call_failed' | 'inconclusive' | 'not_interested' | 'wrong_number' | 'knocked_out' | 'below_threshold' | 'calendar_unavailable' | (string & {}) | null;
  /** true for an order made with a test key. */
  test: boolean;
}

/** What a webhook tells; `event` says which. */
export type WebhookEvent = OrderCompletedEvent | OrderUpdatedEvent;

export type CreateOrderResponse = OrderAccepted;

export type ListOrdersResponse = OrderList;

export type ReceiveLeadResponse = LeadAccepted;

export type GetOrderResponse = Order;

export type GetMeResponse = Me;

export type ListAgentsResponse = AgentList;

export type GetRecordingLinkResponse = RecordingLink;

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
  listOrders: { method: 'GET', path: '/v1/orders' },
  receiveLead: { method: 'POST', path: '/v1/hooks/lead/{token}' },
  getOrder: { method: 'GET', path: '/v1/orders/{order_id}' },
  getMe: { method: 'GET', path: '/v1/me' },
  listAgents: { method: 'GET', path: '/v1/agents' },
  getRecording: { method: 'GET', path: '/v1/recordings/{order_id}.mp3' },
  getRecordingLink: { method: 'GET', path: '/v1/recordings/{order_id}/link' },
} as const;
