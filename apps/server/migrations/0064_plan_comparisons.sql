-- Comparisons of a plan with those that were in force, over settled days of the books: worked out from a snapshot and
-- posted nowhere. A run is a request that some worker takes; one whose worker has gone quiet is taken again, and one that
-- nobody watches any more is given up.
create table plan_comparisons (
  run_id bigint generated always as identity primary key,
  -- The plan in its JSON form, and the SHA-256 of that text, by which a proposal of the same figures finds its comparison.
  figures jsonb not null,
  figures_digest bytea not null check (octet_length(figures_digest) = 32),
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  requested_by text not null,
  requested_at timestamptz not null,
  started_at timestamptz,
  -- When its worker last told how far it was, and when an admin last looked.
  beat_at timestamptz,
  watched_at timestamptz not null,
  step text not null default 'waiting' check (step in ('waiting', 'reading', 'working', 'done', 'failed', 'cancelled')),
  progress_ppm integer not null default 0 check (progress_ppm between 0 and 1000000),
  result jsonb,
  -- The error code, or INTERNAL.
  failure text,
  finished_at timestamptz,
  check ((step in ('done', 'failed', 'cancelled')) = (finished_at is not null)),
  check ((step = 'done') = (result is not null)),
  check ((step = 'failed') = (failure is not null))
);
create unique index plan_one_comparison on plan_comparisons ((true)) where finished_at is null;
create index plan_comparisons_by_figures on plan_comparisons (figures_digest, run_id desc) where step = 'done';
