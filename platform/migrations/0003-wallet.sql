-- Money in micro-dollars: a wallet per workspace, holds on it, and a double-entry ledger that only grows.

create table wallets (
  workspace_id text primary key references workspaces,
  balance_micros bigint not null default 0,
  held_micros bigint not null default 0 check (held_micros >= 0),
  paused boolean not null default false,
  constraint never_overdrawn check (balance_micros - held_micros >= 0)
) with (fillfactor = 50);

create table holds (
  workspace_id text not null references wallets,
  attempt_id text not null,
  amount_micros bigint not null check (amount_micros > 0),
  -- Started minutes that the hold covers.
  minutes integer not null check (minutes > 0),
  minute_price_micros bigint not null check (minute_price_micros > 0),
  text_price_micros bigint not null default 0,
  state text not null default 'open' constraint hold_state_known check (state in ('open', 'settled')),
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (workspace_id, attempt_id)
);

create table ledger_transfers (
  workspace_id text not null references wallets,
  id text not null,
  kind text not null constraint transfer_kind_known check (kind in ('deposit', 'call', 'text', 'adjustment')),
  -- The same move asked twice is one transfer.
  idempotency_key text not null,
  amount_micros bigint not null check (amount_micros > 0),
  order_id text,
  attempt_id text,
  created_at timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, idempotency_key)
);

create table ledger_entries (
  workspace_id text not null,
  transfer_id text not null,
  account text not null constraint account_known check (account in ('wallet', 'deposits', 'calls', 'texts', 'adjustments')),
  -- Signed from the account's own view; the entries of a transfer sum to zero.
  amount_micros bigint not null check (amount_micros <> 0),
  primary key (workspace_id, transfer_id, account),
  foreign key (workspace_id, transfer_id) references ledger_transfers
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% only grows', tg_table_name;
end $$;
create trigger ledger_transfers_only_grow before update or delete on ledger_transfers
  for each row execute function refuse_change();
create trigger ledger_entries_only_grow before update or delete on ledger_entries
  for each row execute function refuse_change();

-- One transfer with its two entries; answers false when the key was used before.
create function post_transfer(
  p_workspace_id text, p_transfer_id text, p_kind text, p_key text,
  p_from text, p_to text, p_amount_micros bigint,
  p_order_id text, p_attempt_id text, p_now timestamptz
) returns boolean language plpgsql as $$
begin
  insert into ledger_transfers
    values (p_workspace_id, p_transfer_id, p_kind, p_key, p_amount_micros, p_order_id, p_attempt_id, p_now)
    on conflict (workspace_id, idempotency_key) do nothing;
  if not found then return false; end if;
  insert into ledger_entries values
    (p_workspace_id, p_transfer_id, p_from, -p_amount_micros),
    (p_workspace_id, p_transfer_id, p_to, p_amount_micros);
  return true;
end $$;

-- Puts money into a wallet once per key.
create function deposit(
  p_workspace_id text, p_transfer_id text, p_key text, p_amount_micros bigint, p_now timestamptz
) returns boolean language plpgsql as $$
begin
  if not post_transfer(p_workspace_id, p_transfer_id, 'deposit', p_key, 'deposits', 'wallet',
      p_amount_micros, null, null, p_now) then return false; end if;
  update wallets set balance_micros = balance_micros + p_amount_micros where workspace_id = p_workspace_id;
  return true;
end $$;

-- Adds one minute to an open hold when the wallet can cover it.
create function extend_hold(p_workspace_id text, p_attempt_id text) returns boolean language plpgsql as $$
declare
  v_price bigint;
begin
  select minute_price_micros into v_price from holds
    where workspace_id = p_workspace_id and attempt_id = p_attempt_id and state = 'open' for update;
  if not found then return false; end if;
  update wallets set held_micros = held_micros + v_price
    where workspace_id = p_workspace_id and balance_micros - held_micros >= v_price and not paused;
  if not found then return false; end if;
  update holds set amount_micros = amount_micros + v_price, minutes = minutes + 1
    where workspace_id = p_workspace_id and attempt_id = p_attempt_id;
  return true;
end $$;
