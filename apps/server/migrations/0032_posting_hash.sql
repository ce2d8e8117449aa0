-- Returns the hash of a posting with its transaction: the same text as before, which json_build_array writes without the binary form
-- of jsonb between. A stable function is part of the statement that calls it; an immutable one that calls stable ones is not.
create or replace function ledger_posting_hash(p ledger_postings, t ledger_transactions) returns bytea
language sql stable parallel safe
return sha256(convert_to(json_build_array(
  p.seq, p.line, p.kind, p.asset, p.source, p.destination, p.amount, t.idempotency_key, encode(t.content_digest, 'hex'),
  t.cause_type, t.cause_id, (extract(epoch from t.posted_at) * 1000000)::bigint, t.reverses_seq)::text, 'UTF8'));
