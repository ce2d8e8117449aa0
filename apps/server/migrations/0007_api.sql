-- What was answered to a request that moves money, by the client's Idempotency-Key. The row commits together with the
-- operation itself, so that a repeated request finds either both or neither.
create table idempotency_keys (
  member_id bigint not null,
  key text collate "C" not null,
  operation text not null,
  input_hash bytea not null check (octet_length(input_hash) = 32),
  answer jsonb,
  created_at timestamptz not null,
  primary key (member_id, key)
);
