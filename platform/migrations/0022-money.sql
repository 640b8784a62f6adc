-- The whole ledger: rent and adjustments beside deposits, calls and texts; payments; and what wakes waiting orders.
-- Lock order as before: order, attempt, hold, caller number, wallet. What wakes orders skips those that are locked.

alter table ledger_transfers
  drop constraint transfer_kind_known,
  add constraint transfer_kind_known check (kind in ('deposit', 'call', 'text', 'rent', 'adjustment')),
  -- Why and by whom, where a person did it.
  add column note text,
  add column made_by text,
  add constraint noted_by_somebody check ((note is null) = (made_by is null));
alter table ledger_entries
  drop constraint account_known,
  add constraint account_known check (account in ('wallet', 'deposits', 'calls', 'texts', 'rents', 'adjustments'));
create index ledger_transfers_newest on ledger_transfers (workspace_id, created_at desc, id desc);
-- What the proof sums up, and the calls whose charge it compares.
create index ledger_entries_of_wallets on ledger_entries (workspace_id) include (amount_micros)
  where account = 'wallet';
create index attempts_charged on attempts (workspace_id, ended_at) where charged_micros > 0;
create trigger ledger_transfers_stay before truncate on ledger_transfers
  for each statement execute function refuse_change();
create trigger ledger_entries_stay before truncate on ledger_entries
  for each statement execute function refuse_change();

-- As before, with a note and its author.
drop function post_transfer(text, text, text, text, text, text, bigint, text, text, timestamptz);
create function post_transfer(
  p_workspace_id text, p_transfer_id text, p_kind text, p_key text,
  p_from text, p_to text, p_amount_micros bigint,
  p_order_id text, p_attempt_id text, p_now timestamptz,
  p_note text default null, p_made_by text default null
) returns boolean language plpgsql as $$
begin
  insert into ledger_transfers (workspace_id, id, kind, idempotency_key, amount_micros, order_id, attempt_id,
      created_at, note, made_by)
    values (p_workspace_id, p_transfer_id, p_kind, p_key, p_amount_micros, p_order_id, p_attempt_id,
      p_now, p_note, p_made_by)
    on conflict (workspace_id, idempotency_key) do nothing;
  if not found then return false; end if;
  insert into ledger_entries (workspace_id, transfer_id, account, amount_micros) values
    (p_workspace_id, p_transfer_id, p_from, -p_amount_micros),
    (p_workspace_id, p_transfer_id, p_to, p_amount_micros);
  return true;
end $$;

-- Small while few wait, and out of the way of every other order.
create index orders_waiting_for_money on orders (workspace_id, next_dial_at)
  where next_dial_at is not null and reason in ('waiting_for_balance', 'plan_inactive', 'plan_past_due');

-- Makes waiting orders due, those first that would look soonest, at most so many; answers how many. It never waits
-- for a locked order: who holds it is dialling it now, and meets the money under the wallet's lock.
-- Without bitmaps the index gives the rows in order, also while statistics do not yet know how many wait.
create function wake_waiting_orders(p_workspace_id text, p_reasons text[], p_now timestamptz, p_max integer)
returns integer language plpgsql set enable_bitmapscan = off as $$
declare
  v_woken integer;
begin
  update orders o set next_dial_at = p_now
    from (select id from orders
      where workspace_id = p_workspace_id and next_dial_at > p_now and reason = any(p_reasons)
        and reason in ('waiting_for_balance', 'plan_inactive', 'plan_past_due')
      order by next_dial_at limit p_max for update skip locked) waiting
    where o.workspace_id = p_workspace_id and o.id = waiting.id;
  get diagnostics v_woken = row_count;
  return v_woken;
end $$;

-- As before; the first of the orders that wait for money fall due with it.
drop function deposit(text, text, text, bigint, timestamptz);
create function deposit(
  p_workspace_id text, p_transfer_id text, p_key text, p_amount_micros bigint, p_now timestamptz,
  p_note text default null, p_made_by text default null
) returns boolean language plpgsql as $$
begin
  if not post_transfer(p_workspace_id, p_transfer_id, 'deposit', p_key, 'deposits', 'wallet',
      p_amount_micros, null, null, p_now, p_note, p_made_by) then return false; end if;
  update wallets set balance_micros = balance_micros + p_amount_micros where workspace_id = p_workspace_id;
  perform wake_waiting_orders(p_workspace_id, '{waiting_for_balance}', p_now, 500);
  return true;
end $$;

-- Credit given by an operator. 'repeated' tells that this key was used for the same amount, 'conflict' for another.
create function deposit_credit(
  p_workspace_id text, p_transfer_id text, p_key text, p_amount_micros bigint,
  p_first_minimum_micros bigint, p_note text, p_made_by text, p_now timestamptz
) returns text language plpgsql as $$
declare
  v_before bigint;
begin
  -- One at a time, so that two first deposits cannot each take the other for the first.
  perform from wallets where workspace_id = p_workspace_id for no key update;
  if not found then return 'no_wallet'; end if;
  select amount_micros into v_before from ledger_transfers
    where workspace_id = p_workspace_id and idempotency_key = p_key;
  if found then return case when v_before = p_amount_micros then 'repeated' else 'conflict' end; end if;
  if p_amount_micros < p_first_minimum_micros and not exists (select from ledger_transfers
      where workspace_id = p_workspace_id and kind = 'deposit') then return 'below_first_minimum'; end if;
  perform deposit(p_workspace_id, p_transfer_id, p_key, p_amount_micros, p_now, p_note, p_made_by);
  return 'done';
end $$;

-- A correction by an operator, of either sign; it never takes what is held nor more than there is.
create function adjust_wallet(
  p_workspace_id text, p_transfer_id text, p_key text, p_amount_micros bigint,
  p_note text, p_made_by text, p_now timestamptz
) returns text language plpgsql as $$
declare
  v_wallet wallets;
  v_before bigint;
begin
  select * into v_wallet from wallets where workspace_id = p_workspace_id for no key update;
  if not found then return 'no_wallet'; end if;
  select amount_micros into v_before from ledger_entries e
    where e.workspace_id = p_workspace_id and account = 'wallet' and transfer_id = (
      select id from ledger_transfers where workspace_id = p_workspace_id and idempotency_key = p_key);
  if found then return case when v_before = p_amount_micros then 'repeated' else 'conflict' end; end if;
  if v_wallet.balance_micros - v_wallet.held_micros + p_amount_micros < 0 then return 'short'; end if;
  perform post_transfer(p_workspace_id, p_transfer_id, 'adjustment', p_key,
    case when p_amount_micros > 0 then 'adjustments' else 'wallet' end,
    case when p_amount_micros > 0 then 'wallet' else 'adjustments' end,
    abs(p_amount_micros), null, null, p_now, p_note, p_made_by);
  update wallets set balance_micros = balance_micros + p_amount_micros where workspace_id = p_workspace_id;
  if p_amount_micros > 0 then
    perform wake_waiting_orders(p_workspace_id, '{waiting_for_balance}', p_now, 500);
  end if;
  return 'done';
end $$;

-- Answers the plan before, null when there is no such workspace.
create function set_plan(p_workspace_id text, p_status text, p_now timestamptz) returns text language plpgsql as $$
declare
  v_before text;
begin
  select plan_status into v_before from workspaces where id = p_workspace_id for no key update;
  if not found then return null; end if;
  update workspaces set plan_status = p_status where id = p_workspace_id and plan_status <> p_status;
  if p_status = 'active' then
    perform wake_waiting_orders(p_workspace_id, '{plan_inactive,plan_past_due}', p_now, 500);
  end if;
  return v_before;
end $$;

-- Who stopped calls from starting and being extended; what the rent stopped, the rent lets go on.
alter table wallets add column paused_by text
  constraint pauser_known check (paused_by in ('operator', 'rent'));
update wallets set paused_by = 'operator' where paused;

-- The operator's word stands above the rent's. Answers whether it was paused before, null when there is no wallet.
create function set_wallet_paused(p_workspace_id text, p_paused boolean, p_now timestamptz) returns boolean
language plpgsql as $$
declare
  v_before boolean;
begin
  select paused into v_before from wallets where workspace_id = p_workspace_id for no key update;
  if not found then return null; end if;
  update wallets set paused = p_paused, paused_by = case when p_paused then 'operator' end
    where workspace_id = p_workspace_id;
  if not p_paused then
    perform wake_waiting_orders(p_workspace_id, '{waiting_for_balance}', p_now, 500);
  end if;
  return v_before;
end $$;

-- Rent of caller numbers: paid ahead for the month that begins on the number's own day.
alter table caller_numbers
  -- Start of the next month that is not paid; null is the moment at which the number was made.
  add column rent_due_at timestamptz,
  -- Its day and time are those at which every month begins; null is the moment at which the number was made.
  add column rent_from timestamptz,
  -- When it was first found that the wallet could not pay; null when all that fell due is paid.
  add column rent_unpaid_since timestamptz,
  -- Unpaid for the whole grace: calling is paused until it is paid.
  add column rent_overdue boolean not null default false,
  add constraint overdue_is_unpaid check (not rent_overdue or rent_unpaid_since is not null);
-- Numbers from before the rent begin to pay it now.
update caller_numbers set rent_due_at = now(), rent_from = now();
create index caller_numbers_rent on caller_numbers ((coalesce(rent_due_at, created_at))) where active;
create index caller_numbers_overdue on caller_numbers (workspace_id) where active and rent_overdue;

-- Charges one month of one number, once whoever runs it and how often. Answers 'charged', 'not_due', or why not:
-- 'unpaid' when this was found first, 'overdue' when the grace has just ended, 'waiting' in between and after.
create function charge_rent(
  p_workspace_id text, p_number_id text, p_transfer_id text, p_price_micros bigint,
  p_grace_hours integer, p_now timestamptz
) returns text language plpgsql as $$
declare
  v_number caller_numbers;
  v_from timestamptz;
  v_due_at timestamptz;
  v_months integer;
begin
  select * into v_number from caller_numbers where workspace_id = p_workspace_id and id = p_number_id
    and active and coalesce(rent_due_at, created_at) <= p_now for update;
  if not found then return 'not_due'; end if;

  perform from wallets where workspace_id = p_workspace_id and balance_micros - held_micros >= p_price_micros
    for no key update;
  if not found then
    if v_number.rent_unpaid_since is null then
      update caller_numbers set rent_unpaid_since = p_now
        where workspace_id = p_workspace_id and id = p_number_id;
      return 'unpaid';
    end if;
    if v_number.rent_overdue or v_number.rent_unpaid_since + p_grace_hours * interval '1 hour' > p_now then
      return 'waiting';
    end if;
    update caller_numbers set rent_overdue = true where workspace_id = p_workspace_id and id = p_number_id;
    update wallets set paused = true, paused_by = 'rent' where workspace_id = p_workspace_id and not paused;
    return 'overdue';
  end if;

  v_due_at := coalesce(v_number.rent_due_at, v_number.created_at);
  v_from := coalesce(v_number.rent_from, v_number.created_at);
  -- Months in which nothing could be called are not owed: those of an overdue number begin anew.
  if v_number.rent_overdue then
    v_due_at := p_now;
    v_from := p_now;
  end if;
  if post_transfer(p_workspace_id, p_transfer_id, 'rent',
      'rent:' || p_number_id || ':' || to_char(v_due_at at time zone 'UTC', 'YYYY-MM'),
      'wallet', 'rents', p_price_micros, null, null, p_now) then
    update wallets set balance_micros = balance_micros - p_price_micros where workspace_id = p_workspace_id;
  end if;
  -- Counted from the first day: 31 January, 28 February, 31 March.
  v_months := (extract(year from v_due_at at time zone 'UTC') - extract(year from v_from at time zone 'UTC')) * 12
    + extract(month from v_due_at at time zone 'UTC') - extract(month from v_from at time zone 'UTC') + 1;
  update caller_numbers set rent_unpaid_since = null, rent_overdue = false, rent_from = v_from,
      rent_due_at = (v_from at time zone 'UTC' + v_months * interval '1 month') at time zone 'UTC'
    where workspace_id = p_workspace_id and id = p_number_id;
  if v_number.rent_overdue then perform lift_rent_pause(p_workspace_id, p_now); end if;
  return 'charged';
end $$;

-- Lets calls start again once no number that the workspace still has is overdue.
create function lift_rent_pause(p_workspace_id text, p_now timestamptz) returns boolean language plpgsql as $$
begin
  update wallets set paused = false, paused_by = null
    where workspace_id = p_workspace_id and paused_by = 'rent' and not exists (select from caller_numbers n
      where n.workspace_id = p_workspace_id and n.active and n.rent_overdue);
  if not found then return false; end if;
  perform wake_waiting_orders(p_workspace_id, '{waiting_for_balance}', p_now, 500);
  return true;
end $$;

-- Deposits that a customer was asked to pay, and how they went.
create table deposits (
  workspace_id text not null references wallets,
  id text not null,
  -- intent: the provider is being asked for a checkout; open: the customer may pay; failed: nobody ever could pay;
  -- expired: nobody did; disputed: paid in a way that we cannot credit, for an operator to look at.
  state text not null constraint deposit_state_known check (state in
    ('intent', 'open', 'paid', 'expired', 'failed', 'disputed')),
  amount_micros bigint not null check (amount_micros > 0),
  -- What the provider took; the wallet is credited with this.
  paid_micros bigint check (paid_micros > 0),
  checkout_id text,
  checkout_url text,
  detail text,
  -- When the provider is asked how it went, should its event not have come.
  next_look_at timestamptz,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (workspace_id, id),
  constraint paid_means_amount check ((state = 'paid') = (paid_micros is not null)),
  constraint open_is_looked_up check ((state = 'open') = (next_look_at is not null))
);
create index deposits_not_opened on deposits (created_at) where state = 'intent';
create index deposits_to_look_up on deposits (next_look_at) where next_look_at is not null;

-- Credits a paid deposit once, with what was paid; a deposit that was given up is credited all the same.
create function settle_deposit(
  p_workspace_id text, p_deposit_id text, p_checkout_id text, p_paid_micros bigint, p_now timestamptz
) returns text language plpgsql as $$
declare
  v_deposit deposits;
begin
  select * into v_deposit from deposits where workspace_id = p_workspace_id and id = p_deposit_id for update;
  if not found then return 'unknown'; end if;
  if v_deposit.checkout_id is distinct from p_checkout_id and v_deposit.checkout_id is not null then
    return 'other_checkout';
  end if;
  if v_deposit.state = 'paid' then return 'repeated'; end if;
  update deposits set state = 'paid', paid_micros = p_paid_micros, checkout_id = p_checkout_id,
      next_look_at = null, settled_at = p_now, detail = null
    where workspace_id = p_workspace_id and id = p_deposit_id;
  perform deposit(p_workspace_id, 'trf_' || p_deposit_id, 'deposit:' || p_deposit_id, p_paid_micros, p_now);
  return 'settled';
end $$;
