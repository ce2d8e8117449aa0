import type { Day } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** The number of waiting items of a kind, the oldest time, and the subject of a single item. */
export interface Waiting {
  readonly kind:
    | 'proposal'
    | 'paused'
    | 'withdrawal_audit'
    | 'attestation'
    | 'grant'
    | 'exchange_terms'
    | 'launch'
    | 'fund_product'
    | 'redemption_review'
    | 'redemption_cash'
    | 'suspense'
    | 'unmatched_claim'
  readonly count: number
  readonly oldestAt: Date
}

/** Returns everything that waits for an admin. Each part reads an index of pending rows, or a small table. */
export async function waiting(db: Db, at: Date): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select kind, count::integer as count, oldest as "oldestAt" from (
      select 'withdrawal_audit' as kind, count(*) as count, min(created_at) as oldest
        from withdrawals where status = 'Auditing'
      union all select 'proposal', count(*), min(prepared_at) from proposals where state = 'Open'
      union all select 'attestation', count(*), min(deposited_at) from revenue_deposits as deposit
        where amount_micros > 0 and not exists (select from attestations as given
          where given.deposit_id = deposit.deposit_id and given.approved_at is not null)
      union all select 'grant', count(*), min(prepared_at) from hash_power_grants where state = 'Prepared'
      union all select 'exchange_terms', count(*), min(prepared_at) from exchange_terms where state = 'Prepared'
      union all select 'launch', count(*), min(prepared_at) from vc_launches where state = 'Prepared'
      union all select 'fund_product', count(*), min(prepared_at) from fund_products
        where state = 'draft' or proposed_state is not null
      union all select 'redemption_review', count(*), min(submitted_at) from fund_redemptions where status = 'Pending'
      union all select 'redemption_cash', count(*), min(due_at) from fund_redemptions
        where status = 'Approved' and due_at < ${at}
      union all select 'suspense', count(*), min(collected_at) from unmatched_payments as payment
        where not exists (select from suspense_releases as given where given.member_id = payment.member_id
            and given.tx_hash = payment.tx_hash and given.log_index = payment.log_index)
      union all select 'paused', count(*), min(paused_at) from pauses
      union all select 'unmatched_claim', count(*), min(claimed_at) from unmatched_claims
    ) as kinds where count > 0 order by oldest`.execute(db)
  return rows
}

/** Returns the products that have something invested, with the time of their last valuation. */
export async function investedProducts(db: Db): Promise<{ name: string; valuedAt: Date }[]> {
  const { rows } = await sql<{ name: string; valuedAt: Date }>`
    select name, valued_at as "valuedAt" from fund_products where is_invested order by name`.execute(db)
  return rows
}

/** Returns the classes of a settled day that were due and paid nothing. */
export async function uncovered(db: Db, day: Day): Promise<string[]> {
  const { rows } = await sql<{ class: string }>`
    select class from reward_coverage where day = ${day}::date and value_micros > 0 and paid_micros = 0
    union
    select 'savings' from savings_batches where day = ${day}::date and paid_micros = 0
    order by class`.execute(db)
  return rows.map((row) => row.class)
}
