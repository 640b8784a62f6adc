-- Deleted recordings whose audio has not been removed from its store yet.
alter table recordings add column audio_left boolean not null default false;
create index recordings_with_audio_left on recordings (workspace_id, order_id, attempt_id)
  where audio_left;
-- What the retention looks through once a day.
create index recordings_by_age on recordings (workspace_id, created_at) where state <> 'deleted';
