import type { AuditReason, Micros, PaymentAsset } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { TRANSFER_DEPARTURES } from '../transfers/transfers.relations.ts'
import { WITHDRAWAL_DEPARTURES } from '../withdrawals/withdrawals.relations.ts'

/** A withdrawal or a transfer. */
export type DepartureKind = 'withdrawal' | 'transfer'

/** The recipient of a departure: a wallet in lower case, and for a transfer its member. */
export interface Recipient {
  readonly address: string
  readonly memberId: bigint | null
}

/** USDT worths of what left a member, without what was cancelled or rejected. */
export interface Used {
  readonly todayMicros: Micros
  readonly recentlyMicros: Micros
}

/** Adds up what left a member since the start of a day and after another, earlier time. */
export async function usedSince(
  db: Db,
  memberId: bigint,
  { dayStart, after }: { dayStart: Date; after: Date },
): Promise<Used> {
  const part = (departures: typeof WITHDRAWAL_DEPARTURES) => sql`
    select worth_micros, created_at from ${departures} as part
    where member_id = ${memberId} and not is_undone and created_at > ${after}`
  const { rows } = await sql<Used>`
    select coalesce(sum(worth_micros) filter (where created_at >= ${dayStart}), 0)::bigint as "todayMicros",
      coalesce(sum(worth_micros), 0)::bigint as "recentlyMicros"
    from (${part(WITHDRAWAL_DEPARTURES)} union all ${part(TRANSFER_DEPARTURES)}) as departures`.execute(db)
  return rows[0]!
}

/** Reports whether a member has paid a recipient before: by a withdrawal to the address, or by a transfer to its member. */
export async function hasPaid(db: Db, memberId: bigint, to: Recipient): Promise<boolean> {
  const { rows } = await sql<{ paid: boolean }>`
    select exists (select from ${WITHDRAWAL_DEPARTURES} as w
        where member_id = ${memberId} and to_address = ${to.address} and is_done)
      or exists (select from ${TRANSFER_DEPARTURES} as t
        where member_id = ${memberId} and counterpart_id = ${to.memberId} and is_done) as paid`.execute(db)
  return rows[0]!.paid
}

/** Returns the addresses, in lower case, that a member's withdrawals went to. */
export async function paidAddresses(db: Db, memberId: bigint): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select distinct to_address as address from ${WITHDRAWAL_DEPARTURES} as w
    where member_id = ${memberId} and is_done`.execute(db)
  return rows.map(({ address }) => address)
}

/** Returns the members whose withdrawals went to some addresses, which are in lower case. */
export async function paidFrom(db: Db, addresses: readonly string[]): Promise<bigint[]> {
  const { rows } = await sql<{ memberId: bigint }>`
    select distinct member_id as "memberId" from ${WITHDRAWAL_DEPARTURES} as w
    where to_address = any (${addresses}) and is_done`.execute(db)
  return rows.map(({ memberId }) => memberId)
}

/** Reports whether every withdrawal and transfer of a member waits for an admin. */
export async function isFlagged(db: Db, memberId: bigint): Promise<boolean> {
  const { rows } = await sql`select from risk_flags where member_id = ${memberId}`.execute(db)
  return rows.length > 0
}

/** Flags a member. An existing flag stays as it is. */
export async function insertFlag(
  dbTx: Db,
  flag: { memberId: bigint; reason: string; by: string; at: Date },
): Promise<void> {
  await sql`
    insert into risk_flags (member_id, reason, flagged_by, flagged_at)
    values (${flag.memberId}, ${flag.reason}, ${flag.by}, ${flag.at})
    on conflict (member_id) do nothing`.execute(dbTx)
}

export async function deleteFlag(dbTx: Db, memberId: bigint): Promise<void> {
  await sql`delete from risk_flags where member_id = ${memberId}`.execute(dbTx)
}

/** Stores a signed statement; false when its nonce was used before. */
export async function insertConsent(
  dbTx: Db,
  consent: { memberId: bigint; nonce: string; statement: string; signature: string; at: Date },
): Promise<boolean> {
  const { memberId, nonce, statement, signature, at } = consent
  const { rows } = await sql`
    insert into member_consents (member_id, nonce, statement, signature, used_at)
    values (${memberId}, ${nonce.toLowerCase()}, ${statement}, ${signature}, ${at})
    on conflict (member_id, nonce) do nothing returning nonce`.execute(dbTx)
  return rows.length > 0
}

/** A departure under audit; worths are USDT micro-units. */
export interface HeldRow {
  readonly is: DepartureKind
  readonly id: bigint
  readonly memberId: bigint
  readonly asset: PaymentAsset
  readonly amount: Micros
  readonly fee: Micros
  readonly worth: Micros
  readonly recent: Micros
  /** Null for a transfer, whose receiver is `counterpartId`. */
  readonly to: string | null
  readonly counterpartId: bigint | null
  readonly level: number
  readonly reasons: readonly AuditReason[]
  readonly createdAt: Date
}

/** A place in the queue: time in milliseconds, number, and 0 for withdrawals or 1 for transfers. */
export type QueuePlace = readonly [createdAtMs: bigint, id: bigint, kind: bigint]

/** Returns departures under audit after a place in the queue, oldest first, at most `limit`. */
export async function heldRows(
  db: Db,
  { after, limit }: { after: QueuePlace | undefined; limit: number },
): Promise<HeldRow[]> {
  const from = after === undefined ? null : new Date(Number(after[0]))
  const part = (departures: typeof WITHDRAWAL_DEPARTURES, kind: number) => sql`
    (select kind as "is", id, member_id as "memberId", asset, amount_micros as amount, fee_micros as fee,
      worth_micros as worth, recent_micros as recent, to_address as "to", counterpart_id as "counterpartId", level, reasons,
      created_at as "createdAt", ${sql.lit(kind)} as place
    from ${departures} as part
    where is_held and (${from}::timestamptz is null
      or (date_trunc('milliseconds', created_at), id, ${sql.lit(kind)}::bigint)
        > (${from}, ${after?.[1] ?? 0n}::bigint, ${after?.[2] ?? 0n}::bigint))
    order by date_trunc('milliseconds', created_at), id limit ${limit})`
  const { rows } = await sql<HeldRow>`
    select * from (${part(WITHDRAWAL_DEPARTURES, 0)} union all ${part(TRANSFER_DEPARTURES, 1)}) as held
    order by date_trunc('milliseconds', "createdAt"), id, place limit ${limit}`.execute(db)
  return rows
}

/** Returns departures by sort, member and number, in any state. */
export async function departureRows(
  db: Db,
  is: DepartureKind,
  keys: readonly { memberId: bigint; id: bigint }[],
): Promise<HeldRow[]> {
  if (keys.length === 0) return []
  const departures = is === 'withdrawal' ? WITHDRAWAL_DEPARTURES : TRANSFER_DEPARTURES
  const { rows } = await sql<HeldRow>`
    select kind as "is", part.id, part.member_id as "memberId", asset, amount_micros as amount, fee_micros as fee,
      worth_micros as worth, recent_micros as recent, to_address as "to", counterpart_id as "counterpartId", level, reasons,
      created_at as "createdAt"
    from unnest(${keys.map(({ memberId }) => memberId)}::bigint[], ${keys.map(({ id }) => id)}::bigint[])
      with ordinality as wanted (member_id, id, place)
    join ${departures} as part on part.member_id = wanted.member_id and part.id = wanted.id
    order by wanted.place`.execute(db)
  return rows
}

/** Counts the departures under audit. */
export async function countHeld(db: Db): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select ((select count(*) from ${WITHDRAWAL_DEPARTURES} as w where is_held)
      + (select count(*) from ${TRANSFER_DEPARTURES} as t where is_held))::integer as waiting`.execute(db)
  return rows[0]!.waiting
}

/** Earlier departures by member and kind; `most` in USDT worth, `addresses` those of withdrawals. */
export interface SentBefore {
  readonly is: DepartureKind
  readonly memberId: bigint
  readonly count: number
  readonly most: Micros
  readonly addresses: readonly string[]
}

export async function sentBefore(db: Db, memberIds: readonly bigint[]): Promise<SentBefore[]> {
  const part = (departures: typeof WITHDRAWAL_DEPARTURES) => sql`
    select kind as "is", member_id as "memberId", count(*)::integer as count, max(worth_micros) as most,
      array_remove(array_agg(distinct to_address), null) as addresses
    from ${departures} as part where is_done and member_id = any (${memberIds}) group by kind, member_id`
  const { rows } = await sql<SentBefore>`
    ${part(WITHDRAWAL_DEPARTURES)} union all ${part(TRANSFER_DEPARTURES)}`.execute(db)
  return rows
}

/** The number of payouts of the bank to an address that withdrawals of any member caused. */
export async function payoutsTo(db: Db, addresses: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ address: string; payouts: number }>`
    select to_address as address, count(*)::integer as payouts from ${WITHDRAWAL_DEPARTURES} as w
    where to_address = any (${addresses}) and is_done group by to_address`.execute(db)
  return new Map(rows.map(({ address, payouts }) => [address, payouts]))
}
