import type { AuditReason, Micros, PaymentAsset, WithdrawalStatus } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { MEMBERS } from '../members/members.relations.ts'
import { TRANSFER_DEPARTURES } from './transfers/transfers.relations.ts'
import { WITHDRAWAL_DEPARTURES } from './withdrawals/withdrawals.relations.ts'

/** A withdrawal or a transfer. */
export type DepartureKind = 'withdrawal' | 'transfer'

/** The USDT worth that left a member, without cancelled and rejected departures. */
export interface Used {
  readonly todayMicros: Micros
  readonly recentlyMicros: Micros
}

/** The ways of moves that cannot be taken back at the same worth, without withdrawals and transfers. */
export type OneWayName = 'conversion' | 'fund_purchase' | 'savings_in'

/** The start of a day, and another, earlier time. */
interface Since {
  readonly dayStart: Date
  readonly after: Date
}

/** Returns a query of the departures of members after a time that were not undone. */
const recentOf = (memberIds: RawBuilder<bigint[]>, after: Date) => {
  const part = (departures: typeof WITHDRAWAL_DEPARTURES) => sql`
    select member_id, worth_micros, created_at, is_signed from ${departures} as part
    where part.member_id = any(${memberIds}) and not is_undone and created_at > ${after}`
  return sql`${part(WITHDRAWAL_DEPARTURES)} union all ${part(TRANSFER_DEPARTURES)}`
}

/**
 * Returns a query of (member_id, today, recently) for members with departures: the totals since two times, as
 * texts.
 */
const usedOf = (memberIds: RawBuilder<bigint[]>, { dayStart, after }: Since) => sql`
  select member_id, coalesce(sum(worth_micros) filter (where created_at >= ${dayStart}), 0)::text as today,
    sum(worth_micros)::text as recently
  from (${recentOf(memberIds, after)}) as departures
  group by member_id`

/**
 * Returns a query of (member_id, value): the total that left members, or that they converted, after a time
 * without a signature, as text.
 */
export const unsignedOf = (after: Date) => (memberIds: RawBuilder<bigint[]>) =>
  sql`
  select member_id, sum(worth_micros)::text as value
  from (
    select member_id, worth_micros from (${recentOf(memberIds, after)}) as departures where not is_signed
    union all select member_id, worth_micros from unsigned_moves
      where member_id = any(${memberIds}) and moved_at > ${after}
  ) as unsigned
  group by member_id`

/** Counts a move without a signature. */
export async function insertUnsignedMove(
  dbTx: Db,
  move: {
    readonly memberId: bigint
    readonly way: OneWayName
    /** The number of the conversion, purchase or transfer. */
    readonly id: bigint
    readonly worthMicros: Micros
    readonly at: Date
  },
): Promise<void> {
  await dbTx
    .insertInto('unsigned_moves')
    .values({
      member_id: move.memberId,
      way: move.way,
      move_id: move.id,
      worth_micros: move.worthMicros,
      moved_at: move.at,
    })
    .execute()
}

/** Sums the departures of a member since the start of a day and after another, earlier time. */
export async function usedSince(db: Db, memberId: bigint, since: Since): Promise<Used> {
  const { rows } = await sql<{ today: string; recently: string }>`
    select today, recently from (${usedOf(sql`${[memberId]}::bigint[]`, since)}) as used`.execute(db)
  return { todayMicros: BigInt(rows[0]?.today ?? 0), recentlyMicros: BigInt(rows[0]?.recently ?? 0) }
}

/** The history of a member that a departure is judged by. Times are milliseconds since 1970. */
export interface Past {
  readonly savedAtMs: number | null
  readonly onSinceMs: number | null
  readonly offFromMs: number | null
  readonly today: string
  readonly recently: string
  readonly unsigned: string
  /** Of the transfers within 24 hours: the worth that went to members who were not trusted before them. */
  readonly toNew: string
  /** True if the member has paid the recipient before, by a withdrawal to the address or by a transfer to its member. */
  readonly paid: boolean
  /** The same, of a transfer only payments that are 24 hours old or were reviewed. */
  readonly trusted: boolean
  readonly flagged: boolean
}

/** The receiver of a departure: an address in lower case, and its member if the caller has it. */
interface Recipient {
  readonly address: string
  readonly receiverId?: bigint | undefined
}

/**
 * Returns the rows that a departure to an address is judged by. Only transfers count transfers to the
 * address's member.
 */
export const pastOf =
  (kind: DepartureKind, { address, receiverId }: Recipient, since: Since) =>
  (memberIds: RawBuilder<bigint[]>): RawBuilder<unknown> =>
    sql`
    select asked.member_id, jsonb_build_object(
      'savedAtMs', book.saved_at, 'onSinceMs', switched.on_since, 'offFromMs', switched.off_from,
      'today', coalesce(used.today, '0'), 'recently', coalesce(used.recently, '0'),
      'unsigned', coalesce(unsigned.value, '0'), 'toNew', coalesce(new.worth, '0'),
      'paid', paid.member_id is not null, 'trusted', coalesce(paid.is_trusted, false),
      'flagged', flags.member_id is not null) as value
    from unnest(${memberIds}) as asked (member_id)
    left join (select member_id, ${millis('saved_at')} as saved_at from address_book
      where member_id = any(${memberIds}) and address = ${address}) as book using (member_id)
    left join (select member_id, ${millis('on_since')} as on_since, ${millis('off_from')} as off_from from saved_only_switches
      where member_id = any(${memberIds})) as switched using (member_id)
    left join (${usedOf(memberIds, since)}) as used using (member_id)
    left join (${unsignedOf(since.after)(memberIds)}) as unsigned using (member_id)
    left join (${paidTo(kind, { address, receiverId }, memberIds, since.after)}) as paid using (member_id)
    left join (${kind === 'transfer' ? toNewOf(memberIds, since.after) : NOTHING_NEW}) as new using (member_id)
    left join (select member_id from risk_flags where member_id = any(${memberIds})) as flags using (member_id)`

/**
 * Returns a query of the members among the given ones who have paid an address, or by transfer its member,
 * and whether a payment makes it trusted.
 */
const paidTo = (
  kind: DepartureKind,
  { address, receiverId }: Recipient,
  memberIds: RawBuilder<bigint[]>,
  after: Date,
) => {
  const withdrawn = sql`select distinct member_id, true as is_trusted from ${WITHDRAWAL_DEPARTURES} as w
    where member_id = any(${memberIds}) and to_address = ${address} and is_done`
  if (kind === 'withdrawal') return withdrawn
  return sql`
    select member_id, bool_or(is_trusted) as is_trusted from (
      ${withdrawn} union all select member_id, ${isTrusted(after)} from ${TRANSFER_DEPARTURES} as t
        where member_id = any(${memberIds}) and is_done and counterpart_id = ${receiverId ?? null}::bigint
    ) as payments group by member_id`
}

/** A payment by which its receiver is trusted: as old as the policy's window, or reviewed. */
const isTrusted = (after: Date) => sql`(created_at <= ${after} or reviewed_by is not null)`

const NOTHING_NEW = sql`select null::bigint as member_id, null::text as worth where false`

/** Returns a query of (member_id, worth): the transfers after a time to members not trusted by then, as text. */
const toNewOf = (memberIds: RawBuilder<bigint[]>, after: Date) => sql`
  select t.member_id, sum(t.worth_micros)::text as worth from ${TRANSFER_DEPARTURES} as t
  left join ${TRANSFER_DEPARTURES} as earlier
    on earlier.member_id = t.member_id and earlier.counterpart_id = t.counterpart_id and earlier.is_done
      and (earlier.created_at <= ${after} or earlier.reviewed_by is not null)
  where t.member_id = any(${memberIds}) and not t.is_undone and t.created_at > ${after}
    and earlier.member_id is null
  group by t.member_id`

const millis = (column: string) => sql`round(1000 * extract(epoch from ${sql.ref(column)}))::bigint`

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

/** Reports whether every withdrawal and transfer of a member needs review by an admin. */
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

/** Returns the rows of a nonce that a member has used. */
export const usedNonce = (memberId: bigint, nonce: string) => (): RawBuilder<unknown> =>
  sql`
  select null::bigint as member_id, true as value from member_consents
  where member_id = ${memberId} and nonce = ${nonce.toLowerCase()}`

/** Stores a signed statement. Returns false if its nonce was used before. */
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

/** A departure; worths are USDT micro-units. */
export interface DepartureRow {
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
  readonly status: WithdrawalStatus
  readonly endedAt: Date | null
  readonly expiresAt: Date | null
  readonly txHash: string | null
  readonly reviewedBy: string | null
  readonly reviewReason: string | null
}

const COLUMNS = sql`kind as "is", part.id, part.member_id as "memberId", asset, amount_micros as amount, fee_micros as fee,
  worth_micros as worth, recent_micros as recent, to_address as "to", counterpart_id as "counterpartId", level, reasons,
  created_at as "createdAt", status, ended_at as "endedAt", expires_at as "expiresAt", tx_hash as "txHash",
  reviewed_by as "reviewedBy", review_reason as "reviewReason"`

/** The filters of a list of departures; absent ones do not apply. */
export interface DepartureFilter {
  readonly statuses: readonly WithdrawalStatus[]
  readonly is?: DepartureKind | undefined
  readonly asset?: PaymentAsset | undefined
  /** The first moment of the request. */
  readonly from?: Date | undefined
  /** The moment before which the request was made. */
  readonly before?: Date | undefined
  /** The first moment of the end; open departures are left out. */
  readonly endedFrom?: Date | undefined
  /** The smallest USDT worth. */
  readonly least?: Micros | undefined
  /** The number of the departure or of its member. */
  readonly number?: bigint | undefined
  /** The start of an address of the member or the receiver, in lower case. */
  readonly addressStart?: string | undefined
}

export type DepartureOrder = 'oldest' | 'newest' | 'largest' | 'ended'

/** The column of each order. */
const KEYS: Readonly<Record<DepartureOrder, string>> = {
  oldest: 'created_at',
  newest: 'created_at',
  largest: 'worth_micros',
  ended: 'ended_at',
}

/**
 * A position in a list: the time of the request or of the end in microseconds or the worth, the number, and 0
 * for withdrawals or 1 for transfers.
 */
export type DeparturePlace = readonly [key: bigint, id: bigint, kind: bigint]

interface PageOf {
  readonly filter: DepartureFilter
  readonly order: DepartureOrder
  readonly after: DeparturePlace | undefined
  readonly limit: number
}

/** Returns departures after a list position, each with its own position, at most `limit`. */
export async function departuresPage(
  db: Db,
  { filter, order, after, limit }: PageOf,
): Promise<(DepartureRow & { readonly place: DeparturePlace })[]> {
  const key = sql.ref(KEYS[order])
  const direction = sql.raw(order === 'oldest' ? 'asc' : 'desc')
  const beyond = sql.raw(order === 'oldest' ? '>' : '<')
  const keyOf = ([value]: DeparturePlace) =>
    order === 'largest'
      ? sql`${value}::bigint`
      : sql`'epoch'::timestamptz + ${value}::bigint * interval '1 microsecond'`
  const named = await membersNamed(db, filter.addressStart)
  const part = (departures: typeof WITHDRAWAL_DEPARTURES, kind: number) => {
    const wanted = conditionsOf(filter)
    if (after !== undefined) {
      const from = sql`(${keyOf(after)}, ${after[1]}::bigint, ${after[2]}::bigint)`
      wanted.push(sql`(${key}, part.id, ${sql.lit(kind)}::bigint) ${beyond} ${from}`)
    }
    const start = filter.addressStart
    const source = start === undefined ? departures : namedIn(departures, start, named)
    return sql`(select ${COLUMNS}, ${key} as key, ${sql.lit(kind)}::bigint as sort
      from ${source} as part where ${sql.join(wanted, sql` and `)}
      order by ${key} ${direction}, part.id ${direction} limit ${limit})`
  }
  const parts = [
    ...(filter.is === 'transfer' ? [] : [part(WITHDRAWAL_DEPARTURES, 0)]),
    ...(filter.is === 'withdrawal' ? [] : [part(TRANSFER_DEPARTURES, 1)]),
  ]
  const number = order === 'largest' ? sql`key` : sql`(extract(epoch from key) * 1000000)::bigint`
  const { rows } = await sql<DepartureRow & { number: bigint; sort: bigint }>`
    select *, ${number} as number from (${sql.join(parts, sql` union all `)}) as departures
    order by key ${direction}, id ${direction}, sort ${direction} limit ${limit}`.execute(db)
  return rows.map(({ number: value, sort, ...row }) => ({ ...row, place: [value, row.id, sort] }))
}

function conditionsOf(filter: DepartureFilter) {
  const [only] = filter.statuses
  const wanted = [
    filter.statuses.length === 1 ? sql`status = ${only}` : sql`status = any (${filter.statuses})`,
  ]
  if (filter.asset !== undefined) wanted.push(sql`asset = ${filter.asset}`)
  if (filter.from !== undefined) wanted.push(sql`created_at >= ${filter.from}`)
  if (filter.before !== undefined) wanted.push(sql`created_at < ${filter.before}`)
  if (filter.endedFrom !== undefined) wanted.push(sql`ended_at >= ${filter.endedFrom}`)
  if (filter.least !== undefined) wanted.push(sql`worth_micros >= ${filter.least}`)
  if (filter.number !== undefined)
    wanted.push(sql`(part.id = ${filter.number} or part.member_id = ${filter.number})`)
  return wanted
}

/** So many addresses share a prefix this short that a scan in list order quickly fills a page. */
const COMMON_START = '0x12'.length
/** Sorts after every character of an address. */
const LAST = '~'

/** Returns the members whose addresses have a prefix; undefined if there is none, or they may be many. */
async function membersNamed(db: Db, start: string | undefined): Promise<bigint[] | undefined> {
  if (start === undefined || start.length <= COMMON_START) return undefined
  const { rows } = await sql<{ memberId: bigint }>`
    select m.member_id as "memberId" from ${MEMBERS} as m where ${beginningWith(start)('m.address')}`.execute(
    db,
  )
  return rows.map(({ memberId }) => memberId)
}

/**
 * Returns the departures among the given ones from or to an address with this prefix. The planner cannot
 * estimate how rare a prefix is, so the query fixes the plan: a rare prefix by the indexes of addresses and the
 * numbers of the members.
 */
function namedIn(
  departures: typeof WITHDRAWAL_DEPARTURES,
  start: string,
  memberIds: readonly bigint[] | undefined,
) {
  const begins = beginningWith(start)
  if (memberIds === undefined) {
    const members = sql`(select m.member_id from ${MEMBERS} as m where ${begins('m.address')})`
    return sql`(select * from ${departures} as d where ${begins('d.to_address')} or d.member_id in ${members}
      or d.counterpart_id in ${members})`
  }
  return sql`(
    select * from ${departures} as d where ${begins('d.to_address')}
    union select * from ${departures} as d where d.member_id = any (${memberIds}::bigint[])
    union select * from ${departures} as d where d.counterpart_id = any (${memberIds}::bigint[]))`
}

const beginningWith = (start: string) => (column: string) =>
  sql`(${sql.ref(column)} ~>=~ ${start}::text and ${sql.ref(column)} ~<~ ${start + LAST}::text)`

/** Returns the number and the worth of withdrawals that their members have not claimed yet. */
export async function readySum(db: Db): Promise<{ count: number; worthMicros: Micros }> {
  const { rows } = await sql<{ count: number; worthMicros: Micros }>`
    select count(*)::integer as count, coalesce(sum(worth_micros), 0)::bigint as "worthMicros"
    from ${WITHDRAWAL_DEPARTURES} as w where status = 'Withdrawable'`.execute(db)
  return rows[0]!
}

/** Returns departures by kind, member and number, in any state. */
export async function departureRows(
  db: Db,
  is: DepartureKind,
  keys: readonly { memberId: bigint; id: bigint }[],
): Promise<DepartureRow[]> {
  if (keys.length === 0) return []
  const departures = is === 'withdrawal' ? WITHDRAWAL_DEPARTURES : TRANSFER_DEPARTURES
  const { rows } = await sql<DepartureRow>`
    select ${COLUMNS}
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

/** The earlier departures by member and kind; `most` in USDT worth, `addresses` only of withdrawals. */
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

/** Returns the number of payouts of the bank to an address that withdrawals of any member caused. */
export async function payoutsTo(db: Db, addresses: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ address: string; payouts: number }>`
    select to_address as address, count(*)::integer as payouts from ${WITHDRAWAL_DEPARTURES} as w
    where to_address = any (${addresses}) and is_done group by to_address`.execute(db)
  return new Map(rows.map(({ address, payouts }) => [address, payouts]))
}
