import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** The withdrawals and transfers under audit, in USDT worth in micro-units. */
export interface HeldSum {
  readonly count: number
  readonly worthMicros: bigint
  readonly oldestAt: Date | null
}

/** Sums the items under audit, from the indexes of pending rows. */
export async function heldSum(db: Db): Promise<HeldSum> {
  const { rows } = await sql<HeldSum>`
    select count(*)::integer as count, coalesce(sum(worth_micros), 0)::bigint as "worthMicros", min(created_at) as "oldestAt"
    from (
      select worth_micros, created_at from withdrawals where status = 'Auditing'
      union all
      select worth_micros, created_at from transfers where status = 'Auditing' and direction = 'out'
    ) as held`.execute(db)
  return rows[0]!
}

/** Returns the redemptions that wait for a decision, with their worth at the current net values. */
export interface RedemptionSum extends HeldSum {
  readonly units: bigint
}

export async function redemptionSum(db: Db): Promise<RedemptionSum> {
  const { rows } = await sql<RedemptionSum>`
    select count(*)::integer as count, coalesce(sum(units), 0)::bigint as units, min(submitted_at) as "oldestAt",
      coalesce(sum(units * product.nav_micros), 0)::bigint as "worthMicros"
    from fund_redemptions join fund_products as product using (product_id) where status = 'Pending'`.execute(
    db,
  )
  return rows[0]!
}

/** Returns the payments that match no order and are not assigned to a member yet. */
export interface PaymentSum {
  readonly count: number
  readonly usdtMicros: bigint
  readonly amcMicros: bigint
  readonly oldestAt: Date | null
  /** The number of open proposals about such payments. */
  readonly proposed: number
}

export async function paymentSum(db: Db): Promise<PaymentSum> {
  const { rows } = await sql<PaymentSum>`
    with waiting as materialized (
      select count(*)::integer as count, coalesce(sum(usdt_micros), 0)::bigint as "usdtMicros",
        coalesce(sum(amc_micros), 0)::bigint as "amcMicros", min(collected_at) as "oldestAt"
      from unmatched_payments as payment
      where not exists (select from suspense_releases as given where given.member_id = payment.member_id
        and given.tx_hash = payment.tx_hash and given.log_index = payment.log_index)
    )
    select waiting.*,
      (select count(*)::integer from proposals where kind = 'suspense' and state in ('Open', 'Approved')) as proposed
    from waiting`.execute(db)
  return rows[0]!
}

/** The history of a member that determines how withdrawals are reviewed; worths in USDT micro-units. */
export interface MemberHistory {
  readonly rewardsMicros: bigint
  readonly receivedMicros: bigint
  readonly sentMicros: bigint
  readonly withdrawnMicros: bigint
  readonly done: number
  readonly rejected: number
}

/** Sums the rewards, transfers and withdrawals of one member, by the member's index. */
export async function memberHistory(db: Db, memberId: bigint): Promise<MemberHistory> {
  const { rows } = await sql<MemberHistory>`
    select
      (select coalesce(sum(paid_micros), 0)::bigint from reward_totals where member_id = ${memberId}) as "rewardsMicros",
      coalesce(sum(worth_micros) filter (where sort = 'in'), 0)::bigint as "receivedMicros",
      coalesce(sum(worth_micros) filter (where sort = 'out'), 0)::bigint as "sentMicros",
      coalesce(sum(worth_micros) filter (where sort = 'withdrawal'), 0)::bigint as "withdrawnMicros",
      (count(*) filter (where sort = 'withdrawal'))::integer as done,
      (count(*) filter (where sort = 'rejected'))::integer as rejected
    from (
      select direction as sort, worth_micros from transfers where member_id = ${memberId} and status = 'Success'
      union all
      select case status when 'Success' then 'withdrawal' else 'rejected' end, worth_micros
        from withdrawals where member_id = ${memberId} and status in ('Success', 'Rejected')
    ) as moved`.execute(db)
  return rows[0]!
}
