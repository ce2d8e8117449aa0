import { MICRO, OPEN_WITHDRAWAL_STATUSES, type Plan, parsePlan, withdrawalFee } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { type AuditCheck, auditQuery, type Difference } from '../../books/ledger/audit.ts'

/** The expected postings of each withdrawal, by its status. */
const EXPECTED = sql`
  select member_id, withdrawal_id, step.kind, asset, step.destination, step.amount
  from withdrawals, lateral (values
    ('withdrawal_request', 'withdrawing', amount_micros, true),
    ('withdrawal_return', 'available', amount_micros, status in ('Rejected', 'Cancelled')),
    ('withdrawal_paid', 'external', amount_micros - fee_micros, status = 'Success'),
    ('withdrawal_paid', 'fees', fee_micros, status = 'Success')
  ) as step (kind, destination, amount, applies)
  where step.applies and step.amount > 0`

const POSTED = sql`
  select member_id, cause_id::bigint as withdrawal_id, asset, destination, amount,
    case kind when 'claim_set_aside' then 'withdrawal_paid' else kind end as kind
  from ledger_standing where cause_type = 'withdrawal'`

/**
 * Compares final claims on chain and paid-out withdrawals, one to one; any other claim is among the unmatched
 * ones.
 */
const UNBOOKED_EVENTS = sql`
  with paid as materialized (
    select tx_hash, member_id::numeric * 18446744073709551616 + withdrawal_id as chain_withdrawal_id
    from withdrawals where status = 'Success'
  ),
  unmatched as materialized (select distinct tx_hash, log_index, true as is_known from unmatched_claims)
  select format('claim %s of withdrawal %s', tx_hash, chain_withdrawal_id) as subject,
    'an event, and a paid-out withdrawal' as expected,
    case when e.tx_hash is null then 'no event' else 'event only' end as actual
  from (select tx_hash, log_index, (args ->> 'withdrawalId')::numeric as chain_withdrawal_id
    from chain_events where name = 'Claimed' and told = 'final') as e
  full join paid as w using (tx_hash, chain_withdrawal_id)
  left join unmatched using (tx_hash, log_index)
  where (w.chain_withdrawal_id is null and is_known is null
    and not exists (select from chain_set_aside as s
      where s.tx_hash = e.tx_hash and s.log_index = e.log_index)) or e.chain_withdrawal_id is null`

/** The free refunds that each withdrawal uses: none after it was rejected or cancelled, and only to the member's own wallet. */
const REFUND_USES = sql`
  select format('member %s withdrawal %s: free refund', member_id, withdrawal_id) as subject,
    coalesce(due, 0) as expected, coalesce(used, 0) as actual
  from (select w.member_id, w.withdrawal_id, w.asset,
      case when w.status in ('Rejected', 'Cancelled') or w.to_address <> m.address then 0 else w.refund_micros end as due
    from (select * from withdrawals where refund_micros > 0) as w join members as m using (member_id)) as w
  full join (select u.member_id, u.withdrawal_id, a.asset, sum(u.amount_micros) as used
    from refund_uses as u join refund_allowances as a using (member_id, allowance_id)
    group by u.member_id, u.withdrawal_id, a.asset) as u using (member_id, withdrawal_id, asset)
  where coalesce(due, 0) <> coalesce(used, 0)`

/** The allowances: each is what the ledger released from suspense to the payer of the payment, and not used beyond that. */
const REFUND_ALLOWANCES = sql`
  with released as materialized (
    select r.to_member_id as member_id, r.tx_hash, r.log_index, u.payer
    from suspense_releases as r join unmatched_payments as u using (member_id, tx_hash, log_index)
  ),
  posted as materialized (
    select member_id, idempotency_key, asset, sum(amount) as amount from ledger_standing
    where kind = 'suspense_release' and destination = 'available' group by member_id, idempotency_key, asset
  )
  select format('member %s refund of %s %s, of it used %s', a.member_id, a.tx_hash, a.asset, coalesce(used, 0)) as subject,
    coalesce(p.amount, 0) as expected, a.amount_micros as actual
  from refund_allowances as a
  join members as m on m.member_id = a.member_id
  left join released as r on r.member_id = a.member_id and r.tx_hash = a.tx_hash and r.log_index = a.log_index
    and r.payer = m.address
  left join posted as p on p.member_id = r.member_id and p.asset = a.asset
    and p.idempotency_key = format('suspense/%s/%s', r.tx_hash, r.log_index)
  left join (select member_id, allowance_id, sum(amount_micros) as used from refund_uses group by member_id, allowance_id) as u
    on u.member_id = a.member_id and u.allowance_id = a.allowance_id
  where p.amount is distinct from a.amount_micros or used > a.amount_micros`

/** The allowances that are lost: those whose payment the chain dropped after its release, so that the operator covers it. */
const LOST_REFUNDS = sql`
  with covered as materialized (
    select distinct r.to_member_id as member_id, r.tx_hash, r.log_index
    from suspense_releases as r join ledger_standing as s on s.member_id = r.member_id and s.kind = 'payment_made_good'
      and starts_with(s.idempotency_key, format('unmatched/%s/%s/made-good', r.tx_hash, r.log_index))
  )
  select format('member %s refund of %s %s', member_id, tx_hash, asset) as subject,
    case when is_covered then 'lost' else 'counts' end as expected,
    case when is_lost then 'lost' else 'counts' end as actual
  from (select a.member_id, a.tx_hash, a.asset, a.lost_at is not null as is_lost, c.member_id is not null as is_covered
    from refund_allowances as a left join covered as c
      on c.member_id = a.member_id and c.tx_hash = a.tx_hash and c.log_index = a.log_index) as a
  where is_lost <> is_covered`

/** A withdrawal with what its fee follows from. */
interface Charged {
  readonly memberId: bigint
  readonly withdrawalId: bigint
  readonly asset: string
  readonly amountMicros: bigint
  readonly refundMicros: bigint
  readonly feeMicros: bigint
  readonly plan: bigint | null
  /** Of AMC at the request, and within the minute before it: a newer one may have been committed after it. */
  readonly prices: readonly bigint[]
}

const CHARGED_AT_ONCE = 10_000

/** Recomputes the fee of every withdrawal from the plan, the price and the free refunds at its request. */
async function wrongFees(db: Db): Promise<Difference[]> {
  const { rows: stored } = await sql<{ version: bigint; plan: unknown }>`
    select version, plan from plans`.execute(db)
  const plans = new Map<bigint | null, Plan>()
  for (const { version, plan } of stored) {
    const parsed = parsePlan(plan)
    if (parsed.ok) plans.set(version, parsed.plan)
  }
  const differences: Difference[] = []
  for (let last: Charged | undefined; ; ) {
    const { rows }: { rows: Charged[] } = await sql<Charged>`
      with w as materialized (
        select * from withdrawals
        where (member_id, withdrawal_id) > (${last?.memberId ?? -1n}, ${last?.withdrawalId ?? 0n})
        order by member_id, withdrawal_id limit ${CHARGED_AT_ONCE}
      )
      select member_id as "memberId", withdrawal_id as "withdrawalId", asset, amount_micros as "amountMicros",
        refund_micros as "refundMicros", fee_micros as "feeMicros",
        (select version from plans where effective_day <= w.day order by effective_day desc limit 1) as plan,
        case asset when 'AMC' then array(
          select price_micros from prices as p where p.asset = 'AMC' and p.valid_from <= w.created_at
            and p.valid_from >= coalesce((
              select max(valid_from) from prices as q
              where q.asset = 'AMC' and q.valid_from <= w.created_at - interval '1 minute'), '-infinity')
        ) else array[${MICRO}]::bigint[] end as prices
      from w order by member_id, withdrawal_id`.execute(db)
    for (const { memberId, withdrawalId, feeMicros, prices, ...row } of rows) {
      const plan = plans.get(row.plan)
      const due = plan === undefined ? [] : prices.map((price) => withdrawalFee(row, price, plan))
      if (due.includes(feeMicros)) continue
      differences.push({
        subject: `member ${memberId} withdrawal ${withdrawalId}: fee`,
        expected: due.join(' or ') || 'no plan or price',
        actual: `${feeMicros}`,
      })
    }
    last = rows.at(-1)
    if (rows.length < CHARGED_AT_ONCE) return differences
  }
}

/** Checks that withdrawals agree with the ledger, and that no other claim was paid. Rules, section 7. */
export const WITHDRAWAL_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'withdrawal',
    sql`select format('member %s withdrawal %s: %s %s to %s', member_id, withdrawal_id, kind, asset, destination)
          as subject,
        coalesce(e.amount, 0) as expected, coalesce(p.amount, 0) as actual
      from (${EXPECTED}) as e
      full join (${POSTED}) as p using (member_id, withdrawal_id, kind, asset, destination)
      where coalesce(e.amount, 0) <> coalesce(p.amount, 0)`,
  ),
  auditQuery('claim event', UNBOOKED_EVENTS),
  auditQuery('refund use', REFUND_USES),
  auditQuery('refund', REFUND_ALLOWANCES),
  auditQuery('lost refund', LOST_REFUNDS),
  { name: 'withdrawal fee', run: wrongFees },
  auditQuery(
    'withdrawing',
    sql`select format('member %s %s: open withdrawals', member_id, asset) as subject,
        coalesce(open.amount, 0) as expected, coalesce(held.balance, 0) as actual
      from (select member_id, asset, sum(amount_micros) as amount from withdrawals
        where status = any (${OPEN_WITHDRAWAL_STATUSES}::text[]) group by member_id, asset) as open
      full join (select member_id, asset, balance from ledger_balances where account = 'withdrawing') as held
        using (member_id, asset)
      where coalesce(open.amount, 0) <> coalesce(held.balance, 0)`,
  ),
  auditQuery(
    'unmatched claim',
    sql`select format('claim %s of withdrawal %s', tx_hash, chain_withdrawal_id) as subject,
        'a withdrawal that stood open' as expected, reason as actual
      from unmatched_claims`,
  ),
]
