-- Work that an admin asks for and a worker does while the page waits: dry runs, days settled again, comparisons of plans.
-- They were three tables of one shape. A job is a request that some worker takes; one whose worker has gone quiet is taken
-- again, so its work must be safe to begin anew.
create table asked_jobs (
  job_id bigint generated always as identity primary key,
  kind text not null,
  -- What it is about: a later one of the same subject finds what this one came to.
  subject text not null,
  request jsonb not null,
  requested_by text not null,
  requested_at timestamptz not null,
  -- When its worker last told that it is at work, and when an admin last looked.
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

insert into asked_jobs (kind, subject, request, requested_by, requested_at, beat_at, watched_at, step, progress_ppm,
  result, failure, finished_at)
select 'dry_run', format('settlement/%s', day), jsonb_build_object('day', day), requested_by, requested_at, beat_at,
  requested_at, case step when 'reading' then 'running' when 'working' then 'running' else step end,
  case step when 'working' then 500000 else 0 end, result, failure, finished_at
from settlement_dry_runs order by run_id;

insert into asked_jobs (kind, subject, request, requested_by, requested_at, beat_at, watched_at, step, failure, finished_at)
select 'rerun', format('settlement/%s', day), jsonb_build_object('day', day), requested_by, requested_at, beat_at,
  requested_at, step, failure, finished_at
from settlement_reruns order by rerun_id;

insert into asked_jobs (kind, subject, request, requested_by, requested_at, beat_at, watched_at, step, progress_ppm,
  result, failure, finished_at)
select 'comparison', encode(figures_digest, 'hex'), jsonb_build_object('figures', figures, 'from', from_day, 'to', to_day),
  requested_by, requested_at, beat_at, watched_at,
  case step when 'reading' then 'running' when 'working' then 'running' else step end, progress_ppm, result, failure,
  finished_at
from plan_comparisons order by run_id;

drop table settlement_dry_runs, settlement_reruns, plan_comparisons;
