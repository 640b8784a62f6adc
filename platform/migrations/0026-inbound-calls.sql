-- Calls that people make to a workspace's own numbers.

-- Who answers on this number; null lets the workspace's first active, published agent answer.
alter table caller_numbers
  add column agent_id text,
  add constraint answering_agent foreign key (workspace_id, agent_id) references agents;

alter table orders
  add column direction text not null default 'outbound'
    constraint order_direction_known check (direction in ('outbound', 'inbound')),
  -- Whoever called us is never called back by the order of that call.
  add constraint inbound_orders_dial_nobody check (direction = 'outbound'
    or (next_dial_at is null and max_attempts = 1 and not send_sms_on_voicemail));
comment on column orders.phone is 'E.164; of an inbound order also "anonymous", for a caller without a number.';

alter table attempts
  add column direction text not null default 'outbound'
    constraint attempt_direction_known check (direction in ('outbound', 'inbound')),
  -- Our number that was called; caller_number is the one that we called from.
  add column called_number text;
-- The carrier may tell of a call more than once.
create unique index inbound_attempts_by_carrier_call on attempts (carrier_call_id)
  where direction = 'inbound';

-- As before, but callers without a number are not one person.
drop index one_live_call_per_number;
create unique index one_live_call_per_number on attempts (workspace_id, phone)
  where state in ('intent', 'unknown', 'placed', 'answered') and not test and phone <> 'anonymous';

-- Takes a call to one of our numbers: order, attempt, slot and hold stand before it is answered.
-- Answers {"outcome": "taken" | "repeated", ids, "created_ms"} or the reason why not; then nothing changed.
create function begin_inbound_call(
  p_carrier_call_id text, p_called_number text, p_caller_phone text, p_order_id text, p_attempt_id text,
  p_consent jsonb, p_now timestamptz, p_watch_at timestamptz, p_minute_price_micros bigint
) returns jsonb language plpgsql as $$
declare
  v_number caller_numbers;
  v_workspace workspaces;
  v_wallet wallets;
  v_attempt attempts;
  v_agent agents;
  v_refusal text;
begin
  -- Of two workspaces that hold a number, the one that had it first.
  select * into v_number from caller_numbers
    where phone = p_called_number and active order by created_at, workspace_id, id limit 1;
  if not found then return '{"outcome": "unknown_number"}'; end if;

  -- The wallet row serialises the calls of this workspace, repeats among them.
  select * into v_wallet from wallets where workspace_id = v_number.workspace_id for update;
  select * into v_attempt from attempts
    where carrier_call_id = p_carrier_call_id and direction = 'inbound';
  if found then
    return jsonb_build_object('outcome', 'repeated', 'workspace_id', v_attempt.workspace_id,
      'order_id', v_attempt.order_id, 'attempt_id', v_attempt.id,
      'created_ms', round(extract(epoch from v_attempt.created_at) * 1000));
  end if;

  select * into v_workspace from workspaces where id = v_number.workspace_id;
  select * into v_agent from agents
    where workspace_id = v_number.workspace_id
      and case when v_number.agent_id is null then active and published_version is not null
        else id = v_number.agent_id end
    order by created_at, id limit 1;
  v_refusal := case
    when v_agent.id is null then 'no_agent'
    when not v_agent.active then 'agent_inactive'
    when v_agent.published_version is null then 'agent_not_published'
    when v_workspace.plan_status = 'inactive' then 'plan_inactive'
    when v_workspace.plan_status = 'past_due' then 'plan_past_due'
    when v_wallet.paused or v_wallet.balance_micros - v_wallet.held_micros < p_minute_price_micros
      then 'insufficient_balance'
    when p_caller_phone <> 'anonymous' and exists (select from attempts
      where workspace_id = v_number.workspace_id and phone = p_caller_phone
        and not test and state in ('intent', 'unknown', 'placed', 'answered')) then 'number_in_call'
    when v_workspace.live_call_limit <= (select count(*) from attempts
      where workspace_id = v_number.workspace_id
        and not test and state in ('intent', 'unknown', 'placed', 'answered')) then 'live_call_limit'
    end;
  if v_refusal is not null then
    return jsonb_build_object('outcome', v_refusal, 'workspace_id', v_number.workspace_id);
  end if;

  insert into orders (workspace_id, id, test, direction, agent_id, agent_version, status, phone, max_attempts,
      retry_interval_minutes, send_sms_on_voicemail, consent, attempt_number, estimated_dial_seconds,
      created_at, updated_at)
    select v_number.workspace_id, p_order_id, false, 'inbound', v_agent.id, v.version, 'IN_PROGRESS',
      p_caller_phone, 1, (v.config->'cadence'->>'retryIntervalMinutes')::int, false, p_consent, 1, 0, p_now, p_now
    from agent_versions v
    where v.workspace_id = v_number.workspace_id and v.agent_id = v_agent.id
      and v.version = v_agent.published_version;
  insert into attempts (workspace_id, id, order_id, number, state, test, direction, phone, called_number,
      carrier_call_id, watch_at, created_at, placed_at)
    values (v_number.workspace_id, p_attempt_id, p_order_id, 1, 'placed', false, 'inbound', p_caller_phone,
      p_called_number, p_carrier_call_id, p_watch_at, p_now, p_now);
  insert into holds (workspace_id, attempt_id, amount_micros, minutes, minute_price_micros, created_at)
    values (v_number.workspace_id, p_attempt_id, p_minute_price_micros, 1, p_minute_price_micros, p_now);
  update wallets set held_micros = held_micros + p_minute_price_micros
    where workspace_id = v_number.workspace_id;
  return jsonb_build_object('outcome', 'taken', 'workspace_id', v_number.workspace_id,
    'order_id', p_order_id, 'attempt_id', p_attempt_id,
    'created_ms', round(extract(epoch from p_now) * 1000));
end $$;
