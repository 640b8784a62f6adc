// Why an order waits or failed: the known values of `reason`. Not error codes, though some share a
// name with one.

export const REASONS = [
  'waiting_for_balance',
  'plan_inactive',
  'plan_past_due',
  'live_call_limit',
  'daily_cap',
  'caller_numbers_resting',
  'no_answer',
  'machine',
  'do_not_contact',
  'unsupported_destination',
  'high_cost_destination',
  'rate_unavailable',
  'agent_inactive',
  'no_caller_id',
  'invalid_number',
  'call_dropped',
  'call_failed',
  'inconclusive',
  'not_interested',
  'wrong_number',
  'knocked_out',
  'below_threshold',
  'calendar_unavailable',
] as const;

/** A value of `reason` that this version knows; clients must accept others. */
export type Reason = (typeof REASONS)[number];

/** What may put a dial off to a later hour. */
export const WAITING_RULES = [
  'federal_hours',
  'state_hours',
  'sunday',
  'holiday',
  'emergency',
  'agent_hours',
] as const;

/** A value of `waiting_for.rule` that this version knows; clients must accept others. */
export type WaitingRule = (typeof WAITING_RULES)[number];

export const ATTEMPT_OUTCOMES = [
  'person',
  'voicemail',
  'no_answer',
  'busy',
  'declined',
  'invalid_number',
  'dropped',
  'failed',
  'not_placed',
] as const;

/** A value of `attempts[].outcome` that this version knows; clients must accept others. */
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
