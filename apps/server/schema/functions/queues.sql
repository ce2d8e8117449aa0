-- Queues a job for the workers, in the caller's transaction. A job that is queued already keeps one entry; an entry that a
-- worker has taken is replaced and not retried. The role of the running server has no rights in the schema of the queue.
create function jobs_enqueue(p_job_id bigint, p_kind text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform graphile_worker.add_job(p_kind, json_build_object('job_id', p_job_id::text), job_key := 'job/' || p_job_id);
end $$;

-- Queues a delivery for the workers, in the caller's transaction; see `jobs_enqueue`.
create function webhook_enqueue(p_delivery_id bigint, p_run_at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform graphile_worker.add_job('webhook', json_build_object('delivery_id', p_delivery_id::text),
    run_at := p_run_at, job_key := 'webhook/' || p_delivery_id, max_attempts := 1);
end $$;
