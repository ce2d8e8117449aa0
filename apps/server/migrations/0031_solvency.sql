-- Solvency reports (rules, section 13; docs/solvency.md), and the ledger's chain of hashes that they publish.

-- The chain of a member's postings: its hash after the last closed day on which the member had postings. Every posting up to
-- folded_seq is in it.
create table ledger_chain_members (
  member_id bigint primary key,
  day date not null,
  folded_seq bigint not null check (folded_seq >= 0),
  hash bytea not null check (octet_length(hash) = 32)
) with (fillfactor = 70);
create trigger keep_rows before delete or truncate on ledger_chain_members
  for each statement execute function ledger_refuse_change();

-- The head of the chain after each settled day.
create table ledger_chain_days (
  day date primary key,
  head bytea not null check (octet_length(head) = 32),
  members bigint not null check (members >= 0),
  postings bigint not null check (postings >= 0)
);
create trigger append_only before update or delete or truncate on ledger_chain_days
  for each statement execute function ledger_refuse_change();

-- Returns the hash of a posting with its transaction. Times enter as whole microseconds, because their text depends on settings.
create function ledger_posting_hash(p ledger_postings, t ledger_transactions) returns bytea
language sql immutable parallel safe
return sha256(convert_to(jsonb_build_array(
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
    left join ledger_chain_members as known using (member_id)
    -- An aggregate for each member, so that only the new postings are read, by their key. A posting of a later day may stand
    -- between postings of this one, so those of closed days are read again and left out.
    cross join lateral (
      select string_agg(ledger_posting_hash(p, t), ''::bytea order by p.seq, p.line)
          filter (where p.accounting_day <= p_day and (known.day is null or p.accounting_day > known.day)) as part,
        min(p.seq) filter (where p.accounting_day > p_day) as later, max(p.seq) as last
      from ledger_postings as p join ledger_transactions as t using (member_id, seq)
      where p.member_id = head.member_id and p.seq > coalesce(known.folded_seq, 0)
    ) as f
    where head.seq > coalesce(known.folded_seq, 0)
  ) as open where open.part is not null
  on conflict (member_id) do update set day = excluded.day, folded_seq = excluded.folded_seq, hash = excluded.hash;
  insert into ledger_chain_days (day, head, members, postings)
  select p_day, ledger_chain_step(coalesce(v_previous.head, decode(repeat('00', 32), 'hex')), members.part), members.count,
    (select coalesce(sum(postings), 0) from ledger_flow_sums where accounting_day <= p_day
      and (v_previous.day is null or accounting_day > v_previous.day))
  from (select string_agg(int8send(member_id) || hash, ''::bytea order by member_id) as part, count(*) as count
    from ledger_chain_members where day = p_day) as members;
  return true;
end $$;
revoke execute on function ledger_close_chain from public;

-- What a day's root commits to, in micro-units, written once. `root` is what the bank contract stores.
create table solvency_days (
  day date primary key,
  chain_id bigint not null check (chain_id > 0),
  bank text not null check (bank ~ '^0x[0-9a-f]{40}$'),
  format smallint not null check (format = 1),
  -- Identifies the key that the salts were derived from.
  salt_key_id text not null,
  leaves integer not null check (leaves >= 0),
  tree bytea not null check (octet_length(tree) = 32),
  members_usdt bigint not null check (members_usdt >= 0),
  members_amc bigint not null check (members_amc >= 0),
  members_fund bigint not null check (members_fund >= 0),
  other_usdt bigint not null check (other_usdt >= 0),
  other_amc bigint not null check (other_amc >= 0),
  fund_cash bigint not null check (fund_cash >= 0),
  fund_invested bigint not null check (fund_invested >= 0),
  ledger_head bytea not null check (octet_length(ledger_head) = 32),
  operators_head bytea not null check (octet_length(operators_head) = 32),
  root bytea not null check (octet_length(root) = 32),
  -- What the banks held at the end of the day by the books; not in the root, because the chain itself shows it.
  held_usdt bigint not null,
  held_amc bigint not null,
  built_at timestamptz not null
);
create trigger append_only before update or delete or truncate on solvency_days
  for each statement execute function refuse_change();

-- The leaves in the order of the tree, in groups of 1,024: hash and amounts, 56 bytes each. Removed after some weeks.
create table solvency_groups (
  day date not null references solvency_days,
  group_no integer not null check (group_no >= 0),
  first_hash bytea not null,
  leaves bytea not null,
  primary key (day, group_no)
);
-- Hashes do not compress.
alter table solvency_groups alter column leaves set storage external;
create index solvency_groups_hash on solvency_groups (day, first_hash);

-- The nodes above the groups, one after the other; removed with the groups.
create table solvency_tops (
  day date primary key references solvency_days,
  tops bytea not null
);
alter table solvency_tops alter column tops set storage external;

-- The amounts of members by number, in blocks of 1,024: number and amounts, 32 bytes each. Removed with the groups.
create table solvency_members (
  day date not null references solvency_days,
  block bigint not null,
  entries bytea not null,
  primary key (day, block)
);

-- The transactions that were sent to publish a day; the latest one of a day replaces the earlier ones.
create table solvency_sends (
  send_id bigint generated always as identity primary key,
  day date not null references solvency_days,
  tx_hash text not null unique check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  nonce bigint not null check (nonce >= 0),
  max_fee_wei numeric(40) not null check (max_fee_wei > 0),
  sent_at timestamptz not null
);
create index solvency_sends_day on solvency_sends (day, send_id);

-- The publications that the bank contracts emitted, as the chain has them now.
create table solvency_publications (
  bank text not null,
  day date not null,
  root bytea not null,
  ledger_head bytea not null,
  operators_head bytea not null,
  usdt_liabilities numeric(60) not null,
  amc_liabilities numeric(60) not null,
  fund_cash numeric(60) not null,
  tx_hash text not null,
  block_number bigint not null,
  published_at timestamptz not null,
  is_final boolean not null,
  primary key (bank, day)
);
