-- Calls counted by all API processes together, by source and limit. Unlogged: after a crash of the server counting starts
-- again, as it does every minute. Expired rows are deleted by the processes.
create unlogged table rate_limits (
  -- The limit and the source, for example 'ip 203.0.113.7'.
  key text primary key,
  hits integer not null check (hits >= 0),
  ends_at timestamptz not null
);
create index rate_limits_ended on rate_limits (ends_at);
