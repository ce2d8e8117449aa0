-- Answers are kept as long as a client may ask again, and found by their age when that is over.
create index idempotency_keys_by_age on idempotency_keys (created_at);
