import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** A withdrawal with what decides about its claim, from one snapshot. */
export interface StoredWithdrawal {
  /** The bank that the voucher is for, in lower case. */
  readonly bank: string | null
  readonly asset: string
  readonly amountMicros: bigint
  readonly feeMicros: bigint
  readonly toAddress: string
  readonly status: string
  readonly claimExpiresAt: Date | null
  readonly seenBlock: bigint | null
  /** The block of the last event that was booked at the request, and the last block that L1 has finalised. */
  readonly bookedBlock: bigint
  readonly l1FinalNumber: bigint | null
  /** The reasons for a review that the product found at the request. */
  readonly reasons: readonly string[]
  /** The member's own wallet, in lower case. */
  readonly memberAddress: string | null
  /** True if an earlier withdrawal of the member was paid to the address. */
  readonly isKnownAddress: boolean
  /** USDT micro-units per whole AMC at the request; null when none was published. */
  readonly amcPriceMicros: bigint | null
  /** True if the log of admins holds the approval. */
  readonly isReviewed: boolean
  readonly memberState: string | null
  /** The amount that the ledger holds for this withdrawal: requested, and neither returned nor paid; null without such a posting. */
  readonly heldMicros: bigint | null
  readonly heldAsset: string | null
  readonly isClosed: boolean
  readonly databaseAt: Date
}

/** An order with what decides about its quote, from one snapshot. */
export interface StoredOrder {
  /** The bank that the order is quoted for, in lower case. */
  readonly bank: string | null
  readonly payer: string
  readonly memberAddress: string | null
  readonly memberState: string | null
  readonly usdtMicros: bigint
  readonly amcMicros: bigint
  /** The cost of the order less a discount, in USDT micro-units, and the price by which AMC were worked out. */
  readonly dueMicros: bigint
  readonly amcPriceMicros: bigint
  readonly status: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly isPaused: boolean
  readonly databaseAt: Date
}

/** Reads a withdrawal; undefined when there is none. */
export async function readWithdrawal(
  db: Db,
  chainId: number,
  { memberId, withdrawalId }: { memberId: bigint; withdrawalId: bigint },
): Promise<StoredWithdrawal | undefined> {
  const { rows } = await sql<StoredWithdrawal>`
    select w.bank, w.asset, w.amount_micros as "amountMicros", w.fee_micros as "feeMicros", w.to_address as "toAddress",
      w.status, w.claim_expires_at as "claimExpiresAt", w.seen_block as "seenBlock", w.booked_block as "bookedBlock",
      (select l1_final_number from chain_cursors where chain_id = ${chainId}) as "l1FinalNumber",
      cardinality(w.reasons) > 0 as "needsReview",
      w.reasons, m.address as "memberAddress",
      exists (
        select from withdrawals as e
        join ledger_transactions as t on t.member_id = e.member_id and t.kind in ('withdrawal_paid', 'claim_set_aside')
          and t.idempotency_key = 'withdrawal/' || e.withdrawal_id || '/close'
        where e.member_id = w.member_id and e.to_address = w.to_address and e.status = 'Success'
      ) as "isKnownAddress",
      (
        select price_micros from prices as p where p.asset = 'AMC' and p.valid_from <= w.created_at
        order by p.valid_from desc, p.price_id desc limit 1
      ) as "amcPriceMicros",
      exists (
        select from admin_actions as a
        where a.subject = 'member/' || w.member_id || '/withdrawal/' || w.withdrawal_id
          and a.action = 'withdrawal.approve' and a.actor = w.reviewed_by
      ) as "isReviewed",
      m.state as "memberState", held.amount as "heldMicros", held.asset as "heldAsset",
      exists (
        select from ledger_transactions as t where t.member_id = w.member_id
          and t.idempotency_key = 'withdrawal/' || w.withdrawal_id || '/close'
      ) as "isClosed",
      clock_timestamp() as "databaseAt"
    from withdrawals as w
    left join members as m on m.member_id = w.member_id
    left join lateral (
      select p.amount, p.asset from ledger_transactions as t
      join ledger_postings as p on p.member_id = t.member_id and p.seq = t.seq
      where t.member_id = w.member_id and t.idempotency_key = 'withdrawal/' || w.withdrawal_id || '/request'
        and p.source = 'available' and p.destination = 'withdrawing'
    ) as held on true
    where w.member_id = ${memberId} and w.withdrawal_id = ${withdrawalId}`.execute(db)
  return rows[0]
}

const paused = sql<boolean>`exists (select from pauses where area = 'orders')`

/** Reads an order of the shop, with the quote that the member chose; undefined when there is none. */
export async function readShopOrder(
  db: Db,
  memberId: bigint,
  orderId: bigint,
): Promise<StoredOrder | undefined> {
  const { rows } = await sql<StoredOrder>`
    select o.bank, o.payer, m.address as "memberAddress", m.state as "memberState",
      case when o.use_hash_rate then o.discounted_usdt_micros else o.full_usdt_micros end as "usdtMicros",
      case when o.use_hash_rate then o.discounted_amc_micros else o.full_amc_micros end as "amcMicros",
      o.price_micros - case when o.use_hash_rate then o.discount_micros else 0 end as "dueMicros",
      o.amc_price_micros as "amcPriceMicros", o.status, o.created_at as "createdAt", o.expires_at as "expiresAt",
      ${paused} as "isPaused", clock_timestamp() as "databaseAt"
    from orders as o left join members as m on m.member_id = o.member_id
    where o.member_id = ${memberId} and o.order_id = ${orderId}`.execute(db)
  return rows[0]
}

/** Reads a fund order that is paid on chain; undefined when there is none. */
export async function readFundOrder(
  db: Db,
  memberId: bigint,
  orderId: bigint,
): Promise<StoredOrder | undefined> {
  const { rows } = await sql<StoredOrder>`
    select o.bank, o.payer, m.address as "memberAddress", m.state as "memberState",
      o.units * o.nav_micros + o.fee_micros as "usdtMicros", 0::bigint as "amcMicros",
      o.units * o.nav_micros + o.units * o.nav_micros * o.fee_ppm / 1000000 as "dueMicros",
      1::bigint as "amcPriceMicros", o.status, o.created_at as "createdAt", o.expires_at as "expiresAt",
      ${paused} as "isPaused", clock_timestamp() as "databaseAt"
    from fund_orders as o left join members as m on m.member_id = o.member_id
    where o.member_id = ${memberId} and o.order_id = ${orderId} and o.payment_method = 'wallet'`.execute(db)
  return rows[0]
}

/** Reads the database's clock. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  return rows[0]!.at
}

/** Returns the tables that the login may write, by itself or in a role that it may take. */
export async function writableTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class as c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and exists (
      select from pg_roles as r where pg_has_role(session_user, r.oid, 'member')
        and has_table_privilege(r.oid, c.oid, 'insert, update, delete, truncate'))
    order by name`.execute(db)
  return rows.map(({ name }) => name)
}
