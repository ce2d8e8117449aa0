import type { Database } from '../../apps/server/src/db/database.ts'
import { fillTree } from '../tree/fill.ts'

/** The days covered by the books; the last one is today. */
export const HISTORY_DAYS = 90
/** Transactions of each member; two postings in each. */
const TRANSACTIONS = 5

/**
 * A member's transactions with the two flows of each, one in USDT and one in AMC. Together with the flows they
 * leave 990 USDT and 490 AMC available, and 1 AMC locked.
 */
const SHAPES = `(values
  (1, 'grant', 'external', 'available', 1000000000, 'external', 'available', 500000000),
  (2, 'static', 'yield_pool', 'available', 2000000, 'yield_pool', 'locked', 1000000),
  (3, 'withdrawal_request', 'available', 'withdrawing', 12000000, 'available', 'withdrawing', 10000000),
  (4, 'withdrawal_paid', 'withdrawing', 'external', 11000000, 'withdrawing', 'external', 9000000),
  (5, 'withdrawal_paid', 'withdrawing', 'fees', 1000000, 'withdrawing', 'fees', 1000000)
) as shape (seq, kind, usdt_source, usdt_destination, usdt, amc_source, amc_destination, amc)`

const DAY = `(current_date - ((n * 7 + seq * 13) % ${HISTORY_DAYS})::integer)`

const STATEMENTS = [
  // Inserted as posting would have written them, without checking ten million times that the flows are
  // allowed.
  'alter table ledger_entries drop constraint ledger_entries_flow',
  `update members set level = case when member_id % 2 = 0 then 1 + member_id % 5 else 0 end,
     valid_at = case when member_id % 2 = 0 then joined_at end,
     joined_at = current_date - (member_id % ${HISTORY_DAYS})::integer,
     address = '0x' || md5(member_id::text) || left(md5(member_id::text || 'x'), 8),
     invite_code = substr('JKMNPQRS', 1 + member_id::integer % 8, 1) ||
       reverse(upper(translate(lpad(to_hex(member_id), 7, '0'), '01', 'gh')))`,
  `update members set valid_at = joined_at where valid_at is not null`,
  `insert into ledger_heads (member_id, seq, balances)
   select n, ${TRANSACTIONS}, '{990000000,0,0,0,0,0,490000000,1000000,0,0,0,0,0,0,0,0}'
   from generate_series(1::bigint, $1::bigint) as n`,
  `insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination,
     idempotency_key, content_digest, cause_type, cause_id, posted_at)
   select n, seq, amount, ${DAY}, line, kind, asset, source, destination, t.*
   from generate_series(1::bigint, $1::bigint) as n, ${SHAPES},
     lateral (values (1, 'USDT', usdt_source, usdt_destination, usdt), (2, 'AMC', amc_source, amc_destination, amc))
       as side (line, asset, source, destination, amount)
     left join lateral (select 'bench/' || seq, '\\x00'::bytea, 'bench', n::text, ${DAY}::timestamptz)
       as t (key, digest, cause_type, cause_id, posted_at) on line = 1
   order by 1, 2, line`,
  `insert into ledger_flow_days (accounting_day, kind, asset, source, destination, amount, postings)
   select accounting_day, kind, asset, source, destination, sum(amount), count(*)
   from ledger_postings group by 1, 2, 3, 4, 5`,
  `alter table ledger_entries add constraint ledger_entries_flow
     check (ledger_entry_allowed(kind, asset, source, destination, amount, reverses_seq, idempotency_key)) not valid`,
  `insert into orders (member_id, package_id, package_name, level, payer, bank, price_micros, amc_price_micros,
     full_usdt_micros, full_amc_micros, use_hash_rate, status, created_at, expires_at, paid_at, collected_at,
     paid_sequence, tx_hash)
   select n, level, 'Launch', level, '0x' || md5('w' || n) || left(md5('v' || n), 8), '0x' || repeat('1', 40), price, 500000, price * 7 / 10, price * 6 / 10, false, 'Paid', at, at, at, at, n,
     '0x' || md5('o' || n) || md5('p' || n)
   from generate_series(1::bigint, $1::bigint) as n,
     lateral (select (1 + n % 5)::smallint as level) as levels,
     lateral (select (array[100, 500, 1000, 5000, 10000])[level] * 1000000::bigint as price) as prices,
     lateral (select current_date - (n % ${HISTORY_DAYS})::integer + interval '1 hour' as at) as times`,
  `insert into withdrawals (member_id, asset, amount_micros, refund_micros, fee_micros, worth_micros, recent_micros, level, day, to_address, status,
     reasons, created_at, claimed_at, completed_at, tx_hash, booked_block, booked_block_at)
   select n, 'USDT', 12000000, 0, 1000000, 12000000, 12000000, 1, at::date, '0x' || md5('w' || n) || left(md5('v' || n), 8),
     case when waits then 'Auditing' else 'Success' end, '{}', at, case when not waits then at end,
     case when not waits then at end, case when not waits then '0x' || md5('x' || n) || md5('y' || n) end,
     0, 'epoch'
   from generate_series(1::bigint, $1::bigint) as n,
     lateral (select current_date - (n % ${HISTORY_DAYS})::integer as at, n % 1000 = 0 as waits) as times`,
  `insert into orders (member_id, package_id, package_name, level, payer, bank, price_micros, amc_price_micros,
     full_usdt_micros, full_amc_micros, use_hash_rate, status, created_at, expires_at, tx_hash, reported_at)
   select n, 1, 'Launch', 1, '0x' || md5('w' || n) || left(md5('v' || n), 8), '0x' || repeat('1', 40), 100000000, 500000, 70000000, 60000000, false,
     'Processing', at, at, '0x' || md5('q' || n) || md5('r' || n), at
   from generate_series(1000::bigint, $1::bigint, 1000) as n,
     lateral (select current_date - (n % ${HISTORY_DAYS})::integer as at) as times`,
  `insert into unmatched_payments (member_id, tx_hash, log_index, chain_order_id, payer, reason, usdt_micros, amc_micros,
     usdt_dust, amc_dust, paid_at, collected_at)
   select n, '0x' || md5('e' || n) || md5('f' || n), 0, n, '0x' || md5(n::text) || left(md5(n::text || 'x'), 8),
     'closed_order', 70000000, 60000000, 0, 0, at, at
   from generate_series(1000::bigint, $1::bigint, 1000) as n,
     lateral (select current_date - (n % ${HISTORY_DAYS})::integer as at) as times`,
  `insert into fund_products (name, introduction, risk_level, estimated_annual_return_ppm, minimum_micros, lock_days,
     redeemable_weekdays, subscription_ppm, redemption_ppm, management_ppm, state, prepared_by, prepared_at, approved_by,
     approved_at, opening_micros, nav_micros)
   values ('Bench', '{"en": "Bench"}', 1, 0, 0, 0, '{1}', 0, 0, 0, 'open', 'one', current_date, 'other', current_date,
     1000000, 1000000)`,
  `insert into fund_redemptions (member_id, product_id, units, cost_micros, status, submitted_at, review, reviewed_by,
     reviewed_at, review_reason, confirmed_by, audited_at, nav_micros, redemption_fee_micros, management_fee_micros,
     approval_place, due_at, paid_at)
   select n, product_id, 1, 1000000, status, at, 'approve', 'one', at, 'bench', 'other', at, case status when 'Completed' then 1000000 end,
     case status when 'Completed' then 0 end, case status when 'Completed' then 0 end, n, at,
     case status when 'Completed' then at end
   from fund_products, generate_series(1::bigint, $1::bigint, 10) as n,
     lateral (select current_date - (n % ${HISTORY_DAYS})::integer as at,
       case when n % 1000 = 1 then 'Approved' else 'Completed' end as status) as given`,
  `insert into fund_redemptions (member_id, product_id, units, cost_micros, submitted_at)
   select n, product_id, 1, 1000000, current_date - (n % ${HISTORY_DAYS})::integer
   from fund_products, generate_series(1000::bigint, $1::bigint, 1000) as n`,
  `insert into proposals (kind, subject, content, digest, reason, delay_ms, state, prepared_by, prepared_person,
     prepared_at, expires_at, decided_by, decided_at, decision_reason, signature, applied_at)
   select kind, subject, content, sha256(convert_to(content, 'UTF8')), 'bench', 0, state, 'one', 'One', at, now() + interval '7 days',
     case state when 'Applied' then 'other' end, case state when 'Applied' then at end,
     case state when 'Applied' then 'bench' end, case state when 'Applied' then '0x' end,
     case state when 'Applied' then at end
   from generate_series(1::bigint, $1::bigint / 10) as n,
     lateral (select '{"summary": "Bench", "difference": []}' as content,
       (array['suspense', 'fund_redemption'])[1 + n % 2] as kind, format('bench/%s', n) as subject,
       case when n % 1000 = 0 then 'Open' else 'Applied' end as state,
       current_date - (n % ${HISTORY_DAYS})::integer as at) as given`,
  `insert into withdrawals (member_id, asset, amount_micros, refund_micros, fee_micros, worth_micros, recent_micros, level, day, to_address, status,
     reasons, created_at, claimed_at, completed_at, tx_hash, booked_block, booked_block_at)
   select n, 'USDT', 12000000, 0, 1000000, 12000000, 12000000, 1, at::date, '0x' || md5('w' || n || seq) || left(md5('v' || n), 8),
     'Success', '{}', at, at, at, '0x' || md5('x' || n || seq) || md5('y' || n), 0, 'epoch'
   from generate_series(1000::bigint, $1::bigint, 1000) as n, generate_series(1, 20) as seq,
     lateral (select current_date - ((n + seq) % ${HISTORY_DAYS})::integer as at) as times`,
  `insert into admin_actions (actor, action, subject, reason, before, after, acted_at)
   select '0x' || md5('a' || n % 20) || left(md5('b' || n % 20), 8), 'proposal.' || step, format('bench/%s', n), 'bench',
     null, jsonb_build_object('proposal', n::text, 'kind', 'suspense', 'summary', 'Bench', 'difference', '[]'::jsonb), at
   from generate_series(1::bigint, $1::bigint / 10) as n, unnest(array['prepare', 'approve', 'apply']) as step,
     lateral (select current_date - ${HISTORY_DAYS} + n * interval '${HISTORY_DAYS} days' / ($1::bigint / 10) as at) as times
   order by n`,
  // Seals the days as the trigger does, but all at once.
  `do $$
   declare
     action admin_actions;
     previous bytea := decode(repeat('00', 32), 'hex');
     n bigint := 0;
   begin
     for action in select * from admin_actions order by action_id loop
       n := n + 1;
       insert into admin_seals (seq, action_id, previous, hash)
       values (n, action.action_id, previous, admin_action_hash(previous, n, action)) returning hash into previous;
     end loop;
   end $$`,
  `insert into hash_power_grants (key, member_id, amount_micros, reason, state, prepared_by, prepared_at, reviewed_by,
     reviewed_at)
   select 'bench/' || n, n, 1000000, 'bench', 'Approved', 'one', current_date, 'other', current_date
   from generate_series(1::bigint, $1::bigint / 2) as n`,
  // One per day for 27 years.
  `insert into revenue_deposits (deposit_id, depositor, label, asset, amount_micros, dust, document_hash, tx_hash,
     deposited_at)
   select n::text, '0x' || md5('d') || left(md5('d'), 8), '0x' || rpad(encode('rent', 'hex'), 64, '0'), 'USDT', 1000000, 0,
     '0x' || md5('g' || n) || md5('h' || n), '0x' || md5('i' || n) || md5('j' || n), now() - n * interval '1 day'
   from generate_series(1, 10000) as n`,
  `insert into attestations (pool, asset, amount_micros, source, document_hash, deposit_id, prepared_by, prepared_at,
     approved_by, approved_at)
   select 'yield_pool', 'USDT', amount_micros, 'rent', document_hash, deposit_id, 'one', deposited_at, 'other', deposited_at
   from revenue_deposits where deposit_id::integer % 100 <> 0`,
  `insert into fund_products (name, introduction, risk_level, estimated_annual_return_ppm, minimum_micros, lock_days,
     redeemable_weekdays, subscription_ppm, redemption_ppm, management_ppm, state, prepared_by, prepared_at, approved_by,
     approved_at, opening_micros, nav_micros)
   select 'Bench ' || n, '{"en": "Bench"}', 1, 0, 0, 0, '{1}', 0, 0, 0, 'open', 'one', current_date, 'other', current_date,
     1000000, 1000000
   from generate_series(1, 49) as n`,
  // Five years of one net value per day for each of fifty products.
  `insert into fund_navs (product_id, nav_micros, cause, cash_micros, invested_micros, units, published_at)
   select product_id, 1000000, 'valuation', 1000000000, 0, 1000, at
   from fund_products, generate_series(0, 1824) as n, lateral (select now() - n * interval '1 day' as at) as times`,
  `insert into jobs (kind, subject, request, requested_by, requested_at, beat_at, watched_at, step, result, finished_at)
   select 'comparison', n::text, jsonb_build_object('figures', '{}'::jsonb, 'from', current_date - 366, 'to', current_date - 1),
     'one', at, at, at, 'done',
     jsonb_build_object('days', (select jsonb_agg(jsonb_build_object('day', day, 'kind', kind, 'before', paid, 'after', paid))
         from generate_series(1, 366) as day, generate_series(1, 7) as kind,
           (values (jsonb_build_object('due', '1000000.000000', 'paid', '1000000.000000'))) as side (paid)),
       'gain', jsonb_build_object('largest', top), 'lose', jsonb_build_object('largest', top)), at
   from generate_series(1, 1000) as n, lateral (select now() - n * interval '1 hour' as at) as times,
     lateral (select jsonb_agg(jsonb_build_object('member_id', m::text)) as top from generate_series(1, 20) as m) as tops`,
  `insert into rewards (member_id, type, batch, day, created_at, order_id, level, base_micros, ratio_ppm, value_micros,
     flushed_micros, coverage_ppm, usdt_share_ppm, amc_share_ppm, paid_micros, usdt_micros, amc_micros, release_parts)
   select n, 'Interest', 'settlement/' || day || '/static', day, day, n, 1, 100000000, 6000, 600000, 0, 500000, 700000,
     300000, 300000, 210000, 180000, 30
   from generate_series(1::bigint, $1::bigint) as n,
     lateral (select current_date - (n % ${HISTORY_DAYS})::integer as day) as days`,
  `insert into reward_totals (member_id, type, paid_micros, usdt_micros, amc_micros)
   select n, 'Interest', 300000, 210000, 180000 from generate_series(1::bigint, $1::bigint) as n`,
  `insert into sessions (token_hash, member_id, address, created_at, last_used_at, expires_at)
   select sha256(n::text::bytea), n, '0x' || md5(n::text) || left(md5(n::text || 'x'), 8), now(), now(),
     now() + interval '7 days'
   from generate_series(1::bigint, $1::bigint / 5) as n`,
  `insert into sent_transactions (member_id, tx_hash, kind, nonce, sent_at)
   select n, '0x' || md5('s' || n) || md5('t' || n), 'pay', 1, now() from generate_series(1::bigint, $1::bigint / 5) as n`,
  `insert into sign_in_visits (day, address)
   select current_date, '0x' || md5(n::text) from generate_series(1::bigint, $1::bigint / 100) as n`,
  'delete from member_days',
  'delete from member_levels',
  `insert into member_days (day, joined, became_valid)
   select (joined_at at time zone 'UTC')::date, count(*), count(valid_at) from members group by 1`,
  `insert into member_levels (level, members)
   select level, count(members.member_id) from generate_series(0, 5) as level left join members using (level) group by level`,
  `insert into order_days (package_id, day, ordered, first_ordered)
   select package_id, (created_at at time zone 'UTC')::date, count(*), count(*) from orders group by 1, 2`,
  `insert into sales_days (package_id, day, paid, base_micros, usdt_micros, amc_micros, rif_micros)
   select package_id, (collected_at at time zone 'UTC')::date, count(*), sum(price_micros), sum(full_usdt_micros),
     sum(full_amc_micros), 0
   from orders where status = 'Paid' group by 1, 2`,
  `insert into settlement_start (first_day) select current_date - ${HISTORY_DAYS}`,
  `insert into settlement_days (day, state, amc_price_micros, fixed_at, settled_at)
   select current_date - n, 'settled', 500000, now(), now() from generate_series(1, ${HISTORY_DAYS}) as n`,
  `insert into settlement_ranges (day, range_id, first_member_id, last_member_id, posted_at)
   select day, n, n * 4000, n * 4000 + 3999, now() from settlement_days, generate_series(1, $1::integer / 4000) as n`,
  `insert into reward_coverage (day, class, value_micros, paid_micros)
   select day, class, 1000000000, 500000000 from settlement_days,
     unnest(array['commission', 'pairing', 'static']) as class`,
  `insert into reward_batches (batch, class, day, pool, amc_price_micros, pool_usdt_micros, pool_amc_micros, value_micros,
     paid_micros, reward_count, coverage_ppm, usdt_share_ppm, amc_share_ppm, paid_at)
   select format('settlement/%s/%s', day, class), class, day, 'yield_pool', 500000, 1000000000, 1000000, 1000000000,
     500000000, 1000, 500000, 700000, 300000, now()
   from settlement_days, unnest(array['pairing', 'static']) as class`,
  `insert into reward_batches (batch, class, day, pool, amc_price_micros, pool_usdt_micros, pool_amc_micros, value_micros,
     paid_micros, reward_count, coverage_ppm, usdt_share_ppm, amc_share_ppm, paid_at)
   select 'order/' || n, 'commission', current_date - (n % ${HISTORY_DAYS})::integer, 'commission_pool', 500000, 1, 1, 1, 1, 1,
     1000000, 700000, 300000, now()
   from generate_series(1::bigint, $1::bigint) as n`,
  `insert into prices (asset, price_micros, valid_from, published_at, published_by, source, approved_by)
   values ('AMC', 500000, '2020-01-01', now(), 'bench', 'operator', 'bench')`,
  'vacuum analyze',
]

/** Fills an empty database with members, ten postings each, and an order, a withdrawal and a reward each. */
export async function fillBooks(database: Database, members: number): Promise<void> {
  await fillTree(database, members, 'random')
  const client = await database.pool.connect()
  try {
    // Invented rows need no foreign-key checks.
    await client.query('set session_replication_role = replica')
    // Generic plans would be wrong for these statements.
    await client.query('set plan_cache_mode = auto')
    for (const [index, statement] of STATEMENTS.entries()) {
      const begun = performance.now()
      const values = statement.includes('$1') ? [members] : []
      await client.query(statement, values)
      const seconds = ((performance.now() - begun) / 1_000).toFixed(1)
      process.stderr.write(`${index + 1}/${STATEMENTS.length}: ${seconds} s\n`)
    }
    await client.query('set session_replication_role = origin')
  } finally {
    client.release(true)
  }
}
