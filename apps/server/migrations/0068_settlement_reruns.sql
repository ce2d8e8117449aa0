-- Requests to settle a day again once what stopped it is mended. Some worker takes one; one whose worker has gone quiet is
-- taken again, which is safe: a settlement goes on where it stopped and pays nobody twice.
create table settlement_reruns (
  rerun_id bigint generated always as identity primary key,
  day date not null,
  requested_by text not null,
  requested_at timestamptz not null,
  -- When its worker last told that it is at work.
  beat_at timestamptz,
  step text not null default 'waiting' check (step in ('waiting', 'running', 'done', 'failed')),
  -- The error code, or INTERNAL.
  failure text,
  finished_at timestamptz,
  check ((step in ('done', 'failed')) = (finished_at is not null)),
  check ((step = 'failed') = (failure is not null))
);
create unique index settlement_one_rerun on settlement_reruns ((true)) where finished_at is null;
