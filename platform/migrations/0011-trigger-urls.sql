-- Leads posted to a trigger URL, and tests that ring a phone for real.

-- What a URL was sent, so that the same payload within 24 hours is the same order. The statement that inserts the
-- order writes it, so it has no foreign key, whose check would lock and write the order's row once more.
create table trigger_leads (
  workspace_id text not null,
  trigger_url_id text not null,
  -- SHA-256 over the canonical payload and its test flag.
  payload_hash bytea not null,
  order_id text not null,
  accepted_at timestamptz not null,
  primary key (workspace_id, trigger_url_id, payload_hash)
);

-- Numbers whose holder entered the code that was sent to them; only these are rung by tests.
create table confirmed_numbers (
  workspace_id text not null references workspaces,
  phone text not null,
  confirmed_at timestamptz not null,
  primary key (workspace_id, phone)
);

create table number_codes (
  workspace_id text not null references workspaces,
  phone text not null,
  -- Keyed with the application secret: six digits alone could be found by trying.
  code_hash bytea not null,
  tries integer not null default 0,
  expires_at timestamptz not null,
  primary key (workspace_id, phone)
);

-- A test is told as one in events; it plays without a carrier unless it is a test call.
alter table orders
  add column test_call boolean not null default false,
  add constraint test_calls_are_tests check (test or not test_call);
alter table orders
  add column simulated boolean not null generated always as (test and not test_call) stored;
comment on column attempts.test is 'Simulated: no carrier, no hold. False on the attempts of test calls.';

-- Judges one try at the code that was sent to a number. A right one is used up and confirms the number.
create function confirm_number(
  p_workspace_id text, p_phone text, p_code_hash bytea, p_tries_max integer, p_now timestamptz
) returns text language plpgsql as $$
declare
  v_code number_codes;
begin
  update number_codes set tries = tries + 1
    where workspace_id = p_workspace_id and phone = p_phone and expires_at > p_now and tries < p_tries_max
    returning * into v_code;
  if not found then return 'no_code'; end if;
  if v_code.code_hash <> p_code_hash then return 'wrong_code'; end if;
  delete from number_codes where workspace_id = p_workspace_id and phone = p_phone;
  insert into confirmed_numbers values (p_workspace_id, p_phone, p_now)
    on conflict (workspace_id, phone) do update set confirmed_at = excluded.confirmed_at;
  return 'confirmed';
end $$;

-- As before, but what plays without a carrier is what is simulated.
create or replace function begin_dial(
  p_workspace_id text, p_order_id text, p_version integer, p_attempt_id text, p_now timestamptz,
  p_watch_at timestamptz, p_minute_price_micros bigint, p_text_price_micros bigint
) returns jsonb language plpgsql as $$
declare
  v_order orders;
  v_workspace workspaces;
  v_wallet wallets;
  v_caller_number text;
  v_hold_micros bigint;
  v_window_opens_at timestamptz;
begin
  select * into v_order from orders
    where workspace_id = p_workspace_id and id = p_order_id and version = p_version
      and status in ('QUEUED', 'RETRY_SCHEDULED') and next_dial_at <= p_now and attempt_number < max_attempts
    for update;
  if not found then return '{"outcome": "lost"}'; end if;

  if not exists (select from agents
      where workspace_id = p_workspace_id and id = v_order.agent_id and active) then
    return '{"outcome": "agent_inactive"}';
  end if;

  if v_order.simulated then
    insert into attempts (workspace_id, id, order_id, number, state, test, phone, watch_at, created_at, placed_at)
      values (p_workspace_id, p_attempt_id, p_order_id, v_order.attempt_number + 1, 'placed', true,
              v_order.phone, p_watch_at, p_now, p_now);
    perform mark_dialing(p_workspace_id, p_order_id, p_now);
    return '{"outcome": "dialing"}';
  end if;

  if exists (select from do_not_contact where workspace_id = p_workspace_id and phone = v_order.phone) then
    return '{"outcome": "do_not_contact"}';
  end if;
  select phone into v_caller_number from caller_numbers
    where workspace_id = p_workspace_id and active order by id limit 1;
  if not found then return '{"outcome": "no_caller_id"}'; end if;

  -- The wallet row also serialises the count of live calls of this workspace.
  select * into v_wallet from wallets where workspace_id = p_workspace_id for update;
  select * into v_workspace from workspaces where id = p_workspace_id;
  if v_workspace.plan_status = 'inactive' then return '{"outcome": "plan_inactive"}'; end if;
  if v_workspace.plan_status = 'past_due' then return '{"outcome": "plan_past_due"}'; end if;
  if v_wallet.paused then return '{"outcome": "waiting_for_balance"}'; end if;

  if exists (select from attempts where workspace_id = p_workspace_id and phone = v_order.phone
      and not test and state in ('intent', 'unknown', 'placed', 'answered')) then
    return '{"outcome": "number_in_call"}';
  end if;
  if v_workspace.live_call_limit <= (select count(*) from attempts where workspace_id = p_workspace_id
      and not test and state in ('intent', 'unknown', 'placed', 'answered')) then
    return '{"outcome": "live_call_limit"}';
  end if;
  -- At most three dials per number and 24 hours over all orders: the third last one opens the window.
  select created_at + interval '24 hours' into v_window_opens_at from attempts
    where workspace_id = p_workspace_id and phone = v_order.phone and not test and state <> 'not_placed'
      and created_at > p_now - interval '24 hours'
    order by created_at desc offset 2 limit 1;
  if found then
    return jsonb_build_object('outcome', 'daily_cap', 'opens_at', v_window_opens_at);
  end if;

  v_hold_micros := p_minute_price_micros
    + case when v_order.send_sms_on_voicemail then p_text_price_micros else 0 end;
  if v_wallet.balance_micros - v_wallet.held_micros < v_hold_micros then
    return '{"outcome": "waiting_for_balance"}';
  end if;

  insert into attempts (workspace_id, id, order_id, number, state, test, phone, caller_number, watch_at, created_at)
    values (p_workspace_id, p_attempt_id, p_order_id, v_order.attempt_number + 1, 'intent', false,
            v_order.phone, v_caller_number, p_watch_at, p_now);
  insert into holds (workspace_id, attempt_id, amount_micros, minutes, minute_price_micros, text_price_micros, created_at)
    values (p_workspace_id, p_attempt_id, v_hold_micros, 1, p_minute_price_micros,
            v_hold_micros - p_minute_price_micros, p_now);
  update wallets set held_micros = held_micros + v_hold_micros where workspace_id = p_workspace_id;
  perform mark_dialing(p_workspace_id, p_order_id, p_now);
  return jsonb_build_object('outcome', 'dialing', 'caller_number', v_caller_number);
end $$;

-- Puts a number on the do-not-contact list and makes its waiting orders due, so that they fail now; test calls too.
create or replace function suppress_number(
  p_workspace_id text, p_phone text, p_source text, p_quote text, p_order_id text, p_now timestamptz
) returns void language plpgsql as $$
begin
  insert into do_not_contact (workspace_id, phone, source, quote, order_id, created_at)
    values (p_workspace_id, p_phone, p_source, p_quote, p_order_id, p_now)
    on conflict (workspace_id, phone) do nothing;
  update orders set next_dial_at = p_now
    where workspace_id = p_workspace_id and phone = p_phone and next_dial_at > p_now and not simulated;
end $$;
