-- Calendars of three kinds, and appointments that no two calls can share.
-- Code from before this file goes on working: every new column has a default that fits what it writes.

create extension if not exists btree_gist;

alter table calendars
  add column kind text not null default 'built_in'
    constraint calendar_kind_known check (kind in ('built_in', 'google', 'cal_com')),
  -- What the vendor must be told that is no secret: {"calendarId": ...} or {"eventTypeId": ..., "attendeeEmail": ...}.
  add column settings jsonb not null default '{}',
  -- Sealed with the key of the environment; null for the built-in calendar.
  add column credentials_sealed text,
  add column start_every_minutes integer not null default 60 check (start_every_minutes between 5 and 1440),
  add column buffer_before_minutes integer not null default 0 check (buffer_before_minutes between 0 and 480),
  add column buffer_after_minutes integer not null default 0 check (buffer_after_minutes between 0 and 480),
  -- The soonest appointment leaves this much time.
  add column notice_minutes integer not null default 60 check (notice_minutes between 0 and 43200),
  add column horizon_days integer not null default 14 check (horizon_days between 1 and 60),
  -- Why the vendor lets nobody in any more; null while the connection works.
  add column broken_reason text,
  add column broken_at timestamptz,
  add constraint vendors_need_credentials check (kind = 'built_in' or credentials_sealed is not null);

-- Minutes have one length in every zone, which the sum of a time and an interval cannot promise in general.
create function appointment_span(
  p_start_at timestamptz, p_minutes integer, p_before integer, p_after integer
) returns tstzrange language sql immutable parallel safe as $$
  select tstzrange(to_timestamp(extract(epoch from p_start_at) - p_before * 60),
    to_timestamp(extract(epoch from p_start_at) + (p_minutes + p_after) * 60));
$$;

alter table appointments
  -- held: offered to a call; asked: committed, the calendar not heard yet; booked: the calendar confirmed it.
  add column state text not null default 'booked'
    constraint appointment_state_known check (state in ('held', 'asked', 'booked', 'cancelled')),
  add column buffer_before_minutes integer not null default 0,
  add column buffer_after_minutes integer not null default 0,
  add column span tstzrange generated always as
    (appointment_span(start_at, minutes, buffer_before_minutes, buffer_after_minutes)) stored,
  -- When a held time may be offered to others.
  add column held_until timestamptz,
  add column calendar_kind text not null default 'built_in',
  add column calendar_event_id text,
  add column asked_at timestamptz,
  -- When this is held against the calendar and the order; null when they agree for good.
  add column settle_at timestamptz,
  add column lease_until timestamptz;

update appointments set state = 'cancelled' where cancelled_at is not null;
update appointments set calendar_event_id = id where state = 'booked';

drop index appointments_by_start;
alter table appointments
  add constraint cancelled_has_time check ((state = 'cancelled') = (cancelled_at is not null)),
  add constraint held_has_end check ((state = 'held') = (held_until is not null)),
  -- Two calls never share a minute, held or booked.
  add constraint no_overlap exclude using gist
    (workspace_id with =, attempt_id with <>, span with &&) where (cancelled_at is null);
create unique index one_appointment_per_call on appointments (workspace_id, attempt_id)
  where state in ('asked', 'booked');
create unique index appointments_by_call on appointments (workspace_id, attempt_id, start_at)
  where cancelled_at is null;
create index appointments_to_settle on appointments (settle_at) where settle_at is not null;

-- From here on nothing is booked for this call any more: its report is being written.
alter table attempts add column booking_closed_at timestamptz;

-- Holds of calls that are over, or whose time ran out.
create function drop_stale_holds(p_workspace_id text, p_attempt_id text, p_now timestamptz) returns void
language sql as $$
  delete from appointments a
  where a.workspace_id = p_workspace_id and a.state = 'held' and a.attempt_id <> p_attempt_id
    and (a.held_until <= p_now or exists (select from attempts t where t.workspace_id = a.workspace_id
      and t.id = a.attempt_id and t.state in ('ended', 'not_placed')));
$$;

-- Holds the first p_count of the proposed times that no other call has; answers their starts in order.
-- p_slots: [{"id": ..., "start_at": ..., "minutes": ...}]
create function hold_slots(
  p_workspace_id text, p_attempt_id text, p_slots jsonb, p_count integer,
  p_before integer, p_after integer, p_now timestamptz, p_held_until timestamptz
) returns timestamptz[] language plpgsql as $$
declare
  v_slot record;
  v_held timestamptz[] := '{}';
begin
  -- One call at a time: the second sees what the first holds instead of waiting inside the constraint.
  perform from calendars where workspace_id = p_workspace_id for update;
  perform drop_stale_holds(p_workspace_id, p_attempt_id, p_now);
  for v_slot in
    select * from jsonb_to_recordset(p_slots) as s(id text, start_at timestamptz, minutes integer) order by start_at
  loop
    exit when cardinality(v_held) >= p_count;
    update appointments set held_until = p_held_until
      where workspace_id = p_workspace_id and attempt_id = p_attempt_id and start_at = v_slot.start_at
        and minutes = v_slot.minutes and state = 'held';
    if not found then
      insert into appointments (workspace_id, id, attempt_id, start_at, minutes, state, held_until,
          buffer_before_minutes, buffer_after_minutes, created_at)
        values (p_workspace_id, v_slot.id, p_attempt_id, v_slot.start_at, v_slot.minutes, 'held', p_held_until,
          p_before, p_after, p_now)
        on conflict do nothing;
    end if;
    if found then v_held := v_held || v_slot.start_at; end if;
  end loop;
  return v_held;
end $$;

-- Commits a call to one time before its calendar is asked. Answers {"outcome": ...}:
-- asked: go and ask the calendar; known: this call has an appointment, which may not be confirmed yet;
-- taken: another call has the time; call_over: the attempt ended meanwhile.
create function ask_appointment(
  p_workspace_id text, p_attempt_id text, p_id text, p_start_at timestamptz, p_minutes integer,
  p_before integer, p_after integer, p_calendar_kind text, p_now timestamptz, p_settle_at timestamptz
) returns jsonb language plpgsql as $$
declare
  v_appointment appointments;
begin
  perform from calendars where workspace_id = p_workspace_id for update;
  select * into v_appointment from appointments
    where workspace_id = p_workspace_id and attempt_id = p_attempt_id and state in ('asked', 'booked');
  if not found then
    if exists (select from attempts where workspace_id = p_workspace_id and id = p_attempt_id
        and (state in ('ended', 'not_placed') or booking_closed_at is not null)) then
      return '{"outcome": "call_over"}';
    end if;
    perform drop_stale_holds(p_workspace_id, p_attempt_id, p_now);
    update appointments set state = 'asked', held_until = null, calendar_kind = p_calendar_kind,
        asked_at = p_now, settle_at = p_settle_at
      where workspace_id = p_workspace_id and attempt_id = p_attempt_id and start_at = p_start_at
        and minutes = p_minutes and state = 'held'
      returning * into v_appointment;
    if not found then
      -- A hold of another length at the same start would stand in the way of its own call.
      delete from appointments where workspace_id = p_workspace_id and attempt_id = p_attempt_id
        and start_at = p_start_at and state = 'held';
      insert into appointments (workspace_id, id, attempt_id, start_at, minutes, state, buffer_before_minutes,
          buffer_after_minutes, calendar_kind, asked_at, settle_at, created_at)
        values (p_workspace_id, p_id, p_attempt_id, p_start_at, p_minutes, 'asked', p_before, p_after,
          p_calendar_kind, p_now, p_settle_at, p_now)
        on conflict do nothing returning * into v_appointment;
      if not found then return '{"outcome": "taken"}'; end if;
    end if;
    return jsonb_build_object('outcome', 'asked', 'id', v_appointment.id, 'state', 'asked');
  end if;
  return jsonb_build_object('outcome', 'known', 'id', v_appointment.id, 'state', v_appointment.state,
    'start_at', v_appointment.start_at, 'minutes', v_appointment.minutes,
    'calendar_kind', v_appointment.calendar_kind, 'calendar_event_id', v_appointment.calendar_event_id);
end $$;

-- The calendar confirmed: true when the call can still be told; the other times held for it are free again.
create function confirm_appointment(
  p_workspace_id text, p_attempt_id text, p_id text, p_calendar_event_id text
) returns boolean language plpgsql as $$
begin
  perform from calendars where workspace_id = p_workspace_id for update;
  update appointments a set state = 'booked', calendar_event_id = p_calendar_event_id
    where a.workspace_id = p_workspace_id and a.id = p_id
      and (a.state = 'booked' or a.state = 'asked' and not exists (select from attempts t
        where t.workspace_id = p_workspace_id and t.id = p_attempt_id
          and (t.state in ('ended', 'not_placed') or t.booking_closed_at is not null)));
  if not found then return false; end if;
  delete from appointments
    where workspace_id = p_workspace_id and attempt_id = p_attempt_id and state = 'held';
  return true;
end $$;

-- What the report of a call tells of, once and for all: later confirmations come to nothing.
create function close_booking(p_workspace_id text, p_attempt_id text, p_now timestamptz)
returns table (start_at timestamptz, calendar_event_id text) language plpgsql as $$
begin
  perform from calendars where workspace_id = p_workspace_id for update;
  update attempts t set booking_closed_at = p_now
    where t.workspace_id = p_workspace_id and t.id = p_attempt_id and t.booking_closed_at is null;
  return query select a.start_at, a.calendar_event_id from appointments a
    where a.workspace_id = p_workspace_id and a.attempt_id = p_attempt_id and a.state = 'booked';
end $$;
