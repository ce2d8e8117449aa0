import type { Day } from '@rif/rules'
import { GROUP_LEAVES } from '@rif/solvency'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type {
  SolvencyDays,
  SolvencyGroups,
  SolvencyMembers,
  SolvencyPublications,
  SolvencySends,
} from '../../../db/types.gen.ts'
import { writtenSince } from '../../books/ledger/audit.ts'

export type SolvencyDayRow = Selectable<SolvencyDays>
export type PublicationRow = Selectable<SolvencyPublications>
export type PublicationSendRow = Selectable<SolvencySends>

/** A report with its publication on the current chain. */
export type PublishedRow = SolvencyDayRow & {
  readonly published: PublicationRow | null
  readonly has_leaves: boolean
}

/** A batch of rows with leaves is some 500 KB. */
const ROWS_AT_ONCE = 64

/**
 * Stores a report with its leaves; changes nothing if the day has one. `groups` and `blocks` are read once.
 */
export async function insertReport(
  dbTx: Db,
  day: Insertable<SolvencyDays>,
  parts: {
    readonly groups: Iterable<Insertable<SolvencyGroups>>
    readonly blocks: Iterable<Insertable<SolvencyMembers>>
    readonly tops: Buffer
  },
): Promise<void> {
  const inserted = await dbTx
    .insertInto('solvency_days')
    .values(day)
    .onConflict((conflict) => conflict.doNothing())
    .returning('day')
    .executeTakeFirst()
  if (inserted === undefined) return
  await dbTx.insertInto('solvency_tops').values({ day: day.day, tops: parts.tops }).execute()
  for (const groups of inBatches(parts.groups))
    await dbTx.insertInto('solvency_groups').values(groups).execute()
  for (const blocks of inBatches(parts.blocks))
    await dbTx.insertInto('solvency_members').values(blocks).execute()
}

/** Yields rows in arrays of up to `ROWS_AT_ONCE`, so that memory does not grow with their number. */
function* inBatches<T>(rows: Iterable<T>): Generator<T[]> {
  let batch: T[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length === ROWS_AT_ONCE) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

/** Removes the leaves of the days before a day. The reports stay. */
export async function removeLeaves(dbTx: Db, before: Day): Promise<void> {
  for (const table of ['solvency_groups', 'solvency_members', 'solvency_tops'] as const)
    await dbTx.deleteFrom(table).where('day', '<', before).execute()
}

export function findSolvencyDay(db: Db, day: Day): Promise<SolvencyDayRow | undefined> {
  return db.selectFrom('solvency_days').selectAll().where('day', '=', day).executeTakeFirst()
}

export async function lastDay(db: Db): Promise<Day | null> {
  const row = await db
    .selectFrom('solvency_days')
    .select('day')
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.day ?? null
}

/** Returns the last reports, newest first. */
export async function listDays(db: Db, limit: number): Promise<PublishedRow[]> {
  const days = await db
    .selectFrom('solvency_days')
    .selectAll()
    .select((eb) =>
      eb
        .exists(eb.selectFrom('solvency_tops').whereRef('solvency_tops.day', '=', 'solvency_days.day'))
        .as('has_leaves'),
    )
    .orderBy('day', 'desc')
    .limit(limit)
    .execute()
  const publications = await db
    .selectFrom('solvency_publications')
    .selectAll()
    .where('day', 'in', days.map(({ day }) => day).concat('0001-01-01'))
    .execute()
  return days.map((row) => ({
    ...row,
    has_leaves: Boolean(row.has_leaves),
    published: publications.find(({ day, bank }) => day === row.day && bank === row.bank) ?? null,
  }))
}

/** Returns the last report whose root is on chain; undefined before the first. */
export function lastPublished(db: Db): Promise<SolvencyDayRow | undefined> {
  return db
    .selectFrom('solvency_days as d')
    .innerJoin('solvency_publications as p', (join) =>
      join.onRef('p.day', '=', 'd.day').onRef('p.bank', '=', 'd.bank').onRef('p.root', '=', 'd.root'),
    )
    .selectAll('d')
    .orderBy('d.day', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the time of the last publication of a report of these books; null before the first. */
export async function lastPublishedAt(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('solvency_days as d')
    .innerJoin('solvency_publications as p', (join) =>
      join.onRef('p.day', '=', 'd.day').onRef('p.bank', '=', 'd.bank').onRef('p.root', '=', 'd.root'),
    )
    .select('p.published_at')
    .orderBy('d.day', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.published_at ?? null
}

/** Returns the first report for a bank after a day, or undefined. */
export function firstAfter(db: Db, bank: string, day: Day): Promise<SolvencyDayRow | undefined> {
  return db
    .selectFrom('solvency_days')
    .selectAll()
    .where('bank', '=', bank)
    .where('day', '>', day)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the day of the first report; null before it. */
export async function firstDay(db: Db): Promise<Day | null> {
  const row = await db.selectFrom('solvency_days').select('day').orderBy('day').limit(1).executeTakeFirst()
  return row?.day ?? null
}

/** Returns the reports from a day on, in order. */
export function listSince(db: Db, since: Day): Promise<SolvencyDayRow[]> {
  return db.selectFrom('solvency_days').selectAll().where('day', '>=', since).orderBy('day').execute()
}

/** Returns the reports whose rows were written by a transaction with this number or a later one, in order. */
export function listWrittenSince(db: Db, xid: bigint): Promise<SolvencyDayRow[]> {
  return db
    .selectFrom('solvency_days')
    .selectAll()
    .where(sql<boolean>`${writtenSince(xid)}`)
    .orderBy('day')
    .execute()
}

/** Returns the publications from a day on that can no longer be undone. */
export function finalPublications(db: Db, since: Day): Promise<PublicationRow[]> {
  return db
    .selectFrom('solvency_publications')
    .selectAll()
    .where('day', '>=', since)
    .where('is_final', '=', true)
    .orderBy('day')
    .execute()
}

/** Yields the leaves of a report in tree order, some hundred KB at a time; missing ones are skipped. */
export async function* eachLeaves(
  db: Db,
  { day, leaves }: Pick<SolvencyDayRow, 'day' | 'leaves'>,
): AsyncGenerator<Buffer> {
  for (let first = 0; first * GROUP_LEAVES < leaves; first += ROWS_AT_ONCE) {
    const groups = await db
      .selectFrom('solvency_groups')
      .select('leaves')
      .where('day', '=', day)
      .where('group_no', '>=', first)
      .where('group_no', '<', first + ROWS_AT_ONCE)
      .orderBy('group_no')
      .execute()
    yield Buffer.concat(groups.map((group) => group.leaves))
  }
}

/** Returns the block of a member, with the numbers and amounts of its members. */
export async function findBlock(db: Db, day: Day, block: bigint): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('solvency_members')
    .select('entries')
    .where('day', '=', day)
    .where('block', '=', block)
    .executeTakeFirst()
  return row?.entries
}

/** Returns the group that would contain the hash. */
export function findGroup(
  db: Db,
  day: Day,
  hash: Buffer,
): Promise<Pick<Selectable<SolvencyGroups>, 'group_no' | 'leaves'> | undefined> {
  return db
    .selectFrom('solvency_groups')
    .select(['group_no', 'leaves'])
    .where('day', '=', day)
    .where('first_hash', '<=', hash)
    .orderBy('first_hash', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Reports whether the leaves of a day are stored. */
export async function hasLeaves(db: Db, day: Day): Promise<boolean> {
  const row = await db.selectFrom('solvency_tops').select('day').where('day', '=', day).executeTakeFirst()
  return row !== undefined
}

export async function findTops(db: Db, day: Day): Promise<Buffer | undefined> {
  const row = await db.selectFrom('solvency_tops').select('tops').where('day', '=', day).executeTakeFirst()
  return row?.tops
}

export async function savePublication(dbTx: Db, row: PublicationRow): Promise<void> {
  await dbTx
    .insertInto('solvency_publications')
    .values(row)
    .onConflict((conflict) => conflict.columns(['bank', 'day']).doUpdateSet(row))
    .execute()
}

export async function removePublication(dbTx: Db, { bank, day }: { bank: string; day: Day }): Promise<void> {
  await dbTx.deleteFrom('solvency_publications').where('bank', '=', bank).where('day', '=', day).execute()
}

export async function insertPublicationSend(dbTx: Db, send: Insertable<SolvencySends>): Promise<void> {
  await dbTx
    .insertInto('solvency_sends')
    .values(send)
    .onConflict((conflict) => conflict.column('tx_hash').doNothing())
    .execute()
}

/** Returns the sent transactions, newest first; of one day or of all. */
export function listSends(db: Db, limit: number, day?: Day): Promise<PublicationSendRow[]> {
  const all = db.selectFrom('solvency_sends').selectAll().orderBy('send_id', 'desc').limit(limit)
  return (day === undefined ? all : all.where('day', '=', day)).execute()
}
