import type { Day } from '@rif/rules'
import type { Report } from '@rif/solvency'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inSnapshot } from '../db/database.ts'

/** A withdrawal with the data that decides on its claim, from one snapshot. */
export interface StoredWithdrawal {
  /** The bank that the voucher is for, in lower case. */
  readonly bank: string | null
  /** True if that bank has handed over to its successor. */
  readonly isBankClosed: boolean
  readonly asset: string
  readonly amountMicros: bigint
  readonly feeMicros: bigint
  /** The free refunds that the withdrawal uses, as far as the ledger holds their releases and no more is used of each. */
  readonly refundMicros: bigint
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
  /**
   * USDT micro-units per whole AMC: the highest price at the request and within the last 24 hours; null when none was
   * published.
   */
  readonly amcPriceMicros: bigint | null
  /** The prices of AMC within the minute before the request: a newer one may have been committed after it. */
  readonly requestPricesMicros: readonly bigint[]
  /** The plan in force on the day of the request, as JSON; null without one. */
  readonly plan: unknown
  /** The time of the request by its row and by the ledger; null without a posting. */
  readonly createdAt: Date
  readonly requestedAt: Date | null
  /** The statement that the member signed. */
  readonly consent: { readonly nonce: string; readonly statement: string; readonly signature: string } | null
  /** The stored approvals of proposals that name this withdrawal, newest first. */
  readonly approvals: readonly StoredApproval[]
  readonly memberState: string | null
  /** The amount that the ledger holds for this withdrawal: requested, and neither returned nor paid; null without such a posting. */
  readonly heldMicros: bigint | null
  readonly heldAsset: string | null
  readonly isClosed: boolean
  /** True while the guard blocks money. */
  readonly isGuarded: boolean
  readonly databaseAt: Date
}

/** An approval with everything that its signature covers. Addresses are in lower case. */
export interface StoredApproval {
  readonly proposalId: string
  /** The text whose digest is signed. */
  readonly content: string
  readonly preparedBy: string
  readonly address: string
  readonly reason: string
  readonly nonce: string
  readonly deadlineAt: Date
  readonly signature: string
}

/** The largest number of approvals of one withdrawal that are read. */
const MAX_APPROVALS = 20

/** Of the claims after a time, this many are compared with the log. */
const MAX_CLAIMED = 10_000

/** An order with the data that decides on its quote, from one snapshot. */
export interface StoredOrder {
  /** The bank that the order is quoted for, in lower case. */
  readonly bank: string | null
  /** True if that bank has handed over to its successor. */
  readonly isBankClosed: boolean
  readonly payer: string
  readonly memberAddress: string | null
  readonly memberState: string | null
  readonly usdtMicros: bigint
  readonly amcMicros: bigint
  /**
   * The cost of the order less a discount, in USDT micro-units, and the price from which its AMC were
   * computed.
   */
  readonly dueMicros: bigint
  readonly amcPriceMicros: bigint
  /** The package by its two columns, and the plan in force as JSON; 0, 0 and null for a fund purchase, which is not counted. */
  readonly packageId: number
  readonly level: number
  readonly plan: unknown
  /** True if the order says that its quote is signed, so that a cancellation does not release what is held for it. */
  readonly isNoted: boolean
  readonly status: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly isPaused: boolean
  /** True while the guard blocks money. */
  readonly isGuarded: boolean
  readonly databaseAt: Date
}

const guarded = sql<boolean>`exists (select 1 from guard_causes)`

/** The banks that have handed over. */
const CLOSED_BANKS = sql`select address from banks where handed_over_block is not null`

/** Reads a withdrawal with its signatures, from one snapshot; undefined when there is none. */
export function readWithdrawal(
  db: Db,
  chainId: number,
  ids: { memberId: bigint; withdrawalId: bigint; at: Date },
): Promise<StoredWithdrawal | undefined> {
  return inSnapshot(db, async (snapshot) => {
    const row = await readRow(snapshot, chainId, ids)
    return row && { ...row, approvals: await readApprovals(snapshot, ids) }
  })
}

async function readRow(
  snapshot: Db,
  chainId: number,
  { memberId, withdrawalId, at }: { memberId: bigint; withdrawalId: bigint; at: Date },
): Promise<Omit<StoredWithdrawal, 'approvals'> | undefined> {
  const isRequested = sql`w.member_id = ${memberId} and w.withdrawal_id = ${withdrawalId}`
  // The member's rows are read first and separately, because on a cluster they are on another machine than
  // the rest.
  const { rows } = await sql<Omit<StoredWithdrawal, 'approvals'>>`
    with w as materialized (
      select w.*, c.nonce, c.statement, c.signature, held.amount as held_micros, held.asset as held_asset, held.posted_at,
        exists (
          select from withdrawals as e
          join ledger_transactions as t on t.member_id = e.member_id and t.kind in ('withdrawal_paid', 'claim_set_aside')
            and t.idempotency_key = 'withdrawal/' || e.withdrawal_id::text || '/close'
          where e.member_id = w.member_id and e.to_address = w.to_address and e.status = 'Success'
        ) as is_known_address,
        ${isClosed(sql`w`)} as is_closed, ${refundOf(sql`w`)} as refunded_micros
      from withdrawals as w
      left join member_consents as c on c.member_id = w.member_id and c.nonce = w.consent_nonce
      left join lateral (${requestOf(sql`w`)}) as held on true
      where ${isRequested}
    )
    select w.bank, exists (${CLOSED_BANKS} and address = w.bank) as "isBankClosed", w.asset, w.amount_micros as "amountMicros", w.fee_micros as "feeMicros", w.refunded_micros as "refundMicros", w.to_address as "toAddress",
      w.status, w.claim_expires_at as "claimExpiresAt", w.seen_block as "seenBlock", w.booked_block as "bookedBlock",
      (select l1_final_number from chain_cursors where chain_id = ${chainId}) as "l1FinalNumber",
      w.reasons, m.address as "memberAddress", w.created_at as "createdAt", w.posted_at as "requestedAt",
      w.is_known_address as "isKnownAddress",
      ${highestPrice(sql`w.created_at`, at)} as "amcPriceMicros",
      ${pricesOfRequest(sql`w.created_at`)} as "requestPricesMicros",
      (select plan from plans where effective_day <= (w.created_at at time zone 'UTC')::date
        order by effective_day desc limit 1) as plan,
      case when w.nonce is not null then
        jsonb_build_object('nonce', w.nonce, 'statement', w.statement, 'signature', w.signature) end as consent,
      m.state as "memberState", w.held_micros as "heldMicros", w.held_asset as "heldAsset", w.is_closed as "isClosed", ${guarded} as "isGuarded",
      clock_timestamp() as "databaseAt"
    from w left join members as m on m.member_id = w.member_id`.execute(snapshot)
  return rows[0]
}

/** Returns the highest price of AMC at a request and within the last 24 hours; null when none was published. */
const highestPrice = (requestedAt: RawBuilder<unknown>, at: Date) => sql`(
  select max(p.price_micros) from prices as p where p.asset = 'AMC' and p.valid_from <= ${at} and (
    p.valid_from > ${at}::timestamptz - interval '24 hours'
    or p.price_id in (${priceAt(requestedAt)}, ${priceAt(sql`${at}::timestamptz - interval '24 hours'`)})))`

/** Returns the id of the price of AMC at a time. */
const priceAt = (at: RawBuilder<unknown>) => sql`(
  select price_id from prices where asset = 'AMC' and valid_from <= ${at}
  order by valid_from desc, price_id desc limit 1)`

/** Returns the prices of AMC in force at a request, and at any time within the minute before it. */
const pricesOfRequest = (requestedAt: RawBuilder<unknown>) => sql`array(
  select p.price_micros from prices as p where p.asset = 'AMC' and p.valid_from <= ${requestedAt} and (
    p.valid_from > ${requestedAt} - interval '1 minute'
    or p.price_id = ${priceAt(sql`${requestedAt} - interval '1 minute'`)}))`

/** Returns what a withdrawal uses of the free refunds whose release the ledger holds and that are not used beyond it. */
const refundOf = (row: RawBuilder<unknown>) => sql`(
  select coalesce(sum(u.amount_micros), 0)::bigint from refund_uses as u
  join refund_allowances as a on a.member_id = u.member_id and a.allowance_id = u.allowance_id
  where u.member_id = ${row}.member_id and u.withdrawal_id = ${row}.withdrawal_id and a.asset = ${row}.asset
    and a.amount_micros >= (select sum(o.amount_micros) from refund_uses as o
      where o.member_id = a.member_id and o.allowance_id = a.allowance_id)
    and a.amount_micros = (select sum(p.amount) from ledger_transactions as t
      join ledger_postings as p on p.member_id = t.member_id and p.seq = t.seq
      where t.member_id = a.member_id and t.idempotency_key = 'suspense/' || a.tx_hash || '/' || a.log_index
        and t.kind = 'suspense_release' and p.asset = a.asset and p.destination = 'available'))`

/** Returns the posting that holds the amount of a withdrawal. */
const requestOf = (row: RawBuilder<unknown>) => sql`
  select p.amount, p.asset, t.posted_at from ledger_transactions as t
  join ledger_postings as p on p.member_id = t.member_id and p.seq = t.seq
  where t.member_id = ${row}.member_id and t.idempotency_key = 'withdrawal/' || ${row}.withdrawal_id || '/request'
    and p.source = 'available' and p.destination = 'withdrawing'`

/**
 * Reports whether the ledger has paid or returned the amount of a withdrawal and has not reversed it. A step that
 * follows a reversed one has a key with a number.
 */
const isClosed = (row: RawBuilder<unknown>) => sql<boolean>`exists (
  select from ledger_transactions as t where t.member_id = ${row}.member_id
    and t.idempotency_key >= 'withdrawal/' || ${row}.withdrawal_id || '/close'
    and t.idempotency_key < 'withdrawal/' || ${row}.withdrawal_id || '/close0'
    and not exists (
      select from ledger_transactions as u where u.member_id = t.member_id and u.reverses_seq = t.seq))`

async function readApprovals(
  snapshot: Db,
  { memberId, withdrawalId }: { memberId: bigint; withdrawalId: bigint },
): Promise<StoredApproval[]> {
  const named = JSON.stringify([{ member_id: `${memberId}`, withdraw_id: `${withdrawalId}` }])
  const { rows } = await sql<StoredApproval>`
    select p.proposal_id::text as "proposalId", p.content, p.prepared_by as "preparedBy", a.address, a.reason, a.nonce,
      a.deadline as "deadlineAt", a.signature
    from proposals as p join proposal_approvals as a using (proposal_id)
    where p.kind = 'withdrawals' and (p.content::jsonb) #> '{payload,withdrawals}' @> ${named}::jsonb
      and a.nonce is not null and a.deadline is not null
    order by a.approved_at desc limit ${MAX_APPROVALS}`.execute(snapshot)
  return rows
}

const paused = sql<boolean>`exists (select 1 from pauses where area = 'orders')`

/** The order to read, and the signer's day, whose plan is in force. */
interface OrderKey {
  readonly memberId: bigint
  readonly orderId: bigint
  readonly day: Day
}

/** Reads an order of the shop, with the quote that the member chose; undefined when there is none. */
export async function readShopOrder(
  db: Db,
  { memberId, orderId, day }: OrderKey,
): Promise<StoredOrder | undefined> {
  const { rows } = await sql<StoredOrder>`
    select o.bank, b.address is not null as "isBankClosed", o.payer, m.address as "memberAddress", m.state as "memberState",
      case when o.use_hash_rate then o.discounted_usdt_micros else o.full_usdt_micros end as "usdtMicros",
      case when o.use_hash_rate then o.discounted_amc_micros else o.full_amc_micros end as "amcMicros",
      o.price_micros - case when o.use_hash_rate then o.discount_micros else 0 end as "dueMicros",
      o.amc_price_micros as "amcPriceMicros", o.package_id as "packageId", o.level,
      (select plan from plans where effective_day <= ${day}::date order by effective_day desc limit 1) as plan,
      o.quoted_at is not null as "isNoted", o.status, o.created_at as "createdAt", o.expires_at as "expiresAt",
      ${paused} as "isPaused", ${guarded} as "isGuarded", clock_timestamp() as "databaseAt"
    from orders as o left join members as m on m.member_id = o.member_id and m.member_id = ${memberId}
    left join (${CLOSED_BANKS}) as b on b.address = o.bank
    where o.member_id = ${memberId} and o.order_id = ${orderId}`.execute(db)
  return rows[0]
}

/** Reads a fund order that is paid on chain; undefined when there is none. */
export async function readFundOrder(
  db: Db,
  { memberId, orderId }: OrderKey,
): Promise<StoredOrder | undefined> {
  const { rows } = await sql<StoredOrder>`
    select o.bank, b.address is not null as "isBankClosed", o.payer, m.address as "memberAddress", m.state as "memberState",
      o.units * o.nav_micros + o.fee_micros as "usdtMicros", 0::bigint as "amcMicros",
      o.units * o.nav_micros + o.units * o.nav_micros * o.fee_ppm / 1000000 as "dueMicros",
      1::bigint as "amcPriceMicros", 0 as "packageId", 0 as level, null::jsonb as plan, true as "isNoted", o.status, o.created_at as "createdAt", o.expires_at as "expiresAt",
      ${paused} as "isPaused", ${guarded} as "isGuarded", clock_timestamp() as "databaseAt"
    from fund_orders as o left join members as m on m.member_id = o.member_id and m.member_id = ${memberId}
    left join (${CLOSED_BANKS}) as b on b.address = o.bank
    where o.member_id = ${memberId} and o.order_id = ${orderId} and o.payment_method = 'wallet'`.execute(db)
  return rows[0]
}

/** A stored solvency report, with its stored root. */
export interface StoredReport {
  readonly bank: string
  readonly chainId: bigint
  readonly root: string
  readonly report: Report
  readonly databaseAt: Date
}

/** Reads the report of a day; undefined when there is none. */
export async function readReport(db: Db, day: Day): Promise<StoredReport | undefined> {
  const row = await db
    .selectFrom('solvency_days')
    .selectAll()
    .select(sql<Date>`clock_timestamp()`.as('database_at'))
    .where('day', '=', day)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const hex = (bytes: Buffer) => `0x${bytes.toString('hex')}`
  return {
    bank: row.bank,
    chainId: row.chain_id,
    root: hex(row.root),
    databaseAt: row.database_at,
    report: {
      tree: hex(row.tree),
      leaves: row.leaves,
      members: { usdt: row.members_usdt, amc: row.members_amc, fund: row.members_fund },
      other: { usdt: row.other_usdt, amc: row.other_amc },
      fundCash: row.fund_cash,
      fundInvested: row.fund_invested,
      ledgerHead: hex(row.ledger_head),
      operatorsHead: hex(row.operators_head),
    },
  }
}

/**
 * Returns the withdrawals that were claimed after a time and a block; without a time, those for which a voucher was
 * ever asked.
 */
export async function claimedAfter(
  db: Db,
  { time, block }: { time: Date | null; block: bigint },
): Promise<{ memberId: bigint; withdrawalId: bigint }[]> {
  const isSearched =
    time === null ? sql`claim_expires_at is not null` : sql`claimed_at > ${time} and seen_block > ${block}`
  const { rows } = await sql<{ memberId: bigint; withdrawalId: bigint }>`
    select member_id as "memberId", withdrawal_id as "withdrawalId" from withdrawals
    where ${isSearched} order by claimed_at desc limit ${MAX_CLAIMED}`.execute(db)
  return rows
}

/** Reads the database's clock. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  return rows[0]!.at
}

/** Returns the tables that the login may write, directly or in a role that it may assume. */
export async function writableTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class as c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and exists (
      select from pg_roles as r where pg_has_role(session_user, r.oid, 'member')
        and has_table_privilege(r.oid, c.oid, 'insert, update, delete, truncate'))
    order by name`.execute(db)
  return rows.map(({ name }) => name)
}
