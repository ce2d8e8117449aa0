-- Sign-in, terms, sessions, what members sign, and whom the operator may not serve.

-- The versions of terms and risks that wallets accepted, with the signed sign-in messages as evidence (decision 43). One row per
-- wallet and version: the first message that named the version. A coordinator table, as sessions are.
create table terms_acceptances (
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  version text not null references terms_texts,
  -- Null for an admin who was no member then.
  member_id bigint,
  -- Of the published English text.
  sha256 bytea not null check (octet_length(sha256) = 32),
  message text not null check (length(message) between 1 and 4096),
  signature bytea not null check (octet_length(signature) between 1 and 4096),
  accepted_at timestamptz not null,
  primary key (address, version)
);
create index terms_acceptances_by_member on terms_acceptances (member_id);

-- The used nonces of sign-ins (EIP-4361), until none of their time can be valid: a nonce is used once. It is issued without a row
-- (decision 60): it says when and with which text it was issued, and the key below authenticates it. Rows name no wallet, because an
-- erasure must not free them.
create table sign_in_nonces (
  nonce text primary key,
  expires_at timestamptz not null
);
create index sign_in_nonces_by_expiry on sign_in_nonces (expires_at);

-- The key that authenticates nonces; one row.
create table sign_in_key (
  singleton boolean primary key default true check (singleton),
  -- 244 random bits, which PostgreSQL takes from the operating system.
  key bytea not null default sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))
    check (octet_length(key) = 32)
);
insert into sign_in_key default values;

-- The wallets of no member that asked for a nonce on a day.
create table sign_in_visits (
  day date not null,
  address text not null,
  primary key (day, address)
);

-- The number of such wallets on each day, kept when their rows are deleted.
create table sign_in_days (
  day date primary key,
  visitors bigint not null
);

-- Only the hash of a token is stored. The session of an admin who is no member has no member_id.
create table sessions (
  session_id bigint generated always as identity unique,
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  member_id bigint references members,
  address text not null,
  -- Browser and system as the browser named itself at sign-in; null when it did not. Nothing else about a device is kept.
  device text check (length(device) between 1 and 60),
  created_at timestamptz not null,
  -- Updated in steps of some minutes, so that a request does not write.
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- True for a session whose wallet signed that it does not accept the terms in force: it can only take out what is its own.
  leaves_only boolean not null default false
);
create index sessions_by_member on sessions (member_id);
create index sessions_by_address on sessions (address);
create index sessions_by_expiry on sessions (expires_at);

-- The statements that members' wallets signed, each used once: what left and to whom, or a change of the saved addresses.
create table member_consents (
  member_id bigint not null,
  nonce text not null check (nonce ~ '^0x[0-9a-f]{64}$'),
  -- The typed data (EIP-712) as JSON.
  statement text not null,
  signature text not null,
  used_at timestamptz not null,
  primary key (member_id, nonce)
);

-- Whom the operator may not serve (decision 43): countries and wallets, each with a reason, as two persons approved them. What was
-- removed stays in the proposals and in the admin log.
create table refused_countries (
  country text primary key check (country ~ '^[A-Z]{2}$'),
  -- may_leave: members take out what is theirs; no_service: nothing at all.
  level text not null check (level in ('may_leave', 'no_service')),
  reason text not null check (length(reason) between 1 and 300),
  approved_by text not null,
  changed_at timestamptz not null
);

create table refused_addresses (
  address text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  level text not null check (level in ('may_leave', 'no_service')),
  reason text not null check (length(reason) between 1 and 300),
  approved_by text not null,
  changed_at timestamptz not null
);

-- The response to a request that moves money, by the client's Idempotency-Key. The row commits together with the
-- operation, so that a repeated request finds either both or neither.
create table idempotency_keys (
  member_id bigint not null,
  key text collate "C" not null,
  operation text not null,
  input_hash bytea not null check (octet_length(input_hash) = 32),
  answer jsonb,
  created_at timestamptz not null,
  primary key (member_id, key)
);
-- Old responses are deleted by age.
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Calls counted by all API processes together, by source and limit. Unlogged: after a crash of the server counting starts
-- again, as it does every minute. Expired rows are deleted by the processes.
create unlogged table rate_limits (
  -- The limit and the source, for example 'ip 203.0.113.7'.
  key text primary key,
  hits integer not null check (hits >= 0),
  ends_at timestamptz not null,
  counted_at timestamptz not null
);
create index rate_limits_ended on rate_limits (ends_at);
