-- Orders, their attempts, and what was said.

create table orders (
  workspace_id text not null references workspaces,
  id text not null,
  test boolean not null,
  agent_id text not null,
  agent_version integer not null,
  status text not null constraint status_known check (status in (
    'QUEUED', 'DIALING', 'IN_PROGRESS', 'RETRY_SCHEDULED', 'VOICEMAIL_SMS_SENT',
    'BOOKED', 'QUALIFIED', 'DISQUALIFIED', 'FAILED')),
  reason text,
  -- Counts every move; a move names the version that it read.
  version integer not null default 0,
  phone text not null,
  first_name text,
  custom_context text,
  max_attempts integer not null check (max_attempts between 1 and 3),
  retry_interval_minutes integer not null check (retry_interval_minutes between 5 and 10080),
  send_sms_on_voicemail boolean not null,
  -- The record for every call and text, word for word as it was sent.
  consent jsonb not null,
  webhook_url text,
  external_reference_id text check (length(external_reference_id) <= 200),
  idempotency_key text,
  attempt_number integer not null default 0,
  -- Dials that surely never rang because of the carrier or of us.
  carrier_faults integer not null default 0,
  estimated_dial_seconds integer not null,
  -- When something is due; null while a call is live and once the order is final.
  next_dial_at timestamptz,
  lease_until timestamptz,
  duration_seconds integer not null default 0,
  billed_minutes integer not null default 0,
  charged_micros bigint not null default 0,
  qualification jsonb,
  appointment jsonb not null default '{"booked": false, "start_time": null, "calendar_event_id": null}',
  analysis text not null default 'none'
    constraint analysis_known check (analysis in ('none', 'pending', 'complete')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (workspace_id, id),
  constraint attempts_within_plan check (attempt_number between 0 and max_attempts),
  constraint final_means_finished check (case
    when status in ('BOOKED', 'QUALIFIED', 'DISQUALIFIED', 'FAILED')
      then completed_at is not null and next_dial_at is null
    when status = 'VOICEMAIL_SMS_SENT' then (completed_at is null) = (next_dial_at is not null)
    else completed_at is null end)
);
-- An Idempotency-Key belongs to one order for life.
create unique index orders_by_idempotency_key on orders (workspace_id, idempotency_key)
  where idempotency_key is not null;
create index orders_due on orders (next_dial_at) where next_dial_at is not null;
create index orders_newest on orders (workspace_id, created_at desc, id desc);
create index orders_open_by_phone on orders (workspace_id, phone) where next_dial_at is not null;
create index test_orders_by_time on orders (workspace_id, created_at) where test;

create table attempts (
  workspace_id text not null,
  id text not null,
  order_id text not null,
  number integer not null check (number between 1 and 3),
  -- intent: committed, the carrier not yet asked; unknown: asked, no answer; placed: the carrier took it.
  state text not null constraint attempt_state_known check (state in
    ('intent', 'unknown', 'placed', 'answered', 'ended', 'not_placed')),
  test boolean not null,
  phone text not null,
  caller_number text,
  carrier_call_id text,
  outcome text,
  answered_by text,
  -- One use: set when the media socket was admitted.
  media_token_used_at timestamptz,
  -- Proof of life of the gateway that holds the call.
  gateway_seen_at timestamptz,
  -- The last moment at which a word was heard; a crashed call is billed up to here.
  last_heard_at timestamptz,
  talk_started_at timestamptz,
  talk_ended_at timestamptz,
  -- What the carrier said last, by rank; late or repeated callbacks never go back.
  carrier_state text,
  carrier_state_rank integer not null default 0,
  carrier_duration_seconds integer,
  -- When the watchdog looks at this attempt if nothing else ended it; null once ended.
  watch_at timestamptz,
  lease_until timestamptz,
  duration_seconds integer not null default 0,
  charged_micros bigint not null default 0,
  report jsonb,
  created_at timestamptz not null,
  placed_at timestamptz,
  ended_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, order_id) references orders,
  constraint live_attempts_are_watched check ((state in ('ended', 'not_placed')) = (watch_at is null))
);
create unique index one_live_attempt_per_order on attempts (workspace_id, order_id)
  where state in ('intent', 'unknown', 'placed', 'answered');
create unique index one_live_call_per_number on attempts (workspace_id, phone)
  where state in ('intent', 'unknown', 'placed', 'answered') and not test;
create unique index one_attempt_per_number on attempts (workspace_id, order_id, number)
  where state <> 'not_placed';
create unique index attempts_by_carrier_call on attempts (workspace_id, carrier_call_id)
  where carrier_call_id is not null;
create index attempts_watched on attempts (watch_at) where watch_at is not null;
create index attempts_by_phone on attempts (workspace_id, phone, created_at);

-- Carrier callbacks that were already applied.
create table carrier_events (
  workspace_id text not null,
  attempt_id text not null,
  event_id text not null,
  received_at timestamptz not null,
  primary key (workspace_id, attempt_id, event_id)
);

-- Only what was heard, as it was heard.
create table transcript_turns (
  workspace_id text not null,
  attempt_id text not null,
  position integer not null,
  role text not null constraint turn_role_known check (role in ('agent', 'user')),
  text text not null,
  start_ms integer not null,
  end_ms integer not null,
  primary key (workspace_id, attempt_id, position),
  foreign key (workspace_id, attempt_id) references attempts
);

create table recordings (
  workspace_id text not null,
  order_id text not null,
  attempt_id text not null,
  -- raw: handed over by the gateway; ready: mixed and stored; deleted: after retention.
  state text not null constraint recording_state_known check (state in ('raw', 'ready', 'deleted')),
  raw_path text,
  duration_ms integer not null,
  size_bytes bigint,
  next_try_at timestamptz,
  lease_until timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, order_id, attempt_id),
  foreign key (workspace_id, attempt_id) references attempts
);
create index recordings_to_mix on recordings (next_try_at) where state = 'raw';

create table texts (
  workspace_id text not null,
  id text not null,
  order_id text not null,
  attempt_id text not null,
  state text not null constraint text_state_known check (state in
    ('due', 'asked', 'sent', 'refused', 'unknown', 'simulated')),
  phone text not null,
  caller_number text,
  body text not null,
  carrier_text_id text,
  refusal text,
  next_try_at timestamptz,
  lease_until timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, id),
  -- One fallback text per attempt, whatever runs twice.
  unique (workspace_id, attempt_id),
  foreign key (workspace_id, attempt_id) references attempts
);
create index texts_due on texts (next_try_at) where next_try_at is not null;

create table appointments (
  workspace_id text not null,
  id text not null,
  attempt_id text not null,
  start_at timestamptz not null,
  minutes integer not null check (minutes > 0),
  created_at timestamptz not null,
  cancelled_at timestamptz,
  primary key (workspace_id, id)
);
-- Two calls can never take the same start.
create unique index appointments_by_start on appointments (workspace_id, start_at)
  where cancelled_at is null;
