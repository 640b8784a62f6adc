-- Who uses the service: workspaces, their keys, members, agents and numbers.
-- workspace_id stands first in every key, so that the tables can be distributed by it.

create table workspaces (
  id text primary key,
  name text not null,
  timezone text not null default 'America/New_York',
  plan_status text not null default 'active'
    constraint plan_status_known check (plan_status in ('active', 'past_due', 'inactive')),
  live_call_limit integer not null default 10 check (live_call_limit >= 0),
  default_webhook_url text,
  test_webhook_url text,
  -- Sealed with the key of the environment; the old one serves until its end of overlap.
  webhook_secret_sealed text not null,
  old_webhook_secret_sealed text,
  old_webhook_secret_until timestamptz,
  -- Null keeps recordings until they are deleted by hand.
  recording_retention_days integer default 30 check (recording_retention_days between 1 and 365),
  created_at timestamptz not null
);

create table users (
  id text primary key,
  email text not null unique,
  password_hash text not null,
  created_at timestamptz not null
);

create table members (
  workspace_id text not null references workspaces,
  user_id text not null references users,
  role text not null constraint role_known check (role in ('owner', 'admin', 'member')),
  primary key (workspace_id, user_id)
);

create table api_keys (
  workspace_id text not null references workspaces,
  id text not null,
  mode text not null constraint key_mode_known check (mode in ('live', 'test')),
  name text not null,
  -- SHA-256 of the whole key; the key itself is shown once and never kept.
  hash bytea not null,
  last4 text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (workspace_id, id)
);
create unique index api_keys_by_hash on api_keys (hash);

create table agents (
  workspace_id text not null references workspaces,
  id text not null,
  name text not null,
  active boolean not null default true,
  -- Null until the agent was published for the first time.
  published_version integer,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);

create table agent_versions (
  workspace_id text not null,
  agent_id text not null,
  version integer not null check (version > 0),
  config jsonb not null,
  published_at timestamptz not null,
  primary key (workspace_id, agent_id, version),
  foreign key (workspace_id, agent_id) references agents
);

create table caller_numbers (
  workspace_id text not null references workspaces,
  id text not null,
  phone text not null,
  active boolean not null default true,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);

create table trigger_urls (
  workspace_id text not null,
  id text not null,
  agent_id text not null,
  -- SHA-256 of the token in the path.
  token_hash bytea not null unique,
  active boolean not null,
  consent_statement text not null,
  consent_statement_accepted_at timestamptz not null,
  created_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, agent_id) references agents
);

create table do_not_contact (
  workspace_id text not null references workspaces,
  phone text not null,
  source text not null
    constraint source_known check (source in ('said', 'wrong_number', 'text_reply', 'added', 'carrier')),
  -- The words that were said, when they were.
  quote text,
  order_id text,
  created_at timestamptz not null,
  primary key (workspace_id, phone)
);

-- Where the numbers of one workspace's calendar stand free; times are local to `timezone`.
create table calendars (
  workspace_id text primary key references workspaces,
  timezone text not null,
  -- Seven entries, Sunday first: ["09:00","17:00"] or null for a closed day.
  opening_hours jsonb not null
);
