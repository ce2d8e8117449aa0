-- Dry runs of the next settlement: worked out by the rules and posted nowhere. A run is a request that some worker takes;
-- one whose worker has gone quiet is taken again, which changes nothing but the time.
create table settlement_dry_runs (
  run_id bigint generated always as identity primary key,
  day date not null,
  requested_by text not null,
  requested_at timestamptz not null,
  started_at timestamptz,
  -- When its worker last told how far it was.
  beat_at timestamptz,
  step text not null default 'waiting' check (step in ('waiting', 'reading', 'working', 'done', 'failed')),
  result jsonb,
  -- The error code, or INTERNAL.
  failure text,
  finished_at timestamptz,
  check ((step in ('done', 'failed')) = (finished_at is not null)),
  check ((step = 'done') = (result is not null)),
  check ((step = 'failed') = (failure is not null))
);
create unique index settlement_one_dry_run on settlement_dry_runs ((true)) where finished_at is null;
