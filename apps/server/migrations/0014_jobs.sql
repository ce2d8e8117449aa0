-- Jobs that an admin requests or a month brings, and a worker runs: dry runs, repeated settlements, comparisons of plans,
-- monthly bills. The queue of graphile-worker delivers a job to a worker; this table records what came of it. A job whose
-- worker has stopped reporting is queued again, so its work must be safe to restart.
create table jobs (
  job_id bigint generated always as identity primary key,
  kind text not null check (kind in ('dry_run', 'rerun', 'comparison', 'bills')),
  -- A later job with the same subject finds the result of this one.
  subject text not null,
  request jsonb not null,
  requested_by text not null,
  requested_at timestamptz not null,
  -- When the job was queued or its worker last reported, and when an admin last read the job.
  beat_at timestamptz not null,
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
create unique index jobs_one_open on jobs (kind) where finished_at is null;
create index jobs_newest on jobs (kind, job_id desc);
create index jobs_done on jobs (kind, subject, job_id desc) where step = 'done';

-- Queues a job for the workers, in the caller's transaction. A job that is queued already keeps one entry; an entry that a
-- worker has taken is replaced and not retried. The role of the running server has no rights in the schema of the queue.
create function jobs_enqueue(p_job_id bigint, p_kind text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform graphile_worker.add_job(p_kind, json_build_object('job_id', p_job_id::text), job_key := 'job/' || p_job_id);
end $$;
