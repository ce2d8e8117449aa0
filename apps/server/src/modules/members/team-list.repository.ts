import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { COLUMNS, type ListedMember } from './members.repository.ts'

/** A page of a list of members in the order of joining, which is the order of their ids. */
export interface TeamPageQuery {
  readonly level: number | undefined
  readonly valid: boolean | undefined
  /** Members that match any of these terms; undefined for all members. */
  readonly search: SearchTerms | undefined
  readonly oldestFirst: boolean
  /** The last member of the previous page. */
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
  /** The number of members in the part. */
  readonly size: number
}

/**
 * The prefixes of wallets and invitation codes, the suffix of such wallets, and members found in other ways.
 */
export interface SearchTerms {
  readonly address: { readonly head: string; readonly tail: string } | null
  readonly inviteCode: string | null
  readonly memberIds: readonly bigint[]
}

/** A member in a list, with the path of its place. */
export interface PlacedMember extends ListedMember {
  readonly path: readonly number[]
}

/** The limits, in members, that select the way of finding members. */
interface Ways {
  /** Up to this size the whole part is read, which is faster than testing all members in order. */
  readonly smallPart: number
  /** The number of members tested in list order before the whole part is read. */
  readonly walked: number
}

export interface Thresholds {
  readonly plain: Ways
  /** In a search, members that do not match cost little, because their place is not looked up. */
  readonly search: Ways
  /**
   * A prefix shared by more than this fraction of all wallets or codes is not looked up, because a walk finds
   * it at once.
   */
  readonly rareShare: number
  /** The maximum number of search hits that are looked up one by one; more are so common that a walk finds them. */
  readonly hits: number
}

const THRESHOLDS: Thresholds = {
  plain: { smallPart: 5_000, walked: 20_000 },
  search: { smallPart: 13_000, walked: 60_000 },
  rareShare: 1 / 64,
  hits: 5_000,
}

/**
 * Returns a page of the members of a part of the tree. Plans are generic (database.ts), and the planner
 * cannot estimate how parts, levels and ids correlate. The code therefore chooses the method by the size of
 * the part, and each query allows only one plan: `offset 0` keeps the look-up of a row behind the ordered
 * rows.
 */
export async function listPart(
  db: Db,
  part: ListedPart,
  query: TeamPageQuery,
  { plain, search, rareShare, hits }: Thresholds = THRESHOLDS,
): Promise<PlacedMember[]> {
  if (query.search !== undefined && shareOf(query.search) <= rareShare) {
    const matches = await hitsOf(db, query.search, hits + 1)
    if (matches.length <= hits) return fromHits(db, part, query, matches)
  }
  const { smallPart, walked } = query.search === undefined ? plain : search
  if (part.size <= smallPart) return fromRange(db, part, query)
  const page = await fromWalk(db, part, query, walked)
  const whole = page.length === query.limit || (await walkEnds(db, part, query, walked))
  return whole ? page : fromRange(db, part, query)
}

/** Returns a page of the members that `sponsorId` invited. */
export async function listInvited(
  db: Db,
  sponsorId: bigint,
  { placeOf }: Places,
  query: TeamPageQuery,
): Promise<PlacedMember[]> {
  const { rows } = await sql<PlacedMember>`
    select ${ENTRY} from members cross join lateral (${placeOf(sql`members.member_id`)}) as placed
    where members.sponsor_id = ${sponsorId} and ${filter(query)} and ${after(query)} and ${isHit(query)}
    ${page(query)}`.execute(db)
  return rows
}

const ENTRY = sql`${COLUMNS}, placed.path,
  (select address from members as sponsors where sponsors.member_id = members.sponsor_id) as "sponsorAddress"`

const direction = (query: TeamPageQuery) => (query.oldestFirst ? sql`asc` : sql`desc`)

const page = (query: TeamPageQuery) =>
  sql`order by members.member_id ${direction(query)} limit ${query.limit}`

function filter({ level, valid }: TeamPageQuery): RawBuilder<boolean> {
  const isLevel = level === undefined ? sql<boolean>`true` : sql<boolean>`members.level = ${level}`
  if (valid === undefined) return isLevel
  // A member is valid exactly when the level is above 0 (rules, section 3).
  return sql<boolean>`${isLevel} and ${valid ? sql`members.level > 0` : sql`members.level = 0`}`
}

function after({ afterId, oldestFirst }: TeamPageQuery): RawBuilder<boolean> {
  if (afterId === undefined) return sql<boolean>`true`
  return oldestFirst
    ? sql<boolean>`members.member_id > ${afterId}`
    : sql<boolean>`members.member_id < ${afterId}`
}

/**
 * Sorts after every character of a wallet or code. It turns a prefix into a range, which an index supports.
 */
const LAST = '~'

function beginsWith(column: RawBuilder<string>, head: string): RawBuilder<boolean> {
  return sql<boolean>`(${column} ~>=~ ${head} and ${column} ~<~ ${head + LAST})`
}

function isWallet({ head, tail }: { head: string; tail: string }): RawBuilder<boolean> {
  const begins = beginsWith(sql`members.address`, head)
  return tail === '' ? begins : sql<boolean>`(${begins} and members.address like ${`%${tail}`})`
}

const isCode = (code: string) => beginsWith(sql`members.invite_code`, code)

function isHit({ search }: TeamPageQuery): RawBuilder<boolean> {
  if (search === undefined) return sql<boolean>`true`
  const ways = [sql<boolean>`members.member_id = any (${search.memberIds}::bigint[])`]
  if (search.address !== null) ways.push(isWallet(search.address))
  if (search.inviteCode !== null) ways.push(isCode(search.inviteCode))
  return sql<boolean>`(${sql.join(ways, sql` or `)})`
}

/** The number of different characters in wallets and codes. */
const SIGNS = { wallet: 16, code: 30 }

/** Returns the expected fraction of all members that prefixes match: wallets and codes are random. */
function shareOf({ address, inviteCode }: SearchTerms): number {
  const wallets = address === null ? 0 : SIGNS.wallet ** -(address.head.length - '0x'.length)
  return wallets + (inviteCode === null ? 0 : SIGNS.code ** -inviteCode.length)
}

/** Returns the matching members, each term by its index and limited to `limit`. */
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

/** Returns the hits that are in the part, looked up in the order of the list until the page is full. */
async function fromHits(
  db: Db,
  { placeOf }: ListedPart,
  query: TeamPageQuery,
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

/** Returns the clauses that read members in the order of the list. All members below `topId` joined later. */
const walk = ({ topId }: ListedPart, query: TeamPageQuery) => sql`
  from members where members.member_id > ${topId} and ${filter(query)} and ${after(query)}
  order by members.member_id ${direction(query)}`

async function fromWalk(
  db: Db,
  part: ListedPart,
  query: TeamPageQuery,
  walked: number,
): Promise<PlacedMember[]> {
  const { rows } = await sql<PlacedMember>`
    select ${ENTRY}
    from (select * ${walk(part, query)} limit ${sql.lit(walked)}) as members
    cross join lateral (${part.placeOf(sql`members.member_id`)} offset 0) as placed
    where ${isHit(query)}
    ${page(query)}`.execute(db)
  return rows
}

/** Reports whether the walk has tested all members. */
async function walkEnds(db: Db, part: ListedPart, query: TeamPageQuery, walked: number): Promise<boolean> {
  const { rows } = await sql`
    select members.member_id ${walk(part, query)} offset ${sql.lit(walked)} limit 1`.execute(db)
  return rows.length === 0
}

/** Reads the whole part as a range of paths and sorts it in the order of the list. */
async function fromRange(db: Db, { places }: ListedPart, query: TeamPageQuery): Promise<PlacedMember[]> {
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
