import { dayOf, type Side } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { record } from '../../db/read.ts'
import { AppError } from '../../lib/errors.ts'

/** A member. `section` is the side of the sponsor under which it was placed; only the root has no sponsor. */
export interface Member {
  readonly memberId: bigint
  /** Lower case. */
  readonly address: string
  readonly inviteCode: string
  readonly sponsorId: bigint | null
  readonly section: Side | null
  /** VIP 0 to 5. Rules, section 3. */
  readonly level: number
  readonly validAt: Date | null
  readonly state: 'active' | 'deactivated'
  readonly invitedAll: number
  readonly invitedValid: number
  /** Sum of the bases of the member's own paid orders. */
  readonly investedMicros: bigint
  readonly joinedAt: Date
}

/** A member in the lists of a team. */
export interface ListedMember extends Member {
  readonly sponsorAddress: string | null
}

/** A step up the sponsor line. */
export interface Sponsor {
  readonly memberId: bigint
  readonly level: number
  readonly valid: boolean
}

/** The columns of a `Member`, from a row named `members`. */
export const COLUMNS = sql`
  members.member_id as "memberId", members.address, members.invite_code as "inviteCode",
  members.sponsor_id as "sponsorId", members.section, members.level, members.valid_at as "validAt", members.state,
  members.invited_all as "invitedAll", members.invited_valid as "invitedValid",
  members.invested_micros as "investedMicros", members.joined_at as "joinedAt"`

async function one(db: Db, condition: RawBuilder<unknown>): Promise<Member | undefined> {
  const { rows } = await sql<Member>`select ${COLUMNS} from members where ${condition}`.execute(db)
  return rows[0]
}

/** The fields of a member as texts; null is '', times are milliseconds since 1970. */
export type MemberRow = readonly [
  memberId: string,
  address: string,
  inviteCode: string,
  sponsorId: string,
  section: Side | '',
  level: string,
  validAt: string,
  state: Member['state'],
  invitedAll: string,
  invitedValid: string,
  investedMicros: string,
  joinedAt: string,
]

export function membersOf(memberIds: RawBuilder<bigint[]>): RawBuilder<unknown> {
  const fields = record(
    ...['member_id', 'address', 'invite_code', `coalesce(sponsor_id::text, '')`, `coalesce(section, '')`],
    ...['level', `coalesce(${millis('valid_at')}::text, '')`, 'state', 'invited_all', 'invited_valid'],
    ...['invested_micros', millis('joined_at')],
  )
  return sql`select member_id, ${fields} as value from members where member_id = any (${memberIds})`
}

const millis = (column: string) => `round(1000 * extract(epoch from ${column}))`

export const byId = (db: Db, memberId: bigint) => one(db, sql`member_id = ${memberId}`)
export const byAddress = (db: Db, address: string) => one(db, sql`address = ${address}`)
export const byInviteCode = (db: Db, code: string) => one(db, sql`invite_code = ${code}`)
export const root = (db: Db) => one(db, sql`sponsor_id is null`)

export async function byAddresses(db: Db, addresses: readonly string[]): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ address: string; memberId: bigint }>`
    select address, member_id as "memberId" from members where address = any (${addresses})`.execute(db)
  return new Map(rows.map(({ address, memberId }) => [address, memberId]))
}

/** Inserts a member. Returns undefined when the invitation code is taken. */
export async function insert(
  dbTx: Db,
  member: {
    address: string
    inviteCode: string
    sponsorId: bigint | null
    section: Side | null
    joinedAt: Date
  },
): Promise<bigint | undefined> {
  const { rows } = await sql<{ memberId: bigint }>`
    insert into members (address, invite_code, sponsor_id, section, joined_at)
    values (${member.address}, ${member.inviteCode}, ${member.sponsorId}, ${member.section}, ${member.joinedAt})
    on conflict (invite_code) do nothing
    returning member_id as "memberId"`.execute(dbTx)
  return rows[0]?.memberId
}

export async function countInvited(
  dbTx: Db,
  sponsorId: bigint,
  by: { all: number; valid: number },
): Promise<void> {
  await sql`
    update members set invited_all = invited_all + ${by.all}, invited_valid = invited_valid + ${by.valid}
    where member_id = ${sponsorId}`.execute(dbTx)
}

export async function updatePurchase(
  dbTx: Db,
  memberId: bigint,
  purchase: { level: number; validAt: Date; baseMicros: bigint },
): Promise<void> {
  await sql`
    update members set level = ${purchase.level}, valid_at = coalesce(valid_at, ${purchase.validAt}),
      invested_micros = invested_micros + ${purchase.baseMicros}
    where member_id = ${memberId}`.execute(dbTx)
}

/** Counts a sign-up by day and level. The caller holds the placement lock. */
export async function countJoined(dbTx: Db, at: Date): Promise<void> {
  await sql`
    insert into member_days as days (day, joined) values (${dayOf(at.getTime())}, 1)
    on conflict (day) do update set joined = days.joined + 1`.execute(dbTx)
  await addToLevel(dbTx, 0, 1)
}

/** Counts a member who became valid, and the change of level. The caller holds the placement lock. */
export async function countPurchase(
  dbTx: Db,
  step: { fromLevel: number; toLevel: number; becameValid: boolean; at: Date },
): Promise<void> {
  if (step.becameValid) await countValid(dbTx, step.at, 1)
  await moveLevel(dbTx, step.fromLevel, step.toLevel)
}

/** Adds to the number of members who became valid on the day of `at`. The caller holds the placement lock. */
export async function countValid(dbTx: Db, at: Date, change: 1 | -1): Promise<void> {
  const day = dayOf(at.getTime())
  await sql`insert into member_days (day) values (${day}) on conflict (day) do nothing`.execute(dbTx)
  await sql`update member_days set became_valid = became_valid + ${change} where day = ${day}`.execute(dbTx)
}

/** Counts a change of level. The caller holds the placement lock. */
export async function moveLevel(dbTx: Db, from: number, to: number): Promise<void> {
  if (from === to) return
  await addToLevel(dbTx, from, -1)
  await addToLevel(dbTx, to, 1)
}

/** Takes a purchase off a member, whose level and validity become those of the purchases that are left. */
export async function resetPurchase(
  dbTx: Db,
  memberId: bigint,
  left: { level: number; validAt: Date | null; baseMicros: bigint },
): Promise<void> {
  await sql`
    update members set level = ${left.level}, valid_at = ${left.validAt},
      invested_micros = invested_micros - ${left.baseMicros}
    where member_id = ${memberId}`.execute(dbTx)
}

async function addToLevel(dbTx: Db, level: number, change: number): Promise<void> {
  await sql`update member_levels set members = members + ${change} where level = ${level}`.execute(dbTx)
}

/** Returns the first `limit` members up the sponsor line, nearest first. */
export async function sponsorLine(db: Db, memberId: bigint, limit: number): Promise<Sponsor[]> {
  const { rows } = await sql<Sponsor>`
    with recursive line (distance, member_id) as (
      select 1, sponsor_id from members where member_id = ${memberId}
      union all
      select line.distance + 1, members.sponsor_id
      from line join members on members.member_id = line.member_id
      where line.distance < ${limit}
    )
    select members.member_id as "memberId", members.level, members.valid_at is not null as valid
    from line join members on members.member_id = line.member_id
    order by line.distance`.execute(db)
  return rows
}

/** Returns the members with these ids, in the order of the ids; unknown ids are skipped. */
export async function listed(db: Db, memberIds: readonly bigint[]): Promise<ListedMember[]> {
  const { rows } = await sql<ListedMember>`
    select ${COLUMNS}, sponsors.address as "sponsorAddress"
    from unnest(${memberIds}::bigint[]) with ordinality as wanted (member_id, place)
    join members on members.member_id = wanted.member_id
    left join members as sponsors on sponsors.member_id = members.sponsor_id
    order by wanted.place`.execute(db)
  return rows
}

/** Returns the reason for which a member is frozen; null when not. Throws MEMBER_NOT_FOUND. */
export async function freezeReason(db: Db, memberId: bigint): Promise<string | null> {
  const { rows } = await sql<{ reason: string | null }>`
    select freeze_reason as reason from members where member_id = ${memberId}`.execute(db)
  if (rows[0] === undefined) throw new AppError('MEMBER_NOT_FOUND')
  return rows[0].reason
}

/** Stores that a member is frozen for a reason, or that it may act (null). */
export async function storeFreeze(dbTx: Db, memberId: bigint, reason: string | null): Promise<void> {
  const state = reason === null ? 'active' : 'deactivated'
  await sql`
    update members set state = ${state}, freeze_reason = ${reason} where member_id = ${memberId}`.execute(
    dbTx,
  )
}
