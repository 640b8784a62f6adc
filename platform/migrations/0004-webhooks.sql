-- Events on their way to receivers. The row is the truth; jobs only wake the sender.

create table deliveries (
  workspace_id text not null references workspaces,
  id text not null,
  order_id text not null,
  event text not null constraint event_known check (event in ('order.completed', 'order.updated')),
  url text not null,
  -- The very bytes that are signed and sent, the same over all attempts.
  body bytea not null,
  body_sha256 bytea not null,
  state text not null default 'due'
    constraint delivery_state_known check (state in ('due', 'delivered', 'exhausted')),
  attempts integer not null default 0 check (attempts between 0 and 6),
  next_attempt_at timestamptz,
  lease_until timestamptz,
  -- Fences off a sender that lost its lease.
  lease_token integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (workspace_id, id),
  -- An identical payload for the same order and event is sent only once.
  constraint identical_event_once unique (workspace_id, order_id, event, body_sha256),
  constraint due_deliveries_have_a_time check ((state = 'due') = (next_attempt_at is not null)),
  foreign key (workspace_id, order_id) references orders
);
create index deliveries_due on deliveries (next_attempt_at) where state = 'due';

create table delivery_attempts (
  workspace_id text not null,
  delivery_id text not null,
  number integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  http_status integer,
  error text,
  primary key (workspace_id, delivery_id, number),
  foreign key (workspace_id, delivery_id) references deliveries
);
