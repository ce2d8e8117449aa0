-- The ledger's rows in one table of lines, and a member's balances in the head (decision 3). A posting then writes one row for each
-- line, with the columns of its transaction, and updates one row for each member.

-- Waits for the postings under way, and keeps others out until their functions are new.
lock table ledger_heads, ledger_transactions, ledger_postings, ledger_balances in access exclusive mode;

-- Returns the balances that a member has, in the order in which `ledger_heads.balances` holds them: asset and account. What is added
-- is appended, and the balances of all heads are lengthened with it.
create function ledger_slots() returns text[]
language sql immutable parallel safe
return array[
  'USDT available', 'USDT locked', 'USDT withdrawing', 'USDT savings', 'USDT savings_leaving', 'USDT fund_income',
  'AMC available', 'AMC locked', 'AMC withdrawing', 'AMC savings', 'AMC savings_leaving',
  'RIF available', 'RIF locked',
  'VC available', 'VC locked',
  'DIV available'
];

-- Returns the place of a balance in `ledger_heads.balances`; null when it is none of a member's.
create function ledger_slot(asset text, account text) returns integer
language sql immutable parallel safe
return array_position(ledger_slots(), asset || ' ' || account);

-- The whole ledger. A row is a line of a transaction in the books of its member; the member's first line of a transaction has the
-- columns of that transaction, and of the others only `kind` and `accounting_day` are repeated. `line` numbers the lines of the whole
-- transaction, over all its members. content_digest covers the whole transaction too.
create table ledger_entries (
  member_id bigint not null,
  seq bigint not null,
  amount bigint not null,
  accounting_day date not null,
  line smallint not null,
  kind text not null,
  asset text not null,
  source text not null,
  destination text not null,
  posted_at timestamptz,
  content_digest bytea,
  idempotency_key text collate "C",
  cause_type text,
  cause_id text,
  reverses_seq bigint
);

insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination, posted_at,
  content_digest, idempotency_key, cause_type, cause_id, reverses_seq)
select p.member_id, p.seq, p.amount, p.accounting_day, p.line, p.kind, p.asset, p.source, p.destination, t.posted_at,
  t.content_digest, t.idempotency_key, t.cause_type, t.cause_id, t.reverses_seq
from (
  select *, row_number() over (partition by member_id, seq order by line) as place from ledger_postings
) as p
left join ledger_transactions as t on t.member_id = p.member_id and t.seq = p.seq and p.place = 1
order by p.accounting_day, p.member_id, p.seq, p.line;

alter table ledger_heads
  drop constraint ledger_heads_seq_check,
  add column balances bigint[] not null default '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}';
update ledger_heads as head set balances = held.balances
from (
  select h.member_id, array_agg(coalesce(b.balance, 0) order by s.slot) as balances
  from ledger_heads as h
  cross join unnest(ledger_slots()) with ordinality as s (name, slot)
  left join ledger_balances as b on b.member_id = h.member_id and b.asset || ' ' || b.account = s.name
  group by h.member_id
) as held
where held.member_id = head.member_id;

-- Both functions name the types of the rows, and the view the tables.
drop function ledger_posting_hash(ledger_postings, ledger_transactions);
drop view ledger_standing;
drop table ledger_postings, ledger_transactions, ledger_balances;
drop function ledger_move(bigint, text, text, text, bigint);
drop function ledger_balance_allowed(text, bigint);

-- One short check, because PostgreSQL parses the checks of a table with each statement that writes to it. A balance of null, and one
-- that is missing, is not below zero: the audit finds it.
alter table ledger_heads add constraint ledger_heads_not_negative check (0 <= all (balances));

-- Returns whether a line may stand in the books: its amount is positive, the flow table allows it, and its transaction names what it
-- reverses if, and only if, it is a reversal. The first expression decides for nearly all lines; no listed flow is one of a reversal.
create function ledger_entry_allowed(
  kind text, asset text, source text, destination text, amount bigint, reverses_seq bigint, idempotency_key text
) returns boolean
language plpgsql immutable parallel safe as $$
begin
  if amount > 0 and reverses_seq is null
    and array_position(public.ledger_flow_list(), format('%s %s %s>%s', kind, asset, source, destination)) is not null
  then
    return true;
  end if;
  return amount > 0 and public.ledger_flow_allowed(kind, asset, source, destination)
    and (reverses_seq is not null) = (kind like '%:reversal' and idempotency_key is not null);
end $$;

alter table ledger_entries
  add primary key (member_id, seq, line),
  add constraint ledger_entries_flow
    check (ledger_entry_allowed(kind, asset, source, destination, amount, reverses_seq, idempotency_key));
-- A member's lines after the first have no key.
create unique index ledger_entries_key on ledger_entries (member_id, idempotency_key);
create unique index ledger_entries_reverses on ledger_entries (member_id, reverses_seq) where reverses_seq is not null;
-- A member's history of hash power.
create index ledger_entries_rif on ledger_entries (member_id, seq desc, line desc) where asset = 'RIF';
-- Changes of dividend rights after a given day.
create index ledger_entries_div on ledger_entries (accounting_day) where asset = 'DIV';
-- Transfers of fund income in a month, for the fund's bills.
create index ledger_entries_fund_income_moved on ledger_entries (member_id, accounting_day)
  where kind = 'fund_income_transfer';
-- The journal of a day, for operators' exports: lines are stored in about the order of their days.
create index ledger_entries_days on ledger_entries using brin (accounting_day);

create trigger append_only before update or delete or truncate on ledger_entries
  for each statement execute function ledger_refuse_change();

-- The same rows as transactions and as lines.
create view ledger_transactions as
  select member_id, seq, kind, idempotency_key, content_digest, cause_type, cause_id, accounting_day, posted_at, reverses_seq
  from ledger_entries where idempotency_key is not null;
create view ledger_postings as
  select member_id, seq, line, kind, asset, source, destination, amount, accounting_day from ledger_entries;

-- The balances of members that are not zero. `offset 0` keeps the names of the balances from being made anew for each member.
create view ledger_balances as
  select h.member_id, s.asset, s.account, h.balances[s.slot] as balance
  from ledger_heads as h
  cross join (
    select slot::integer, split_part(name, ' ', 1) collate "C" as asset, split_part(name, ' ', 2) collate "C" as account
    from unnest(ledger_slots()) with ordinality as l (name, slot) offset 0
  ) as s
  where h.balances[s.slot] <> 0;

-- The postings that stand: of transactions that are no reversals and were not reversed.
create view ledger_standing as
  select p.member_id, p.seq, p.line, p.kind, p.asset, p.source, p.destination, p.amount, p.accounting_day,
    t.idempotency_key, t.cause_type, t.cause_id
  from ledger_postings as p join ledger_transactions as t using (member_id, seq)
  where t.reverses_seq is null and not exists (
    select from ledger_transactions as r where r.member_id = t.member_id and r.reverses_seq = t.seq);

-- Returns the hash of a line with the first line of its transaction: the same text as before.
create function ledger_posting_hash(p ledger_entries, t ledger_entries) returns bytea
language sql stable parallel safe
return sha256(convert_to(json_build_array(
  p.seq, p.line, p.kind, p.asset, p.source, p.destination, p.amount, t.idempotency_key, encode(t.content_digest, 'hex'),
  t.cause_type, t.cause_id, (extract(epoch from t.posted_at) * 1000000)::bigint, t.reverses_seq)::text, 'UTF8'));

-- Adds the postings of a settled day to the chain, days in their order. A settled day takes no further posting, so the result is
-- the same whenever this runs. Returns false when the day was added before. Raises RL010 for a day out of order. The first
-- day takes the postings of all days before it too.
create or replace function ledger_close_chain(p_day date) returns boolean
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
      from ledger_entries as p join ledger_entries as t using (member_id, seq)
      where p.member_id = head.member_id and p.seq > coalesce(known.folded_seq, 0) and t.idempotency_key is not null
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

-- What is added to the sums by day is in whole micro-units that a posting can move, which are cheaper to write than numerics.
drop view ledger_flow_sums;
alter table ledger_flow_deltas alter column amount type bigint;
create view ledger_flow_sums as
  select accounting_day, kind, asset, source, destination, amount, postings from ledger_flow_days
  union all
  select accounting_day, kind, asset, source, destination, amount::numeric(40), postings from ledger_flow_deltas
  union all
  select accounting_day, kind, asset, source, destination, amount::numeric(40), 1::bigint from ledger_member_flows;
