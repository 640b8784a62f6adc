-- Dialling under load: fair claims, caller numbers with a daily cap, and the pace and health of a carrier account.

-- What is due, first dials apart from later ones. The last one finds what stands behind a crowd; its time has another
-- type, so that no plan can take one of these indexes for the other.
create index orders_due_first on orders (next_dial_at)
  where next_dial_at is not null and attempt_number = 0;
create index orders_due_again on orders (next_dial_at)
  where next_dial_at is not null and attempt_number > 0;
create index orders_due_first_by_workspace on orders (workspace_id, (next_dial_at at time zone 'UTC'))
  where next_dial_at is not null and attempt_number = 0;
drop index orders_due;
-- Orders that wait for another call to end; they are claimed when it does, or looked at again when they fall due.
create index orders_waiting_for_calls on orders (workspace_id, (attempt_number > 0), created_at)
  where reason = 'live_call_limit' and next_dial_at is not null;

alter table caller_numbers
  -- Dials from this number in 24 hours; more of them make a number look like spam.
  add column daily_dial_cap integer not null default 100 check (daily_dial_cap > 0),
  -- Not used for dials before this moment.
  add column resting_until timestamptz;
create index attempts_by_caller_number on attempts (workspace_id, caller_number, created_at)
  where caller_number is not null and not test and state <> 'not_placed';

-- When an active number may be used for a dial: now or earlier, or once it has rested or its cap lets one more through.
create function caller_number_free_at(p_number caller_numbers, p_now timestamptz) returns timestamptz
language plpgsql stable as $$
begin
  return greatest(p_now, p_number.resting_until, (
    select created_at + interval '24 hours' from attempts
    where workspace_id = p_number.workspace_id and caller_number = p_number.phone
      and not test and state <> 'not_placed' and created_at > p_now - interval '24 hours'
    order by created_at desc offset p_number.daily_dial_cap - 1 limit 1));
end $$;

-- These are in PL/pgSQL because it keeps their plans: they run for every dial and many times in a claim.
-- How many more calls a workspace may have on the phone; never negative.
create function free_call_slots(p_workspace_id text) returns integer language plpgsql stable as $$
begin
  return greatest(0, (select live_call_limit from workspaces where id = p_workspace_id) - (
    select count(*)::int from attempts
    where workspace_id = p_workspace_id and not test and state in ('intent', 'unknown', 'placed', 'answered')));
end $$;

create function has_live_call(p_workspace_id text, p_phone text) returns boolean language plpgsql stable as $$
begin
  return exists (select from attempts where workspace_id = p_workspace_id and phone = p_phone
    and not test and state in ('intent', 'unknown', 'placed', 'answered'));
end $$;

-- The pace and health of one account at a carrier, shared by all processes.
create table carrier_accounts (
  name text primary key,
  -- When the next call may be placed; ahead of the clock by what is booked already.
  next_call_at timestamptz,
  faults_in_a_row integer not null default 0,
  -- Set while the account rests after faults in a row; once it is over, one dial at a time probes it.
  paused_until timestamptz,
  pauses_in_a_row integer not null default 0,
  probed_until timestamptz
) with (fillfactor = 50);

-- How many dials the account takes in the coming second (null: any number), and when that changes.
create function carrier_room(
  p_account text, p_calls_per_second integer, p_now timestamptz, out room integer, out changes_at timestamptz
) language plpgsql stable as $$
declare
  v_account carrier_accounts;
  v_next_call_at timestamptz;
begin
  select * into v_account from carrier_accounts where name = p_account;
  if v_account.paused_until > p_now or v_account.probed_until > p_now then
    room := 0;
    changes_at := greatest(v_account.paused_until, v_account.probed_until);
  elsif v_account.paused_until is not null then
    room := 1;
    changes_at := p_now + interval '1 second';
  elsif p_calls_per_second is not null then
    v_next_call_at := next_carrier_call_at(v_account, p_now);
    room := greatest(0, ceil(extract(epoch from p_now + interval '1 second' - v_next_call_at) * p_calls_per_second));
    changes_at := greatest(p_now + interval '100 milliseconds', v_next_call_at - interval '1 second');
  end if;
end $$;

-- A booking far ahead was made by a clock that went wrong; it does not count.
create function next_carrier_call_at(p_account carrier_accounts, p_now timestamptz) returns timestamptz
language sql immutable as $$
  select case when p_account.next_call_at > p_now + interval '1 minute' then p_now
    else greatest(p_account.next_call_at, p_now) end;
$$;

-- Books the account's next call within the coming second: {"call_at": ...}, or why not and when to come again.
create function book_carrier_call(
  p_account text, p_calls_per_second integer, p_probe_until timestamptz, p_now timestamptz
) returns jsonb language plpgsql as $$
declare
  v_account carrier_accounts;
  v_call_at timestamptz := p_now;
begin
  select * into v_account from carrier_accounts where name = p_account;
  -- Without a limit and in good health no dial waits for another one's row lock.
  if found and v_account.paused_until is null and p_calls_per_second is null then
    return jsonb_build_object('call_at', p_now);
  end if;
  insert into carrier_accounts (name) values (p_account) on conflict do nothing;
  select * into v_account from carrier_accounts where name = p_account for update;
  if v_account.paused_until > p_now or v_account.probed_until > p_now then
    return jsonb_build_object('outcome', 'carrier_paused',
      'opens_at', greatest(v_account.paused_until, v_account.probed_until));
  end if;
  if p_calls_per_second is not null then
    v_call_at := next_carrier_call_at(v_account, p_now);
    if v_call_at >= p_now + interval '1 second' then
      return jsonb_build_object('outcome', 'carrier_busy', 'opens_at', v_call_at - interval '1 second');
    end if;
  end if;
  update carrier_accounts set
    next_call_at = case when p_calls_per_second is null then next_call_at
      else v_call_at + interval '1 second' / p_calls_per_second end,
    probed_until = case when v_account.paused_until is null then null else p_probe_until end
  where name = p_account;
  return jsonb_build_object('call_at', v_call_at);
end $$;

-- Counts a fault of the carrier. So many in a row pause its account, each further one for twice as long; faults of calls
-- that were under way when the pause began do not prolong it. Answers until when the account is paused, or null.
create function note_carrier_fault(
  p_account text, p_faults_to_pause integer, p_pause_seconds integer, p_pause_max_seconds integer, p_now timestamptz
) returns timestamptz language plpgsql as $$
declare
  v_account carrier_accounts;
begin
  insert into carrier_accounts as a (name, faults_in_a_row) values (p_account, 1)
    on conflict (name) do update set faults_in_a_row = a.faults_in_a_row + 1;
  update carrier_accounts set pauses_in_a_row = pauses_in_a_row + 1, probed_until = null,
      paused_until = p_now + least(p_pause_max_seconds, p_pause_seconds * 2 ^ least(pauses_in_a_row, 20))
        * interval '1 second'
    where name = p_account and faults_in_a_row >= p_faults_to_pause
      and (paused_until is null or paused_until <= p_now);
  select * into v_account from carrier_accounts where name = p_account;
  return v_account.paused_until;
end $$;

-- As before, and: the caller number comes chosen and is judged again here, the daily cap is a parameter, an order that
-- meets a full workspace or a busy number waits for a call to end, and the carrier's pace is kept.
-- What came before the last parameters keeps its place, so that the release before this one can still call it.
drop function begin_dial(text, text, integer, text, timestamptz, timestamptz, bigint, bigint);
create function begin_dial(
  p_workspace_id text, p_order_id text, p_version integer, p_attempt_id text, p_now timestamptz,
  p_watch_at timestamptz, p_minute_price_micros bigint, p_text_price_micros bigint,
  p_caller_number text default null,
  p_dials_max integer default 3, p_dials_within interval default '24 hours',
  p_wait_until timestamptz default null,
  p_carrier_account text default null, p_calls_per_second integer default null,
  p_probe_until timestamptz default null
) returns jsonb language plpgsql as $$
declare
  v_order orders;
  v_there record;
  v_plan_status text;
  v_wallet wallets;
  v_caller_number text;
  v_hold_micros bigint;
  v_opens_at timestamptz;
  v_waits_for text;
  v_booking jsonb := '{}';
begin
  select * into v_order from orders
    where workspace_id = p_workspace_id and id = p_order_id and version = p_version
      and status in ('QUEUED', 'RETRY_SCHEDULED') and next_dial_at <= p_now and attempt_number < max_attempts
    for update;
  if not found then return '{"outcome": "lost"}'; end if;

  select exists (select from agents where workspace_id = p_workspace_id and id = v_order.agent_id and active) as agent,
      exists (select from do_not_contact where workspace_id = p_workspace_id and phone = v_order.phone) as suppressed,
      exists (select from caller_numbers where workspace_id = p_workspace_id and active) as caller
    into v_there;
  if not v_there.agent then return '{"outcome": "agent_inactive"}'; end if;

  if v_order.simulated then
    insert into attempts (workspace_id, id, order_id, number, state, test, phone, watch_at, created_at, placed_at)
      values (p_workspace_id, p_attempt_id, p_order_id, v_order.attempt_number + 1, 'placed', true,
              v_order.phone, p_watch_at, p_now, p_now);
    perform mark_dialing(p_workspace_id, p_order_id, p_now);
    return '{"outcome": "dialing"}';
  end if;

  if v_there.suppressed then return '{"outcome": "do_not_contact"}'; end if;
  if not v_there.caller then return '{"outcome": "no_caller_id"}'; end if;

  -- The wallet row also serialises the counts of this workspace: of its live calls, and of dials per number.
  select * into v_wallet from wallets where workspace_id = p_workspace_id for update;
  select plan_status into v_plan_status from workspaces where id = p_workspace_id;
  if v_plan_status = 'inactive' then return '{"outcome": "plan_inactive"}'; end if;
  if v_plan_status = 'past_due' then return '{"outcome": "plan_past_due"}'; end if;
  if v_wallet.paused then return '{"outcome": "waiting_for_balance"}'; end if;

  v_waits_for := case when has_live_call(p_workspace_id, v_order.phone) then 'number_in_call'
    when free_call_slots(p_workspace_id) = 0 then 'live_call_limit' end;
  if v_waits_for is not null then
    if p_wait_until is not null then
      perform wait_for_calls(p_workspace_id, p_order_id, p_wait_until, p_now);
    end if;
    return jsonb_build_object('outcome', v_waits_for);
  end if;

  -- So many dials to one number over all orders: the oldest of the last so many opens the cap. Dials are what we call from.
  select created_at + p_dials_within into v_opens_at from attempts
    where workspace_id = p_workspace_id and phone = v_order.phone and not test and state <> 'not_placed'
      and caller_number is not null
      and created_at > p_now - p_dials_within
    order by created_at desc offset p_dials_max - 1 limit 1;
  if found then
    return jsonb_build_object('outcome', 'daily_cap', 'opens_at', v_opens_at);
  end if;

  select phone into v_caller_number from caller_numbers n
    where workspace_id = p_workspace_id and active and (p_caller_number is null or phone = p_caller_number)
      and caller_number_free_at(n, p_now) <= p_now
    order by id limit 1;
  if not found then
    select min(caller_number_free_at(n, p_now)) into v_opens_at from caller_numbers n
      where workspace_id = p_workspace_id and active;
    return jsonb_build_object('outcome', 'caller_numbers_resting', 'opens_at', v_opens_at);
  end if;

  v_hold_micros := p_minute_price_micros
    + case when v_order.send_sms_on_voicemail then p_text_price_micros else 0 end;
  if v_wallet.balance_micros - v_wallet.held_micros < v_hold_micros then
    return '{"outcome": "waiting_for_balance"}';
  end if;

  -- Last, so that a call is booked only for a dial that takes place. The claim is given up: the order stays due.
  if p_carrier_account is not null then
    v_booking := book_carrier_call(p_carrier_account, p_calls_per_second, p_probe_until, p_now);
    if v_booking ? 'outcome' then
      update orders set lease_until = null where workspace_id = p_workspace_id and id = p_order_id;
      return v_booking;
    end if;
  end if;

  insert into attempts (workspace_id, id, order_id, number, state, test, phone, caller_number, watch_at, created_at)
    values (p_workspace_id, p_attempt_id, p_order_id, v_order.attempt_number + 1, 'intent', false,
            v_order.phone, v_caller_number, p_watch_at, p_now);
  insert into holds (workspace_id, attempt_id, amount_micros, minutes, minute_price_micros, text_price_micros, created_at)
    values (p_workspace_id, p_attempt_id, v_hold_micros, 1, p_minute_price_micros,
            v_hold_micros - p_minute_price_micros, p_now);
  update wallets set held_micros = held_micros + v_hold_micros where workspace_id = p_workspace_id;
  perform mark_dialing(p_workspace_id, p_order_id, p_now);
  return jsonb_build_object('outcome', 'dialing', 'caller_number', v_caller_number) || v_booking;
end $$;

-- As before, in PL/pgSQL, which keeps its plan.
create or replace function mark_dialing(p_workspace_id text, p_order_id text, p_now timestamptz) returns void
language plpgsql as $$
begin
  update orders set status = 'DIALING', reason = null, version = version + 1,
    attempt_number = attempt_number + 1, next_dial_at = null, lease_until = null, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_order_id;
end $$;

-- The order waits for a call of its workspace, or to its number, to end; it keeps its place by its age.
create function wait_for_calls(p_workspace_id text, p_order_id text, p_until timestamptz, p_now timestamptz)
returns void language plpgsql as $$
begin
  update orders set reason = 'live_call_limit', next_dial_at = p_until, lease_until = null,
    version = version + 1, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_order_id;
end $$;
