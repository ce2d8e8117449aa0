-- Empties the results of a settled day. `truncate` would need a right with which the application could empty
-- other tables too.
create or replace function settlement_clear_stage() returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  delete from settlement_members where true;
  delete from settlement_rewards where true;
  delete from settlement_interest where true;
  delete from settlement_dividends where true;
end $$;

-- Adds the postings of a settled day to the chain, like the function of the migrations. Machines do not have
-- the row types of each other's shards, so the hash of a posting is computed from columns, equal to
-- ledger_posting_hash.
create or replace function ledger_close_chain(p_day date) returns boolean
language plpgsql set search_path = public, pg_temp as $$
declare
  v_previous ledger_chain_days;
  v_part bytea;
  v_count bigint;
  v_postings bigint;
begin
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

-- Runs a statement about rows of a member's shard, on the shard's tables and on their machine; with p_reads
-- it returns the statement's value. Citus does not plan the statement, so rows that are written in one pass
-- cost the same as on one machine. Like every write of a member's rows, it first takes the lock that a move
-- of the shard waits for. If the shard was moved or split before, the caller repeats the whole transaction.
create or replace function run_at_member(p_member bigint, p_shard bigint, p_statement text, p_reads boolean) returns text
language plpgsql set search_path = public, pg_temp as $$
declare
  v_value text;
begin
  update ledger_heads set seq = seq where member_id = p_member;
  if own_shard_suffix(p_member) <> '_' || p_shard then
    raise exception 'the shard of member % was split', p_member using errcode = 'serialization_failure';
  end if;
  if p_reads then
    execute p_statement into v_value;
  else
    execute p_statement;
  end if;
  return v_value;
end $$;

-- Books on the coordinator the postings that ledger_write_batches has written in members' books: the flows
-- with their sums, paid from a part of a reserve. These are no transactions of the operator or the exchange.
create or replace function ledger_post_parts(
  p_accounting_day date, p_posted_at timestamptz, p_kinds text[], p_assets text[], p_sources text[], p_destinations text[],
  p_sums bigint[], p_lines bigint[], p_parts_of text, p_part int
) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  perform ledger_enter_day(p_accounting_day, p_posted_at);
  perform from unnest(p_kinds, p_sources, p_assets) as l (kind, source, asset)
  where kind in ('attested_revenue', 'grant') or asset in ('DIV', 'VC') or ledger_is_guarded(kind, array[source]);
  if found then
    raise exception 'these are no transactions of a settlement' using errcode = 'RL003', detail = format('part of %s', p_parts_of);
  end if;
  perform ledger_pay_parts(p_parts_of, p_part, p_assets, p_sources, p_destinations, p_sums);
  insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
  select p_accounting_day, kind, asset, source, destination, sum, lines
  from unnest(p_kinds, p_assets, p_sources, p_destinations, p_sums, p_lines)
    as l (kind, asset, source, destination, sum, lines);
end $$;
