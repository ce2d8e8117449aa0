import type { SearchFind } from '@rif/api-schema'
import type { Day, Side } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { DIRECTLY_BELOW } from '../../members/placement/placement.relations.ts'

/** A search hit; member 0 stands for none. */
export interface FoundMember {
  readonly kind: SearchFind
  readonly id: bigint | null
  readonly memberId: bigint
}

/** Sorts after every character of a wallet or code. */
const LAST = '~'

/** Returns a condition that the index supports; generic plans cannot use it for LIKE. */
function beginsWith(column: RawBuilder<unknown>, head: string): RawBuilder<boolean> {
  return sql<boolean>`(${column} ~>=~ ${head} and ${column} ~<~ ${head + LAST})`
}

const find = async (db: Db, parts: readonly RawBuilder<unknown>[], limit: number): Promise<FoundMember[]> => {
  // Each part has its own limit, so that none is read completely.
  const limited = parts.map((part) => sql`(${part} limit ${limit})`)
  const { rows } = await sql<FoundMember>`${sql.join(limited, sql` union all `)}`.execute(db)
  return rows
}

/** Finds the wallet's member, and others who have withdrawn to it. */
export async function membersByAddress(db: Db, address: string, limit: number): Promise<FoundMember[]> {
  const owner = await find(
    db,
    [
      sql`select 'member' as kind, null::bigint as id, member_id as "memberId" from members where address = ${address}`,
    ],
    1,
  )
  const others = await find(
    db,
    [
      sql`select 'withdrawal_address' as kind, withdrawal_id as id, member_id as "memberId" from withdrawals
        where to_address = ${address} and member_id <> ${owner[0]?.memberId ?? 0n}`,
    ],
    limit,
  )
  return [...owner, ...others]
}

/** Finds members by the prefix and suffix of their wallets. */
export function byAddressStart(db: Db, head: string, tail: string, limit: number): Promise<FoundMember[]> {
  return find(
    db,
    [
      sql`select 'member' as kind, null::bigint as id, member_id as "memberId" from members
        where ${beginsWith(sql`address`, head)} and right(address, length(${tail}::text)) = ${tail}`,
    ],
    limit,
  )
}

/** Finds members by the prefix of their invitation codes. */
export function byCode(db: Db, code: string, limit: number): Promise<FoundMember[]> {
  return find(
    db,
    [
      sql`select 'member' as kind, null::bigint as id, member_id as "memberId" from members
        where ${beginsWith(sql`invite_code`, code)}`,
    ],
    limit,
  )
}

/** Finds all records with this number. */
export function byNumber(db: Db, number: bigint, code: string | null, limit: number): Promise<FoundMember[]> {
  return find(
    db,
    [
      sql`select 'member' as kind, null::bigint as id, member_id as "memberId" from members
        where member_id = ${number}`,
      sql`select 'order', order_id, member_id from orders where order_id = ${number}`,
      sql`select 'fund_order', order_id, member_id from fund_orders where order_id = ${number}`,
      sql`select 'withdrawal', withdrawal_id, member_id from withdrawals where withdrawal_id = ${number}`,
      ...(code === null
        ? []
        : [sql`select 'member', null::bigint, member_id from members where invite_code = ${code}`]),
    ],
    limit,
  )
}

/** Finds an order or withdrawal by the parts of its on-chain id. */
export function byChainId(
  db: Db,
  { memberId, id, isFund }: { memberId: bigint; id: bigint; isFund: boolean },
): Promise<FoundMember[]> {
  const fund = sql`select 'fund_order' as kind, order_id as id, member_id as "memberId" from fund_orders
    where member_id = ${memberId} and order_id = ${id}`
  const shop = [
    sql`select 'order' as kind, order_id as id, member_id as "memberId" from orders
      where member_id = ${memberId} and order_id = ${id}`,
    sql`select 'withdrawal', withdrawal_id, member_id from withdrawals
      where member_id = ${memberId} and withdrawal_id = ${id}`,
  ]
  return find(db, isFund ? [fund] : shop, 2)
}

/** Finds all records that a transaction paid, claimed or sent. */
export function byHash(db: Db, hash: string, limit: number): Promise<FoundMember[]> {
  return find(
    db,
    [
      sql`select 'order' as kind, order_id as id, member_id as "memberId" from orders where tx_hash = ${hash}`,
      sql`select 'fund_order', order_id, member_id from fund_orders where tx_hash = ${hash}`,
      sql`select 'withdrawal', withdrawal_id, member_id from withdrawals where tx_hash = ${hash}`,
      sql`select 'payment', null::bigint, member_id from unmatched_payments where tx_hash = ${hash}`,
      sql`select 'claim', null::bigint, member_id from unmatched_claims where tx_hash = ${hash}`,
      sql`select 'wallet_transaction', null::bigint, member_id from sent_transactions where tx_hash = ${hash}`,
      sql`select 'wallet_transaction', null::bigint, member_id from wallet_sends where tx_hash = ${hash}`,
    ],
    limit,
  )
}

/** A nearby member in the tree. */
export interface Relative {
  readonly memberId: bigint
  readonly address: string
}

/** Returns the neighbours of a member in the tree. */
export interface FoundPlace {
  readonly sponsor: Relative | null
  readonly parent: (Relative & { readonly side: Side }) | null
  readonly left: Relative | null
  readonly right: Relative | null
}

export async function placeOfMember(db: Db, memberId: bigint): Promise<FoundPlace> {
  type Row = Relative & { relation: 'sponsor' | 'parent' | 'left' | 'right'; side: Side | null }
  const { rows } = await sql<Row>`
    select 'sponsor' as relation, s.member_id as "memberId", s.address, null as side
      from members as m join members as s on s.member_id = m.sponsor_id where m.member_id = ${memberId}
    union all
    select 'parent', a.member_id, a.address, p.side
      from placements as p join members as a on a.member_id = p.parent_id where p.member_id = ${memberId}
    union all
    select below.side, m.member_id, m.address, null
      from placements as above ${DIRECTLY_BELOW} join members as m on m.member_id = below.member_id
      where above.member_id = ${memberId}`.execute(db)
  const of = (relation: Row['relation']): Relative | null => {
    const row = rows.find((candidate) => candidate.relation === relation)
    return row === undefined ? null : { memberId: row.memberId, address: row.address }
  }
  const parent = of('parent')
  const side = rows.find(({ relation }) => relation === 'parent')?.side
  return {
    sponsor: of('sponsor'),
    parent: parent === null || side == null ? null : { ...parent, side },
    left: of('left'),
    right: of('right'),
  }
}

/** Facts about a member that only admins see. */
export interface Extras {
  readonly riskReason: string | null
  readonly flaggedBy: string | null
  readonly flaggedAt: Date | null
  readonly notes: number
  readonly openSessions: number
}

export async function extrasOf(db: Db, memberId: bigint, at: Date): Promise<Extras> {
  const { rows } = await sql<Extras>`
    select flag.reason as "riskReason", flag.flagged_by as "flaggedBy", flag.flagged_at as "flaggedAt",
      (select count(*)::integer from member_notes where member_id = ${memberId}) as notes,
      (select count(*)::integer from sessions
        where member_id = ${memberId} and revoked_at is null and expires_at > ${at}) as "openSessions"
    from (select 1) as one left join risk_flags as flag on flag.member_id = ${memberId}`.execute(db)
  return rows[0]!
}

export interface RewardTotal {
  readonly type: 'Interest' | 'ReferralReward' | 'TeamReward' | 'PairingReward' | 'ManagementReward'
  readonly paidMicros: bigint
  readonly usdtMicros: bigint
  readonly amcMicros: bigint
}

export async function rewardTotals(db: Db, memberId: bigint): Promise<RewardTotal[]> {
  const { rows } = await sql<RewardTotal>`
    select type, paid_micros as "paidMicros", usdt_micros as "usdtMicros", amc_micros as "amcMicros"
    from reward_totals where member_id = ${memberId} order by type`.execute(db)
  return rows
}

/** A session, open or not. */
export interface SessionRow {
  readonly sessionId: bigint
  readonly device: string | null
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly expiresAt: Date
  readonly revokedAt: Date | null
}

/** Returns a member's sessions, newest first, up to `limit` + 1. */
export async function openSessionsOf(
  db: Db,
  memberId: bigint,
  page: { before: bigint | undefined; limit: number },
): Promise<SessionRow[]> {
  const before = page.before === undefined ? sql`true` : sql`session_id < ${page.before}`
  const { rows } = await sql<SessionRow>`
    select session_id as "sessionId", device, created_at as "createdAt", last_used_at as "lastUsedAt",
      expires_at as "expiresAt", revoked_at as "revokedAt"
    from sessions where member_id = ${memberId} and ${before}
    order by session_id desc limit ${page.limit + 1}`.execute(db)
  return rows
}

export interface NoteRow {
  readonly noteId: bigint
  readonly text: string
  readonly writtenBy: string
  readonly writtenAt: Date
}

const NOTE = sql`note_id as "noteId", text, written_by as "writtenBy", written_at as "writtenAt"`

/** Returns the admins' notes about a member, newest first, up to `limit` + 1. */
export async function notesOf(
  db: Db,
  memberId: bigint,
  page: { before: bigint | undefined; limit: number },
): Promise<NoteRow[]> {
  const before = page.before === undefined ? sql`true` : sql`note_id < ${page.before}`
  const { rows } = await sql<NoteRow>`
    select ${NOTE} from member_notes where member_id = ${memberId} and ${before}
    order by note_id desc limit ${page.limit + 1}`.execute(db)
  return rows
}

export async function insertNote(
  dbTx: Db,
  note: { memberId: bigint; text: string; writtenBy: string; writtenAt: Date },
): Promise<NoteRow> {
  const { rows } = await sql<NoteRow>`
    insert into member_notes (member_id, text, written_by, written_at)
    values (${note.memberId}, ${note.text}, ${note.writtenBy}, ${note.writtenAt})
    returning ${NOTE}`.execute(dbTx)
  return rows[0]!
}

/** Returns the day on which a member's first paid package was booked; null without one. */
export async function firstPaymentDay(db: Db, memberId: bigint): Promise<Day | null> {
  const { rows } = await sql<{ day: Day | null }>`
    select min((collected_at at time zone 'UTC')::date) as day
    from orders where member_id = ${memberId} and status = 'Paid'`.execute(db)
  return rows[0]!.day
}
