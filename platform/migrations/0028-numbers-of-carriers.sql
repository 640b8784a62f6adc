-- Calls are made only from numbers of the carrier that carries them, and what was begun with a number is settled when due.

-- A number that was given to the workspace by hand has no carrier of its own.
create function calls_over(p_number caller_numbers, p_carrier text) returns boolean
language sql immutable as $$
  select p_number.active and (p_number.carrier is null or p_carrier is null or p_number.carrier = p_carrier)
$$;

alter table caller_numbers
  -- When the carrier is asked again what became of a purchase or a release; null when nothing is open.
  add column settle_at timestamptz,
  add column lease_until timestamptz;
update caller_numbers set settle_at = created_at where state in ('buying', 'releasing');
create index caller_numbers_to_settle on caller_numbers (settle_at) where settle_at is not null;

-- As before, and: only from a number of the carrier.
create or replace function begin_dial(
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
      exists (select from caller_numbers n
        where workspace_id = p_workspace_id and calls_over(n, p_carrier_account)) as caller
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
    where workspace_id = p_workspace_id and calls_over(n, p_carrier_account)
      and (p_caller_number is null or phone = p_caller_number)
      and caller_number_free_at(n, p_now) <= p_now
    order by id limit 1;
  if not found then
    select min(caller_number_free_at(n, p_now)) into v_opens_at from caller_numbers n
      where workspace_id = p_workspace_id and calls_over(n, p_carrier_account);
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
