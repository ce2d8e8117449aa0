import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type AuditCheck, auditQuery, type Finding } from '../books/ledger/audit.ts'

/** The postings of each order, by asset and step. */
const POSTED = sql`
  select member_id, cause_id::bigint as order_id, kind, asset, sum(amount) as amount
  from ledger_standing where cause_type = 'order' and kind like 'order\\_%'
  group by member_id, cause_id, kind, asset`

/** The expected postings of each order, by its status and the quote that was paid. */
const EXPECTED = sql`
  select member_id, order_id, step.kind, step.asset, step.amount::numeric as amount
  from orders, lateral (values
    ('order_payment', 'USDT', case when use_hash_rate then discounted_usdt_micros else full_usdt_micros end,
      status = 'Paid'),
    ('order_payment', 'AMC', case when use_hash_rate then discounted_amc_micros else full_amc_micros end,
      status = 'Paid'),
    ('order_discount_hold', 'RIF', rif_micros, true),
    ('order_discount_spend', 'RIF', rif_micros, status = 'Paid' and use_hash_rate),
    ('order_discount_release', 'RIF', rif_micros, not holds_rif and not (status = 'Paid' and use_hash_rate))
  ) as step (kind, asset, amount, applies)
  where step.applies and step.amount > 0`

/** Orders paid on chain, by their on-chain id: shop orders, and fund orders with their bit. */
const PAID_ON_CHAIN = sql`
  select tx_hash, member_id::numeric * 18446744073709551616 + order_id as chain_order_id
  from orders where status = 'Paid'
  union all
  select tx_hash, member_id::numeric * 18446744073709551616 + 4611686018427387904 + order_id
  from fund_orders where payment_method = 'wallet' and paid_at is not null`

/**
 * Compares final payments on chain and paid orders, one to one; a payment without an open order is among the
 * suspended ones.
 */
const UNBOOKED_EVENTS = sql`
  with paid as materialized (${PAID_ON_CHAIN}),
  suspended as materialized (
    select distinct tx_hash, chain_order_id::numeric as chain_order_id, true as is_known from unmatched_payments
  )
  select format('payment %s of order %s', tx_hash, chain_order_id) as subject,
    'an event, and a paid order or a suspended payment' as expected,
    case when e.tx_hash is null then 'no event' else 'event only' end as actual
  from (select tx_hash, log_index, (args ->> 'orderId')::numeric as chain_order_id
    from chain_events where name = 'OrderPaid' and told = 'final') as e
  full join paid as o using (tx_hash, chain_order_id)
  left join suspended using (tx_hash, chain_order_id)
  where (o.chain_order_id is null and is_known is null)
    or (e.chain_order_id is null and not exists (select from chain_undone as gone
      where gone.tx_hash = o.tx_hash and gone.name = 'OrderPaid' and gone.outcome = 'covered'))`

/**
 * Compares the copies that the bank counts with the books: every counted copy is a paid order. A payment in `suspense` whose
 * order the books have may have been counted too. The bank is read at the block that the books of the snapshot have reached.
 */
export async function copiesFindings(
  snapshot: Db,
  paidOnChain: (packageIds: readonly number[]) => Promise<ReadonlyMap<number, bigint>>,
): Promise<Finding[]> {
  const { rows } = await sql<{ packageId: number; paid: bigint; suspended: bigint }>`
    with suspended as materialized (
      select distinct chain_order_id::numeric as chain_order_id, payer from unmatched_payments
    )
    select p.package_id as "packageId", coalesce(sold.paid, 0) as paid, coalesce(sold.suspended, 0) as suspended
    from packages as p left join (
      select o.package_id, count(*) filter (where o.status = 'Paid') as paid,
        count(*) filter (where o.status <> 'Paid' and s.payer is not null) as suspended
      from orders as o left join suspended as s
        on s.chain_order_id = o.member_id::numeric * 18446744073709551616 + o.order_id and s.payer = o.payer
      group by o.package_id
    ) as sold using (package_id)
    order by p.package_id`.execute(snapshot)
  const counted = await paidOnChain(rows.map(({ packageId }) => packageId))
  return rows.flatMap(({ packageId, paid, suspended }): Finding[] => {
    const actual = counted.get(packageId)!
    if (actual >= paid && actual <= paid + suspended) return []
    const subject = `package ${packageId}: copies paid on chain`
    return [{ check: 'copies', subject, expected: `${paid}`, actual: `${actual}` }]
  })
}

/** Checks that orders, packages and suspended payments agree with the ledger. Rules, section 4. */
export const SHOP_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'order',
    sql`select format('member %s order %s: %s %s', member_id, order_id, kind, asset) as subject,
        coalesce(e.amount, 0) as expected, coalesce(p.amount, 0) as actual
      from (${EXPECTED}) as e full join (${POSTED}) as p using (member_id, order_id, kind, asset)
      where coalesce(e.amount, 0) <> coalesce(p.amount, 0)`,
  ),
  auditQuery('payment event', UNBOOKED_EVENTS),
  auditQuery(
    'order hold',
    sql`select format('member %s: RIF held for orders', member_id) as subject,
        coalesce(held.amount, 0) as expected, coalesce(locked.balance, 0) as actual
      from (select member_id, sum(rif_micros) as amount from orders where holds_rif group by member_id) as held
      full join (select member_id, balance from ledger_balances
        where asset = 'RIF' and account = 'locked') as locked using (member_id)
      where coalesce(held.amount, 0) <> coalesce(locked.balance, 0)`,
  ),
  auditQuery(
    'package',
    sql`select format('package %s: copies with a payment in a block', package_id) as subject, seen as expected, paid as actual
      from (select package_id, paid, coalesce(seen, 0) as seen from package_copies
        left join (select package_id, count(*) as seen from orders where seen_block is not null group by package_id) as counted
          using (package_id)) as copies
      where seen <> paid`,
  ),
  auditQuery(
    'unmatched payment',
    sql`select format('member %s payment %s %s', member_id, key, asset) as subject,
        coalesce(e.amount, 0) as expected, coalesce(p.amount, 0) as actual
      from (select member_id, format('unmatched/%s/%s', tx_hash, log_index) as key, asset, amount
        from unmatched_payments, lateral (values ('USDT', usdt_micros), ('AMC', amc_micros)) as part (asset, amount)
        where amount > 0) as e
      full join (select member_id, substring(idempotency_key from '^unmatched/[^/]+/[0-9]+') as key, asset, amount
        from ledger_standing where kind = 'unmatched_payment') as p using (member_id, key, asset)
      where coalesce(e.amount, 0) <> coalesce(p.amount, 0)`,
  ),
]
