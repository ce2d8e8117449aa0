import type { RevenueDepositsQuery } from '@rif/api-schema'
import type { Day, Micros } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** The pools that only attested revenue may fill. Rules, section 2. */
export type AttestedPool = 'yield_pool' | 'savings_pool' | 'dividend_pool'

/** A final deposit of revenue, with its attestation once approved. */
export interface DepositRow {
  readonly depositId: string
  readonly depositor: string
  /** 32 bytes, as given by the depositor. */
  readonly label: string
  readonly asset: 'USDT' | 'AMC'
  readonly amountMicros: Micros
  readonly documentHash: string
  readonly txHash: string
  readonly depositedAt: Date
  readonly pool: AttestedPool | null
  /** True if it returned invested money of a fund. */
  readonly isDivested: boolean
  readonly source: string | null
  readonly day: Day | null
}

/** Selects deposits by their purpose, as a condition on `d`. */
const USES = {
  waiting: sql`pool is null and not exists (
    select from deposit_uses as u where u.deposit_id = d.deposit_id and use = 'divest')`,
  attested: sql`pool is not null`,
  divested: sql`exists (select from deposit_uses as u where u.deposit_id = d.deposit_id and use = 'divest')`,
} as const

/** Returns deposits that were or can be attested, newest first: those of at least a micro-unit. */
export async function deposits(
  db: Db,
  { state, asset, before, limit }: Omit<RevenueDepositsQuery, 'cursor'> & { before?: bigint | undefined },
): Promise<DepositRow[]> {
  const wanted = [sql`d.amount_micros > 0`]
  if (before !== undefined) wanted.push(sql`d.deposit_id::numeric < ${`${before}`}::numeric`)
  if (asset !== undefined) wanted.push(sql`d.asset = ${asset}`)
  if (state !== undefined) wanted.push(USES[state])
  const { rows } = await sql<DepositRow>`
    select d.deposit_id as "depositId", depositor, label, d.asset, d.amount_micros as "amountMicros",
      d.document_hash as "documentHash", tx_hash as "txHash", deposited_at as "depositedAt", pool,
      exists (select from deposit_uses as u where u.deposit_id = d.deposit_id and use = 'divest') as "isDivested",
      source, (a.approved_at at time zone 'UTC')::date as day
    from revenue_deposits as d
      left join attestations as a on a.deposit_id = d.deposit_id and a.approved_at is not null
        and a.undone_at is null
    where ${sql.join(wanted, sql` and `)}
    order by d.deposit_id::numeric desc limit ${limit}`.execute(db)
  return rows
}

/** Returns the wallet of a final deposit, in lower case, and its transaction. */
export async function depositorOf(
  db: Db,
  depositId: string,
): Promise<{ depositor: string; txHash: string } | undefined> {
  const { rows } = await sql<{ depositor: string; txHash: string }>`
    select depositor, tx_hash as "txHash" from revenue_deposits where deposit_id = ${depositId}`.execute(db)
  return rows[0]
}

/** Returns the number of deposits that are not used yet. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::integer as waiting from revenue_deposits as d
    where amount_micros > 0 and not exists (
      select from attestations as a where a.deposit_id = d.deposit_id and a.approved_at is not null
        and a.undone_at is null)
      and not exists (select from deposit_uses as u where u.deposit_id = d.deposit_id and use = 'divest')`.execute(
    db,
  )
  return rows[0]!.waiting
}

/** Returns the use of a deposit; undefined if it is not used yet. */
export async function useOf(db: Db, depositId: string): Promise<'attestation' | 'divest' | undefined> {
  const { rows } = await sql<{ use: 'attestation' | 'divest' }>`
    select use from deposit_uses where deposit_id = ${depositId}`.execute(db)
  return rows[0]?.use
}

/** Revenue that two admins attested, with its transaction; `day` is the day of approval. */
export interface Attestation {
  readonly attestationId: bigint
  readonly pool: AttestedPool
  readonly asset: 'USDT' | 'AMC'
  readonly amountMicros: Micros
  readonly source: string
  readonly documentHash: string
  readonly txHash: string | null
  readonly day: Day
}

/** Returns the attestations approved on the days up to `to`, of one pool or all, newest first. */
export async function approved(
  db: Db,
  filter: { pool?: Attestation['pool']; from?: Day; to: Day; limit: number },
): Promise<Attestation[]> {
  const pool = filter.pool === undefined ? sql`true` : sql`pool = ${filter.pool}`
  const { rows } = await sql<Attestation>`
    select * from (
      select attestation_id as "attestationId", pool, attestations.asset,
        attestations.amount_micros as "amountMicros", source, attestations.document_hash as "documentHash",
        tx_hash as "txHash", (approved_at at time zone 'UTC')::date as day
      from attestations left join revenue_deposits using (deposit_id)
      where approved_at is not null and undone_at is null and ${pool}
    ) as approved
    where day between ${filter.from ?? '2000-01-01'}::date and ${filter.to}::date
    order by "attestationId" desc limit ${filter.limit}`.execute(db)
  return rows
}
