-- The do-not-contact list with its history, texts that come in, and how texts that went out arrived.

alter table do_not_contact
  -- The member who added it; null when the person did.
  add column actor text,
  -- Why it was added, in the words of that member.
  add column reason text;

-- All that ever happened to a number's place on the list. Entries are kept for good: a rule asks for five years.
create table do_not_contact_history (
  workspace_id text not null references workspaces,
  phone text not null,
  position bigint generated always as identity,
  action text not null constraint action_known check (action in ('listed', 'lifted')),
  -- Of what listed it, or of what lifted it.
  source text not null constraint history_source_known check (case action
    when 'listed' then source in ('said', 'wrong_number', 'text_reply', 'added', 'carrier')
    else source in ('start_reply', 'removed') end),
  quote text,
  order_id text,
  actor text,
  reason text,
  created_at timestamptz not null,
  primary key (workspace_id, phone, position)
);
create trigger do_not_contact_history_only_grows before update or delete on do_not_contact_history
  for each row execute function refuse_change();
insert into do_not_contact_history (workspace_id, phone, action, source, quote, order_id, created_at)
  select workspace_id, phone, 'listed', source, quote, order_id, created_at from do_not_contact
  order by created_at;

-- An opt-out looks at every order to the number that is not final, live calls among them.
create index orders_unfinished_by_phone on orders (workspace_id, phone) where completed_at is null;
drop index orders_open_by_phone;

-- A later wish never weakens an earlier one: what a START reply lifts ranks lowest.
create function opt_out_rank(p_source text) returns integer language sql immutable
return case p_source when 'said' then 4 when 'wrong_number' then 3 when 'added' then 2 else 1 end;

drop function suppress_number(text, text, text, text, text, timestamptz);

-- Puts a number on the list, keeps that in its history, and makes its waiting orders due, so that they fail now.
-- Whoever is deciding about one of its orders decides again: its version has moved. True when it was not listed.
create function suppress_number(
  p_workspace_id text, p_phone text, p_source text, p_quote text, p_order_id text, p_now timestamptz,
  p_actor text default null, p_reason text default null
) returns boolean language plpgsql as $$
declare
  v_new boolean;
  v_listed do_not_contact;
begin
  loop
    insert into do_not_contact (workspace_id, phone, source, quote, order_id, created_at, actor, reason)
      values (p_workspace_id, p_phone, p_source, p_quote, p_order_id, p_now, p_actor, p_reason)
      on conflict (workspace_id, phone) do nothing;
    v_new := found;
    select * into v_listed from do_not_contact
      where workspace_id = p_workspace_id and phone = p_phone for update;
    -- Else it was lifted in between.
    exit when found;
  end loop;
  if not v_new and opt_out_rank(p_source) > opt_out_rank(v_listed.source) then
    update do_not_contact set source = p_source, quote = p_quote, order_id = p_order_id, actor = p_actor,
        reason = p_reason, created_at = p_now
      where workspace_id = p_workspace_id and phone = p_phone;
  end if;
  -- The same wish told twice is one entry.
  insert into do_not_contact_history
      (workspace_id, phone, action, source, quote, order_id, actor, reason, created_at)
    select p_workspace_id, p_phone, 'listed', p_source, p_quote, p_order_id, p_actor, p_reason, p_now
    where v_new or not exists (select from do_not_contact_history h
      where h.workspace_id = p_workspace_id and h.phone = p_phone and h.source = p_source
        and h.order_id is not distinct from p_order_id and h.actor is not distinct from p_actor
        and h.position > coalesce((select max(position) from do_not_contact_history l
          where l.workspace_id = p_workspace_id and l.phone = p_phone and l.action = 'lifted'), 0));
  update orders set version = version + 1, lease_until = null,
      next_dial_at = case when next_dial_at > p_now then p_now else next_dial_at end
    where workspace_id = p_workspace_id and phone = p_phone and completed_at is null and not simulated;
  return v_new;
end $$;

-- Takes a number off the list when its source is one of those; the history keeps who did and why.
-- Answers 'lifted', 'not_listed', or 'kept' when something stricter holds it there.
create function lift_number(
  p_workspace_id text, p_phone text, p_liftable text[], p_source text, p_now timestamptz,
  p_actor text default null, p_reason text default null, p_quote text default null
) returns text language plpgsql as $$
declare
  v_source text;
begin
  select source into v_source from do_not_contact
    where workspace_id = p_workspace_id and phone = p_phone for update;
  if not found then return 'not_listed'; end if;
  if v_source <> all(p_liftable) then return 'kept'; end if;
  delete from do_not_contact where workspace_id = p_workspace_id and phone = p_phone;
  insert into do_not_contact_history (workspace_id, phone, action, source, quote, actor, reason, created_at)
    values (p_workspace_id, p_phone, 'lifted', p_source, p_quote, p_actor, p_reason, p_now);
  return 'lifted';
end $$;

-- Texts of people to our numbers, and our answers to them, which belong to no attempt.
alter table texts
  alter column order_id drop not null,
  alter column attempt_id drop not null,
  add column direction text not null default 'out' constraint direction_known check (direction in ('out', 'in')),
  -- The text of a person that this one answers; at most one answer each.
  add column answers_text_id text,
  -- How a sent text arrived, as its carrier tells it.
  add column delivery_state text constraint delivery_state_known check
    (delivery_state in ('queued', 'sent', 'delivered', 'undelivered', 'failed')),
  -- The carrier's code for why not.
  add column delivery_error text,
  add column delivery_updated_at timestamptz,
  drop constraint text_state_known,
  add constraint text_state_known check
    (state in ('due', 'asked', 'sent', 'refused', 'unknown', 'simulated', 'received')),
  add constraint received_means_in check ((direction = 'in') = (state = 'received')),
  add constraint texts_have_a_cause check
    (attempt_id is not null or answers_text_id is not null or direction = 'in');
create unique index texts_received_once on texts (workspace_id, carrier_text_id) where direction = 'in';
create unique index texts_answered_once on texts (workspace_id, answers_text_id) where answers_text_id is not null;
create index texts_by_phone on texts (workspace_id, phone, created_at);
create index caller_numbers_by_phone on caller_numbers (phone);

-- Keeps one text of a person and does what it asks for, in one statement. `received` is the ReceivedText of
-- domain/texts/received-text.ts. Answers what came of it; a repeat changes nothing.
create function receive_text(received jsonb) returns text language plpgsql as $$
declare
  v_workspace_id text := received->>'workspaceId';
  v_phone text := received->>'phone';
  v_now timestamptz := (received->>'now')::timestamptz;
  v_outcome text := 'kept';
begin
  insert into texts (workspace_id, id, order_id, direction, state, phone, caller_number, body, carrier_text_id, created_at)
    values (v_workspace_id, received->>'textId', received->>'orderId', 'in', 'received', v_phone,
      received->>'callerNumber', received->>'body', received->>'carrierTextId', v_now)
    on conflict (workspace_id, carrier_text_id) where direction = 'in' do nothing;
  if not found then return 'repeated'; end if;

  case received->>'wish'
    when 'opt_out' then
      v_outcome := case when suppress_number(v_workspace_id, v_phone, received->>'source', received->>'quote',
        received->>'orderId', v_now) then 'listed' else 'listed_before' end;
    when 'opt_in' then
      v_outcome := lift_number(v_workspace_id, v_phone, array['text_reply', 'carrier'], 'start_reply', v_now,
        p_quote => received->>'quote');
    when 'help' then
      -- Another machine might ask again for each answer.
      v_outcome := case when exists (select from texts where workspace_id = v_workspace_id and phone = v_phone
          and answers_text_id is not null and body = received->>'answer'
          and created_at > v_now - interval '1 minute') then 'helped_before' else 'helped' end;
    else null;
  end case;

  -- A second STOP is not confirmed again; START is confirmed when it changed something.
  if v_outcome in ('listed', 'lifted', 'helped') and received->>'answer' is not null then
    insert into texts (workspace_id, id, order_id, direction, state, phone, caller_number, body, answers_text_id,
        next_try_at, created_at)
      values (v_workspace_id, received->>'answerId', received->>'orderId', 'out', 'due', v_phone,
        received->>'callerNumber', received->>'answer', received->>'textId', v_now, v_now);
  end if;
  return v_outcome;
end $$;

-- How far a text has come; only forward, whatever the order of the callbacks.
create function delivery_rank(p_state text) returns integer language sql immutable
return case p_state when 'queued' then 1 when 'sent' then 2 else 3 end;

-- Applies what the carrier tells of a text that we sent. One that it failed to send costs nothing; one that it sent
-- and that did not arrive was carried all the same. A callback proves that a text of unknown fate was taken.
create function apply_text_state(
  p_workspace_id text, p_text_id text, p_carrier_text_id text, p_state text, p_error text, p_opted_out boolean,
  p_now timestamptz
) returns text language plpgsql as $$
declare
  v_text texts;
begin
  update texts set carrier_text_id = p_carrier_text_id, delivery_state = p_state, delivery_error = p_error,
      delivery_updated_at = p_now, state = 'sent', next_try_at = null
    where workspace_id = p_workspace_id and id = p_text_id and direction = 'out'
      and state in ('asked', 'sent', 'unknown')
      and (carrier_text_id is null or carrier_text_id = p_carrier_text_id)
      and (delivery_state is null or delivery_rank(delivery_state) < delivery_rank(p_state))
    returning * into v_text;
  if not found then return 'ignored'; end if;
  if p_state = 'failed' and v_text.attempt_id is not null then
    perform refund_text(p_workspace_id, v_text.attempt_id, p_now);
  end if;
  if not p_opted_out then return 'applied'; end if;
  perform suppress_number(p_workspace_id, v_text.phone, 'carrier', null, v_text.order_id, p_now);
  return 'opted_out';
end $$;
