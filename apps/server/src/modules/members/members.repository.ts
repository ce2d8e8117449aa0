import { type Day, dayOf, type Side } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { bigint, nullable, plain, rowJson, time } from '../../db/read.ts'
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

/** A member with the sponsor above. */
export interface UplineMember extends Sponsor {
  readonly sponsorId: bigint | null
}

/** Returns the number of members invited by the member of a row named `members`. */
const INVITED = `coalesce((
  select last.invited_no from members as last where last.sponsor_id = members.member_id order by last.member_id desc limit 1), 0)`

/** The columns of a `Member`, from a row named `members`. */
export const COLUMNS = sql`
  members.member_id as "memberId", members.address, members.invite_code as "inviteCode",
  members.sponsor_id as "sponsorId", members.section, members.level, members.valid_at as "validAt", members.state,
  ${sql.raw(INVITED)} as "invitedAll", members.invited_valid as "invitedValid",
  members.invested_micros as "investedMicros", members.joined_at as "joinedAt"`

async function findWhere(db: Db, condition: RawBuilder<unknown>): Promise<Member | undefined> {
  const { rows } = await sql<Member>`select ${COLUMNS} from members where ${condition}`.execute(db)
  return rows[0]
}

/** The fields of a member as texts; null is '', times are milliseconds since 1970. */

/** The columns of a `Member`. */
export const MEMBER = {
  memberId: bigint('member_id'),
  address: plain('address'),
  inviteCode: plain('invite_code'),
  sponsorId: nullable(bigint('sponsor_id')),
  section: plain<Side | null>('section'),
  level: plain<number>('level'),
  validAt: nullable(time('valid_at')),
  state: plain<Member['state']>('state'),
  invitedAll: plain<number>(INVITED),
  invitedValid: plain<number>('invited_valid'),
  investedMicros: bigint('invested_micros'),
  joinedAt: time('joined_at'),
}

export const membersOf = (memberIds: RawBuilder<bigint[]>): RawBuilder<unknown> => sql`
  select member_id, ${rowJson(MEMBER)} as value from members where member_id = any (${memberIds})`

/** Returns the member of a wallet in lower case. */
export const memberAt = (address: string): RawBuilder<unknown> => sql`
  select null::bigint as member_id, ${rowJson(MEMBER)} as value from members where address = ${address}`

/** Returns the query of the number of the member of a wallet in lower case. */
export const idAt = (address: string): RawBuilder<bigint> =>
  sql<bigint>`select member_id from members where address = ${address}`

export const byId = (db: Db, memberId: bigint) => findWhere(db, sql`member_id = ${memberId}`)
export const byAddress = (db: Db, address: string) => findWhere(db, sql`address = ${address}`)
export const byInviteCode = (db: Db, code: string) => findWhere(db, sql`invite_code = ${code}`)
export const root = (db: Db) => findWhere(db, sql`sponsor_id is null`)

export async function byAddresses(db: Db, addresses: readonly string[]): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ address: string; memberId: bigint }>`
    select address, member_id as "memberId" from members where address = any (${addresses})`.execute(db)
  return new Map(rows.map(({ address, memberId }) => [address, memberId]))
}

export interface NewMember {
  /** Lower case. */
  readonly address: string
  readonly inviteCode: string
  readonly joinedAt: Date
}

/** Returns the number of the member with an invitation code. */
export const invitedBy = (code: string): RawBuilder<unknown> => sql`
  select null::bigint as member_id, member_id::text as value from members where invite_code = ${code}`

/** Inserts the first member and counts it. The caller holds `placement.lockTree`. */
export async function insertRoot(dbTx: Db, { address, inviteCode, joinedAt }: NewMember): Promise<Member> {
  const { rows } = await sql<Member>`
    with member as (
      insert into members (address, invite_code, joined_at) values (${address}, ${inviteCode}, ${joinedAt})
      returning *
    ), counted as (
      insert into member_days as days (day, joined) values (${dayOf(joinedAt.getTime())}::date, 1)
      on conflict (day) do update set joined = days.joined + 1
    ), levelled as (
      update member_levels set members = members + 1 where level = 0
    )
    select ${COLUMNS} from member as members`.execute(dbTx)
  return rows[0]!
}

/**
 * Inserts a member below the last one on a side of its sponsor, and counts it for the day, its level and the teams
 * above. Returns its number, or null if there is no such sponsor, or if the address is taken. The caller has entered
 * the day.
 */
export async function insertPlaced(
  dbTx: Db,
  { address, inviteCode, joinedAt }: NewMember,
  { sponsorId, section }: { sponsorId: bigint; section: Side },
): Promise<bigint | null> {
  const { rows } = await sql<{ memberId: bigint | null }>`
    select sign_up(${sponsorId}, ${section}, ${address}, ${inviteCode}, ${joinedAt}) as "memberId"`.execute(
    dbTx,
  )
  return rows[0]!.memberId
}

export async function lowerInvitedValid(dbTx: Db, sponsorId: bigint): Promise<void> {
  await sql`update members set invited_valid = invited_valid - 1 where member_id = ${sponsorId}`.execute(dbTx)
}

/** A change of the counts by day and level. */
export interface CountChange {
  readonly day: Day
  readonly becameValid: 1 | 0 | -1
  readonly fromLevel: number
  readonly toLevel: number
}

/** Counts changes of validity and level by day and level. The caller holds `placement.lockTree`. */
export async function countMemberChanges(dbTx: Db, changes: readonly CountChange[]): Promise<void> {
  const counted = changes.filter(
    ({ becameValid, fromLevel, toLevel }) => becameValid !== 0 || fromLevel !== toLevel,
  )
  if (counted.length === 0) return
  const column = <K extends keyof CountChange>(key: K) => counted.map((item) => item[key])
  const added = sql`unnest(${column('day')}::date[], ${column('becameValid')}::integer[],
    ${column('fromLevel')}::smallint[], ${column('toLevel')}::smallint[]) as added (day, became_valid, level_from, level_to)`
  await sql`
    insert into member_days (day) select distinct day from ${added} order by day on conflict (day) do nothing`.execute(
    dbTx,
  )
  await sql`
    with by_day as (
      update member_days as days set became_valid = days.became_valid + sums.became_valid
      from (select day, sum(became_valid) as became_valid from ${added} group by day) as sums
      where days.day = sums.day
    )
    update member_levels as levels set members = levels.members + sums.members
    from (
      select moves.level, sum(moves.members) as members
      from ${added} cross join lateral (values (level_from, -1), (level_to, 1)) as moves (level, members)
      group by moves.level
    ) as sums
    where levels.level = sums.level`.execute(dbTx)
}

/** Removes a purchase from a member, whose level and validity become those of the remaining purchases. */
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

/** Returns members and at most `steps` of each one's sponsor line, without duplicates. */
export async function upline(db: Db, memberIds: readonly bigint[], steps: number): Promise<UplineMember[]> {
  const { rows } = await sql<UplineMember>`
    with recursive line (member_id, sponsor_id, level, valid_at, step) as (
      select member_id, sponsor_id, level, valid_at, 0 from members where member_id = any (${memberIds}::bigint[])
      union
      select m.member_id, m.sponsor_id, m.level, m.valid_at, line.step + 1
      from line join members as m on m.member_id = line.sponsor_id
      where line.step < ${steps}
    )
    select distinct member_id as "memberId", sponsor_id as "sponsorId", level, valid_at is not null as valid from line`.execute(
    db,
  )
  return rows
}

/** The changes to a member by its purchases. */
export interface Raise {
  readonly memberId: bigint
  readonly level: number
  readonly baseMicros: bigint
}

/** Raises the level, validity and investment of members by their purchases at one time. */
export async function raise(dbTx: Db, raises: readonly Raise[], at: Date): Promise<void> {
  await sql`
    update members set level = raised.level, valid_at = coalesce(valid_at, ${at}),
      invested_micros = invested_micros + raised.base_micros
    from unnest(${raises.map((raise) => raise.memberId)}::bigint[], ${raises.map((raise) => raise.level)}::smallint[],
      ${raises.map((raise) => raise.baseMicros)}::bigint[]) as raised (member_id, level, base_micros)
    where members.member_id = raised.member_id`.execute(dbTx)
}

/**
 * Increments the number of valid members that sponsors have invited: by one each time a sponsor is listed.
 */
export async function countInvitedValid(dbTx: Db, sponsorIds: readonly bigint[]): Promise<void> {
  await sql`
    update members set invited_valid = invited_valid + named.count
    from (select sponsor_id, count(*) as count from unnest(${sponsorIds}::bigint[]) as s (sponsor_id)
      group by sponsor_id) as named
    where member_id = named.sponsor_id`.execute(dbTx)
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

/** Returns the reason why a member is frozen, or null. Throws MEMBER_NOT_FOUND. */
export async function freezeReason(db: Db, memberId: bigint): Promise<string | null> {
  const { rows } = await sql<{ reason: string | null }>`
    select freeze_reason as reason from members where member_id = ${memberId}`.execute(db)
  if (rows[0] === undefined) throw new AppError('MEMBER_NOT_FOUND')
  return rows[0].reason
}

/** Stores the reason why a member is frozen, or null to unfreeze it. */
export async function storeFreeze(dbTx: Db, memberId: bigint, reason: string | null): Promise<void> {
  const state = reason === null ? 'active' : 'deactivated'
  await sql`
    update members set state = ${state}, freeze_reason = ${reason} where member_id = ${memberId}`.execute(
    dbTx,
  )
}
