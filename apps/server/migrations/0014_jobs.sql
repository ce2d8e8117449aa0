-- Jobs that an admin requests and a worker runs while the page waits: dry runs, repeated settlements, comparisons of
-- plans. A job whose worker has stopped reporting is taken again, so its work must be safe to restart.
create table asked_jobs (
  job_id bigint generated always as identity primary key,
  kind text not null,
  -- A later job with the same subject finds the result of this one.
  subject text not null,
  request jsonb not null,
  requested_by text not null,
  requested_at timestamptz not null,
  -- When the worker last reported progress, and when an admin last read the job.
  beat_at timestamptz,
  watched_at timestamptz not null,
  step text not null default 'waiting' check (step in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  progress_ppm integer not null default 0 check (progress_ppm between 0 and 1000000),
  result jsonb,
  -- The error code, or INTERNAL.
  failure text,
  finished_at timestamptz,
  check ((step in ('done', 'failed', 'cancelled')) = (finished_at is not null)),
  check (result is null or step = 'done'),
  check ((step = 'failed') = (failure is not null))
);
create unique index asked_one_job on asked_jobs (kind) where finished_at is null;
create index asked_jobs_newest on asked_jobs (kind, job_id desc);
create index asked_jobs_done on asked_jobs (kind, subject, job_id desc) where step = 'done';
