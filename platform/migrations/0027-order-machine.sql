-- The moves of the state machine that the table accepts, and the analysis of finished calls.

-- From where to where, as domain/orders/order-machine.ts says it; staying is no move.
create function is_legal_move(p_from text, p_to text) returns boolean language sql immutable as $$
  select p_from = p_to or (p_from, p_to) in (
    ('QUEUED', 'DIALING'), ('QUEUED', 'FAILED'),
    ('RETRY_SCHEDULED', 'DIALING'), ('RETRY_SCHEDULED', 'FAILED'),
    ('VOICEMAIL_SMS_SENT', 'RETRY_SCHEDULED'), ('VOICEMAIL_SMS_SENT', 'FAILED'),
    ('DIALING', 'IN_PROGRESS'), ('DIALING', 'QUEUED'), ('DIALING', 'RETRY_SCHEDULED'),
    ('DIALING', 'VOICEMAIL_SMS_SENT'), ('DIALING', 'BOOKED'), ('DIALING', 'QUALIFIED'),
    ('DIALING', 'DISQUALIFIED'), ('DIALING', 'FAILED'),
    ('IN_PROGRESS', 'RETRY_SCHEDULED'), ('IN_PROGRESS', 'VOICEMAIL_SMS_SENT'), ('IN_PROGRESS', 'BOOKED'),
    ('IN_PROGRESS', 'QUALIFIED'), ('IN_PROGRESS', 'DISQUALIFIED'), ('IN_PROGRESS', 'FAILED'))
$$;

create function refuse_impossible_move() returns trigger language plpgsql as $$
begin
  if old.completed_at is not null then
    -- Final means final: only what the analysis adds may still come.
    if (new.status, new.reason, new.completed_at, new.next_dial_at, new.attempt_number, new.duration_seconds,
        new.billed_minutes, new.charged_micros, new.appointment)
      is distinct from (old.status, old.reason, old.completed_at, old.next_dial_at, old.attempt_number,
        old.duration_seconds, old.billed_minutes, old.charged_micros, old.appointment) then
      raise exception 'order % is final', old.id using errcode = 'check_violation', constraint = 'legal_move';
    end if;
  elsif not is_legal_move(old.status, new.status) then
    raise exception 'order % cannot move from % to %', old.id, old.status, new.status
      using errcode = 'check_violation', constraint = 'legal_move';
  end if;
  return new;
end $$;

create trigger legal_move before update on orders for each row
  when (old.completed_at is not null or old.status is distinct from new.status)
  execute function refuse_impossible_move();

-- When the analysis of a final order is tried next; null until the first try failed or was lost.
alter table orders
  add column analysis_next_try_at timestamptz,
  -- Counts the tries begun; a try names its number, so that a worker which lost its lease changes nothing.
  add column analysis_tries integer not null default 0;
create index orders_to_analyse on orders (coalesce(analysis_next_try_at, completed_at))
  where analysis = 'pending';

-- What a model found in a call, kept for replay: its words stand in transcript_turns, its agent by version.
create table call_analyses (
  workspace_id text not null,
  order_id text not null,
  attempt_id text not null,
  -- The id of the model.
  analyst text not null,
  -- Only answers whose quote was said in the call.
  answers jsonb not null,
  summary text,
  created_at timestamptz not null,
  primary key (workspace_id, order_id),
  foreign key (workspace_id, order_id) references orders,
  foreign key (workspace_id, attempt_id) references attempts
);

-- Ends the analysis of an order once: what it adds, what it found and the event, together.
-- `ending` is the AnalysisEnding of domain/attempts/analysis-queries.ts. False when another try ended it.
create function end_analysis(ending jsonb) returns boolean language plpgsql as $$
declare
  v_workspace_id text := ending->>'workspaceId';
  v_order_id text := ending->>'orderId';
  v_now timestamptz := (ending->>'now')::timestamptz;
  v_found jsonb := ending->'found';
begin
  update orders set analysis = 'complete', analysis_next_try_at = null, version = version + 1,
    updated_at = v_now, qualification = coalesce(nullif(ending->'qualification', 'null'), qualification)
  where workspace_id = v_workspace_id and id = v_order_id and completed_at is not null
    and analysis = 'pending' and analysis_tries = (ending->>'tries')::int;
  if not found then return false; end if;

  if jsonb_typeof(v_found) = 'object' then
    insert into call_analyses (workspace_id, order_id, attempt_id, analyst, answers, summary, created_at)
      values (v_workspace_id, v_order_id, v_found->>'attemptId', v_found->>'analyst', v_found->'answers',
        v_found->>'summary', v_now);
  end if;

  insert into deliveries (workspace_id, id, order_id, event, url, body, body_sha256, next_attempt_at, created_at)
    select v_workspace_id, d->>'id', v_order_id, d->>'event', d->>'url', convert_to(d->>'body', 'UTF8'),
      sha256(convert_to(d->>'body', 'UTF8')), v_now, v_now
    from jsonb_array_elements(ending->'deliveries') d
    on conflict on constraint identical_event_once do nothing;
  return true;
end $$;
