-- The moves that touch several tables at once. Each is one call, so it happens whole or not at all.
-- Lock order everywhere: order, attempt, hold, wallet.

-- Starts a dial: takes the hold, the slot and the attempt row before the carrier is asked.
-- Answers {"outcome": "dialing", "caller_number": ...} or the reason why not; then nothing changed.
create function begin_dial(
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

  if v_order.test then
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

create function mark_dialing(p_workspace_id text, p_order_id text, p_now timestamptz) returns void
language sql as $$
  update orders set status = 'DIALING', reason = null, version = version + 1,
    attempt_number = attempt_number + 1, next_dial_at = null, lease_until = null, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_order_id;
$$;

-- Carries out one decided move of an order: status, attempt, money, text, opt-out and events together.
-- `move` is the OrderMove of domain/orders/order-move.ts. Answers false when the order has moved meanwhile.
create function move_order(move jsonb) returns boolean language plpgsql as $$
declare
  v_workspace_id text := move->>'workspaceId';
  v_order_id text := move->>'orderId';
  v_now timestamptz := (move->>'now')::timestamptz;
  v_order jsonb := move->'order';
  v_attempt jsonb := move->'attempt';
begin
  update orders set
    status = v_order->>'status', reason = v_order->>'reason', version = version + 1,
    attempt_number = (v_order->>'attemptNumber')::int, carrier_faults = (v_order->>'carrierFaults')::int,
    next_dial_at = (v_order->>'nextDialAt')::timestamptz, lease_until = null,
    duration_seconds = (v_order->>'durationSeconds')::int, billed_minutes = (v_order->>'billedMinutes')::int,
    charged_micros = (v_order->>'chargedMicros')::bigint,
    qualification = nullif(v_order->'qualification', 'null'), appointment = v_order->'appointment',
    analysis = v_order->>'analysis', updated_at = v_now, completed_at = (v_order->>'completedAt')::timestamptz
  where workspace_id = v_workspace_id and id = v_order_id and version = (move->>'version')::int
    and completed_at is null;
  if not found then return false; end if;

  if jsonb_typeof(v_attempt) = 'object' then
    update attempts set state = v_attempt->>'state', outcome = v_attempt->>'outcome',
      answered_by = v_attempt->>'answeredBy', watch_at = null, lease_until = null, ended_at = v_now,
      talk_started_at = (v_attempt->>'talkStartedAt')::timestamptz,
      talk_ended_at = (v_attempt->>'talkEndedAt')::timestamptz,
      duration_seconds = (v_attempt->>'durationSeconds')::int,
      charged_micros = (v_attempt->>'chargedMicros')::bigint, report = nullif(v_attempt->'report', 'null')
    where workspace_id = v_workspace_id and id = v_attempt->>'id'
      and state in ('intent', 'unknown', 'placed', 'answered');
    if not found then raise exception 'attempt is no longer live' using errcode = 'P0409'; end if;
    if v_attempt->>'state' = 'ended' and not (v_attempt->>'test')::boolean then
      perform settle_hold(v_workspace_id, v_order_id, v_attempt->>'id',
        (v_attempt->>'chargedMicros')::bigint, (v_attempt->>'textMicros')::bigint, v_now);
    elsif not (v_attempt->>'test')::boolean then
      perform settle_hold(v_workspace_id, v_order_id, v_attempt->>'id', 0, 0, v_now);
    end if;
  end if;

  insert into texts (workspace_id, id, order_id, attempt_id, state, phone, caller_number, body, next_try_at, created_at)
    select v_workspace_id, t->>'id', v_order_id, v_attempt->>'id', t->>'state', t->>'phone',
      t->>'callerNumber', t->>'body', (t->>'nextTryAt')::timestamptz, v_now
    from jsonb_array_elements(move->'texts') t
    on conflict do nothing;

  insert into deliveries (workspace_id, id, order_id, event, url, body, body_sha256, next_attempt_at, created_at)
    select v_workspace_id, d->>'id', v_order_id, d->>'event', d->>'url', convert_to(d->>'body', 'UTF8'),
      sha256(convert_to(d->>'body', 'UTF8')), v_now, v_now
    from jsonb_array_elements(move->'deliveries') d
    on conflict on constraint identical_event_once do nothing;
  return true;
end $$;

-- Ends a hold: captures what the call and its text cost, never more than was held, and frees the rest.
create function settle_hold(
  p_workspace_id text, p_order_id text, p_attempt_id text,
  p_call_micros bigint, p_text_micros bigint, p_now timestamptz
) returns void language plpgsql as $$
declare
  v_hold holds;
begin
  update holds set state = 'settled', settled_at = p_now
    where workspace_id = p_workspace_id and attempt_id = p_attempt_id and state = 'open' returning * into v_hold;
  if not found then return; end if;
  if p_call_micros + p_text_micros > v_hold.amount_micros then
    raise exception 'charge is above the hold' using errcode = 'P0402';
  end if;
  update wallets set held_micros = held_micros - v_hold.amount_micros,
      balance_micros = balance_micros - p_call_micros - p_text_micros
    where workspace_id = p_workspace_id;
  if p_call_micros > 0 then
    perform post_transfer(p_workspace_id, 'trf_call_' || p_attempt_id, 'call', 'call:' || p_attempt_id,
      'wallet', 'calls', p_call_micros, p_order_id, p_attempt_id, p_now);
  end if;
  if p_text_micros > 0 then
    perform post_transfer(p_workspace_id, 'trf_text_' || p_attempt_id, 'text', 'text:' || p_attempt_id,
      'wallet', 'texts', p_text_micros, p_order_id, p_attempt_id, p_now);
  end if;
end $$;

-- Gives back what a refused text had cost; a repeat changes nothing.
create function refund_text(p_workspace_id text, p_attempt_id text, p_now timestamptz) returns void
language plpgsql as $$
declare
  v_text ledger_transfers;
begin
  select * into v_text from ledger_transfers
    where workspace_id = p_workspace_id and idempotency_key = 'text:' || p_attempt_id;
  if not found then return; end if;
  if post_transfer(p_workspace_id, 'trf_refund_' || p_attempt_id, 'adjustment', 'refund:text:' || p_attempt_id,
      'texts', 'wallet', v_text.amount_micros, v_text.order_id, p_attempt_id, p_now) then
    update wallets set balance_micros = balance_micros + v_text.amount_micros
      where workspace_id = p_workspace_id;
  end if;
end $$;

-- Puts a number on the do-not-contact list and makes its waiting orders due, so that they fail now.
create function suppress_number(
  p_workspace_id text, p_phone text, p_source text, p_quote text, p_order_id text, p_now timestamptz
) returns void language plpgsql as $$
begin
  insert into do_not_contact (workspace_id, phone, source, quote, order_id, created_at)
    values (p_workspace_id, p_phone, p_source, p_quote, p_order_id, p_now)
    on conflict (workspace_id, phone) do nothing;
  update orders set next_dial_at = p_now
    where workspace_id = p_workspace_id and phone = p_phone and next_dial_at > p_now and not test;
end $$;
