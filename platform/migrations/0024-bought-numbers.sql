-- Numbers that a workspace buys from its carrier. Those without a carrier's id were given to it by hand.
alter table caller_numbers
  add column state text not null default 'owned'
    check (state in ('buying', 'owned', 'releasing', 'released', 'not_bought')),
  add column carrier text,
  add column carrier_number_id text,
  add column released_at timestamptz,
  add check (not active or state = 'owned');

-- A workspace has a number once; buying it again finds what stands.
create unique index caller_numbers_held on caller_numbers (workspace_id, phone)
  where state in ('buying', 'owned', 'releasing');
create index caller_numbers_unsettled on caller_numbers (workspace_id, id)
  where state in ('buying', 'releasing');
