-- Signed webhooks for operators' own systems. Secrets are derived from a key of the settings and not stored.
create table webhook_endpoints (
  endpoint_id bigint generated always as identity primary key,
  name text not null unique check (char_length(name) between 1 and 60),
  url text not null check (char_length(url) <= 500),
  events text[] not null check (cardinality(events) between 1 and 50),
  active boolean not null,
  approved_by text not null,
  changed_at timestamptz not null,
  -- Who was shown the secret, once.
  secret_shown_to text,
  secret_shown_at timestamptz,
  check ((secret_shown_to is null) = (secret_shown_at is null))
);

-- Something that happened and that an endpoint wanted at that time, stored in the transaction that did it.
create table webhook_events (
  event_id bigint generated always as identity primary key,
  kind text not null,
  data jsonb not null,
  occurred_at timestamptz not null
);
create index webhook_events_by_time on webhook_events (occurred_at);

create table webhook_deliveries (
  delivery_id bigint generated always as identity primary key,
  endpoint_id bigint not null references webhook_endpoints,
  event_id bigint not null references webhook_events on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'delivered', 'failed')),
  -- The attempts since the event, or since it was last replayed.
  attempts integer not null default 0 check (attempts >= 0),
  next_at timestamptz not null,
  -- When the present or last attempt began.
  taken_at timestamptz,
  -- The answer of the last attempt: its HTTP status, or why there was none.
  status integer,
  problem text check (problem in ('refused', 'timeout', 'unreachable', 'inactive')),
  unique (event_id, endpoint_id)
);
create index webhook_deliveries_due on webhook_deliveries (next_at) where state in ('waiting', 'sending');
create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, delivery_id);

create table webhook_attempts (
  delivery_id bigint not null references webhook_deliveries on delete cascade,
  attempt_id bigint generated always as identity,
  attempted_at timestamptz not null,
  duration_ms integer not null check (duration_ms >= 0),
  status integer,
  problem text,
  primary key (delivery_id, attempt_id)
);
