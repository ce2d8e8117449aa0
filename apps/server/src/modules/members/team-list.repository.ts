import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { COLUMNS, type ListedMember } from './members.repository.ts'

/** A page of a list of members in the order of joining: their numbers are given under the placement lock. */
export interface ListQuery {
  readonly level: number | undefined
  readonly valid: boolean | undefined
  /** A member is found by any of these; undefined does not search. */
  readonly search: SearchTerms | undefined
  readonly oldestFirst: boolean
  /** The last member of the page before. */
  readonly afterId: bigint | undefined
  readonly limit: number
}

/** The queries of the places in a part of the tree, as an `Extent` of the placement service has them. */
interface Places {
  /** (member_id, path) of all places. */
  readonly places: RawBuilder<unknown>
  /** Returns a query of (path) of a member's place, if it is in the part. */
  placeOf(memberId: RawBuilder<bigint>): RawBuilder<unknown>
}

/** A part of the tree below `topId`. */
export interface ListedPart extends Places {
  readonly topId: bigint
  /** How many members the part holds. */
  readonly size: number
}

/** How wallets and invitation codes begin, how such wallets end, and members found otherwise. */
export interface SearchTerms {
  readonly address: { readonly head: string; readonly tail: string } | null
  readonly inviteCode: string | null
  readonly memberIds: readonly bigint[]
}

/** A member in a list, with the path of its place. */
export interface PlacedMember extends ListedMember {
  readonly path: readonly number[]
}

/** Where one way of finding members ends and another begins, in members. */
interface Ways {
  /** Up to this the whole part is read at once: that is quicker than hoping for its members among all others. */
  readonly smallPart: number
  /** So many are tried in the order of the list before the part is read after all. */
  readonly walked: number
}

export interface Thresholds {
  readonly plain: Ways
  /** Of a walk, those that are no hits cost little: their place is not looked up. */
  readonly search: Ways
  /** A beginning that more than this share of all wallets or codes has is not looked up: a walk meets it at once. */
  readonly rareShare: number
  /** So many search hits are looked up one by one; more of them are so common that a walk meets them. */
  readonly hits: number
}

const THRESHOLDS: Thresholds = {
  plain: { smallPart: 5_000, walked: 20_000 },
  search: { smallPart: 13_000, walked: 60_000 },
  rareShare: 1 / 64,
  hits: 5_000,
}

/**
 * The members of a part of the tree. Plans here are generic (database.ts), and the planner knows nothing of how parts,
 * levels and numbers hang together; so the way is chosen by the size of the part, and each way is written such that
 * there is one plan: `offset 0` keeps a row's look-up where it stands, behind the rows in their order.
 */
export async function listPart(
  db: Db,
  part: ListedPart,
  query: ListQuery,
  { plain, search, rareShare, hits }: Thresholds = THRESHOLDS,
): Promise<PlacedMember[]> {
  if (query.search !== undefined && shareOf(query.search) <= rareShare) {
    const found = await hitsOf(db, query.search, hits + 1)
    if (found.length <= hits) return fromHits(db, part, query, found)
  }
  const { smallPart, walked } = query.search === undefined ? plain : search
  if (part.size <= smallPart) return fromRange(db, part, query)
  const found = await fromWalk(db, part, query, walked)
  const whole = found.length === query.limit || (await walkEnds(db, part, query, walked))
  return whole ? found : fromRange(db, part, query)
}

/** The members that `sponsorId` invited. */
export async function listInvited(
  db: Db,
  sponsorId: bigint,
  { placeOf }: Places,
  query: ListQuery,
): Promise<PlacedMember[]> {
  const { rows } = await sql<PlacedMember>`
    select ${ENTRY} from members cross join lateral (${placeOf(sql`members.member_id`)}) as placed
    where members.sponsor_id = ${sponsorId} and ${filter(query)} and ${after(query)} and ${isHit(query)}
    ${page(query)}`.execute(db)
  return rows
}

const ENTRY = sql`${COLUMNS}, placed.path,
  (select address from members as sponsors where sponsors.member_id = members.sponsor_id) as "sponsorAddress"`

const direction = (query: ListQuery) => (query.oldestFirst ? sql`asc` : sql`desc`)

const page = (query: ListQuery) => sql`order by members.member_id ${direction(query)} limit ${query.limit}`

function filter({ level, valid }: ListQuery): RawBuilder<boolean> {
  const isLevel = level === undefined ? sql<boolean>`true` : sql<boolean>`members.level = ${level}`
  if (valid === undefined) return isLevel
  // A level is what a paid package gives, and a paid package is what makes valid (rules, section 3).
  return sql<boolean>`${isLevel} and ${valid ? sql`members.level > 0` : sql`members.level = 0`}`
}

function after({ afterId, oldestFirst }: ListQuery): RawBuilder<boolean> {
  if (afterId === undefined) return sql<boolean>`true`
  return oldestFirst
    ? sql<boolean>`members.member_id > ${afterId}`
    : sql<boolean>`members.member_id < ${afterId}`
}

/** Comes after every character of a wallet or a code. With it a beginning is a range, which an index answers. */
const LAST = '~'

function beginsWith(column: RawBuilder<string>, head: string): RawBuilder<boolean> {
  return sql<boolean>`(${column} ~>=~ ${head} and ${column} ~<~ ${head + LAST})`
}

function isWallet({ head, tail }: { head: string; tail: string }): RawBuilder<boolean> {
  const begins = beginsWith(sql`members.address`, head)
  return tail === '' ? begins : sql<boolean>`(${begins} and members.address like ${`%${tail}`})`
}

const isCode = (code: string) => beginsWith(sql`members.invite_code`, code)

function isHit({ search }: ListQuery): RawBuilder<boolean> {
  if (search === undefined) return sql<boolean>`true`
  const ways = [sql<boolean>`members.member_id = any (${search.memberIds}::bigint[])`]
  if (search.address !== null) ways.push(isWallet(search.address))
  if (search.inviteCode !== null) ways.push(isCode(search.inviteCode))
  return sql<boolean>`(${sql.join(ways, sql` or `)})`
}

/** Wallets are hexadecimal, and codes of 30 signs. */
const SIGNS = { wallet: 16, code: 30 }

/** The share of all members that beginnings are expected to find: wallets and codes are as good as random. */
function shareOf({ address, inviteCode }: SearchTerms): number {
  const wallets = address === null ? 0 : SIGNS.wallet ** -(address.head.length - '0x'.length)
  return wallets + (inviteCode === null ? 0 : SIGNS.code ** -inviteCode.length)
}

/** Who is found, each by its index; of many with the same beginning only `limit`. */
async function hitsOf(
  db: Db,
  { address, inviteCode, memberIds }: SearchTerms,
  limit: number,
): Promise<bigint[]> {
  const some = (condition: RawBuilder<boolean>) =>
    sql`(select member_id from members where ${condition} limit ${sql.lit(limit)})`
  const ways = [sql`select unnest(${memberIds}::bigint[]) as member_id`]
  if (address !== null) ways.push(some(isWallet(address)))
  if (inviteCode !== null) ways.push(some(isCode(inviteCode)))
  const { rows } = await sql<{ memberId: bigint }>`
    select member_id as "memberId" from (${sql.join(ways, sql` union `)}) as hits`.execute(db)
  return rows.map((row) => row.memberId)
}

/** Of some members found, those in the part: looked up in the order of the list, until the page is full. */
async function fromHits(
  db: Db,
  { placeOf }: ListedPart,
  query: ListQuery,
  hits: readonly bigint[],
): Promise<PlacedMember[]> {
  const { rows } = await sql<PlacedMember>`
    select ${ENTRY}
    from (select member_id from unnest(${hits}::bigint[]) as members (member_id) where ${after(query)}
      order by member_id ${direction(query)} offset 0) as hits
    cross join lateral (${placeOf(sql`hits.member_id`)} offset 0) as placed
    cross join lateral (
      select * from members where members.member_id = hits.member_id and ${filter(query)} offset 0) as members
    order by hits.member_id ${direction(query)} limit ${query.limit}`.execute(db)
  return rows
}

/** The members in the order of the list, each tried whether it is in the part. All below `topId` have joined later. */
const walk = ({ topId }: ListedPart, query: ListQuery) => sql`
  from members where members.member_id > ${topId} and ${filter(query)} and ${after(query)}
  order by members.member_id ${direction(query)}`

async function fromWalk(db: Db, part: ListedPart, query: ListQuery, walked: number): Promise<PlacedMember[]> {
  const { rows } = await sql<PlacedMember>`
    select ${ENTRY}
    from (select * ${walk(part, query)} limit ${sql.lit(walked)}) as members
    cross join lateral (${part.placeOf(sql`members.member_id`)} offset 0) as placed
    where ${isHit(query)}
    ${page(query)}`.execute(db)
  return rows
}

/** Whether the walk has tried everybody. */
async function walkEnds(db: Db, part: ListedPart, query: ListQuery, walked: number): Promise<boolean> {
  const { rows } = await sql`
    select members.member_id ${walk(part, query)} offset ${sql.lit(walked)} limit 1`.execute(db)
  return rows.length === 0
}

/** The whole part, read as a range of paths and put in the order of the list. */
async function fromRange(db: Db, { places }: ListedPart, query: ListQuery): Promise<PlacedMember[]> {
  const { rows } = await sql<PlacedMember>`
    select ${ENTRY}
    from (${places} order by member_id ${direction(query)} offset 0) as placed
    cross join lateral (
      select * from members
      where members.member_id = placed.member_id and ${filter(query)} and ${after(query)} offset 0) as members
    where ${isHit(query)}
    order by placed.member_id ${direction(query)} limit ${query.limit}`.execute(db)
  return rows
}
