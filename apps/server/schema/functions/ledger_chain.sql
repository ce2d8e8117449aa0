-- Returns the hash of a line with the first line of its transaction.
create function ledger_posting_hash(p ledger_entries, t ledger_entries) returns bytea
language sql stable parallel safe
return sha256(convert_to(json_build_array(
  p.seq, p.line, p.kind, p.asset, p.source, p.destination, p.amount, t.idempotency_key, encode(t.content_digest, 'hex'),
  t.cause_type, t.cause_id, (extract(epoch from t.posted_at) * 1000000)::bigint, t.reverses_seq)::text, 'UTF8'));

create function ledger_chain_step(previous bytea, part bytea) returns bytea
language sql immutable parallel safe
return sha256(previous || coalesce(part, ''));

-- Folds parts in their order into a chain of hashes that starts with 32 zero bytes.
create aggregate ledger_chain_of(bytea) (
  sfunc = ledger_chain_step, stype = bytea,
  initcond = '\x0000000000000000000000000000000000000000000000000000000000000000'
);

-- Adds the postings of a settled day to the chain, days in their order. A settled day takes no further posting, so the result is
-- the same whenever this runs. Returns false when the day was added before. Raises RL010 for a day out of order. The first
-- day takes the postings of all days before it too.
create function ledger_close_chain(p_day date) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_previous ledger_chain_days;
  v_part bytea;
  v_count bigint;
  v_postings bigint;
begin
  -- 'chai' as a number; no other advisory lock of this database uses it.
  perform pg_advisory_xact_lock(x'63686169'::bigint);
  perform from ledger_chain_days where day = p_day;
  if found then
    return false;
  end if;
  select * into v_previous from ledger_chain_days order by day desc limit 1;
  if p_day is distinct from coalesce(v_previous.day + 1, (select first_day from settlement_start))
    or not exists (select from settlement_days where day = p_day and state = 'settled')
  then
    raise exception 'the postings of % cannot be added to the chain now', p_day using errcode = 'RL010';
  end if;
  insert into ledger_chain_members as chain (member_id, day, folded_seq, hash)
  select open.member_id, p_day, open.folded_seq, ledger_chain_step(open.hash, open.part)
  from (
    select head.member_id, coalesce(known.hash, decode(repeat('00', 32), 'hex')) as hash, f.part,
      coalesce(f.later - 1, f.last) as folded_seq
    from ledger_heads as head
    left join ledger_chain_members as known on known.member_id = head.member_id
    -- An aggregate for each member, so that only the new postings are read, by their key. A posting of a later day may stand
    -- between postings of this one, so those of closed days are read again and left out. The hash is that of ledger_posting_hash, put
    -- together from columns, because machines of a cluster do not have the row types of each other's shards.
    cross join lateral (
      select string_agg(sha256(convert_to(json_build_array(
          p.seq, p.line, p.kind, p.asset, p.source, p.destination, p.amount, t.idempotency_key, encode(t.content_digest, 'hex'),
          t.cause_type, t.cause_id, (extract(epoch from t.posted_at) * 1000000)::bigint, t.reverses_seq)::text, 'UTF8')),
          ''::bytea order by p.seq, p.line)
          filter (where p.accounting_day <= p_day and (known.day is null or p.accounting_day > known.day)) as part,
        min(p.seq) filter (where p.accounting_day > p_day) as later, max(p.seq) as last
      from ledger_entries as p join ledger_entries as t on t.member_id = p.member_id and t.seq = p.seq
      where p.member_id = head.member_id and p.seq > coalesce(known.folded_seq, 0) and t.idempotency_key is not null
    ) as f
    where head.seq > coalesce(known.folded_seq, 0)
  ) as open where open.part is not null
  on conflict (member_id) do update set day = excluded.day, folded_seq = excluded.folded_seq, hash = excluded.hash;
  select string_agg(int8send(member_id) || hash, ''::bytea order by member_id), count(*) into v_part, v_count
  from ledger_chain_members where day = p_day;
  select coalesce(sum(postings), 0) into v_postings from ledger_flow_sums where accounting_day <= p_day
    and (v_previous.day is null or accounting_day > v_previous.day);
  insert into ledger_chain_days (day, head, members, postings)
  values (p_day, ledger_chain_step(coalesce(v_previous.head, decode(repeat('00', 32), 'hex')), v_part), v_count, v_postings);
  return true;
end $$;
