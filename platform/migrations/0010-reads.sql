-- Counters of rate limits, shared by all processes: one row per workspace or URL, so they need no clearing.
-- They may be lost with a crash; then a window begins anew.
create unlogged table rate_windows (
  bucket text primary key,
  opened_at timestamptz not null,
  ends_at timestamptz not null,
  used integer not null
) with (fillfactor = 50);

-- Keys are looked up by this and then compared whole, in constant time.
alter table api_keys add column lookup_prefix bytea
  generated always as (substring(hash from 1 for 8)) stored;
create index api_keys_by_prefix on api_keys (lookup_prefix);

-- The list of orders, newest first, by status and by agent.
create index orders_by_status on orders (workspace_id, status, created_at desc, id desc);
create index orders_by_agent on orders (workspace_id, agent_id, status, created_at desc, id desc);

-- Orders made before a moment and changed after it: each class holds those that lived about equally long, so that
-- a look into it goes back no further than they could have lived. Class n lived up to 4^n seconds.
create function lifetime_class(created_at timestamptz, updated_at timestamptz) returns integer
language sql immutable parallel safe
return least(13, ceil(ln(greatest(1, extract(epoch from updated_at - created_at)::float8)) / ln(4::float8)))::integer;
create index orders_by_lifetime on orders
  (workspace_id, lifetime_class(created_at, updated_at), created_at desc, id desc);

create index attempts_by_order on attempts (workspace_id, order_id);
