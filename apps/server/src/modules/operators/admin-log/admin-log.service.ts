import type { AdminActionEntry, AdminLogCheck } from '@rif/api-schema'
import { nextDay, startOfDay } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import { getAddress, type Hex, isAddress } from 'viem'
import { noteChange, OPERATORS } from '../../../db/changes.ts'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../../lib/cursor.ts'
import { brokenSeals, LAST_NUMBER } from './audit.ts'

/** An admin's action on a subject. `before` and `after` are plain JSON with amounts as decimal strings. */
export interface AdminAction {
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly reason?: string
  readonly before?: unknown
  readonly after?: unknown
}

/** The filter of a log query; days are UTC. */
export interface LogQuery {
  readonly q?: string | undefined
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

interface Row extends Omit<AdminActionEntry, 'acted_at' | 'seq' | 'action_id'> {
  readonly seq: bigint
  readonly action_id: bigint
  readonly acted_at: Date
}

export type AdminLogService = ReturnType<typeof createAdminLogService>

/**
 * Creates the append-only log of admins' actions. Each entry is sealed to the previous one when its
 * transaction commits. Rules, section 12.
 */
export function createAdminLogService({ now }: { now: Now }) {
  return {
    /** Writes an entry. Call it in the transaction of the logged action. */
    async record(dbTx: Db, { actor, action, subject, reason, before, after }: AdminAction): Promise<void> {
      noteChange(dbTx, OPERATORS, 'queue')
      await dbTx
        .insertInto('admin_actions')
        .values({
          actor,
          action,
          subject,
          reason: reason ?? null,
          before: before === undefined ? null : JSON.stringify(before),
          after: after === undefined ? null : JSON.stringify(after),
          acted_at: now(),
        })
        .execute()
    },

    /** Returns the actor who last performed an action on a subject since a time, or null. */
    async lastActor(
      db: Db,
      { action, subject, since }: Pick<AdminAction, 'action' | 'subject'> & { since: Date },
    ): Promise<string | null> {
      const row = await db
        .selectFrom('admin_actions')
        .select('actor')
        .where('action', '=', action)
        .where('subject', '=', subject)
        .where('acted_at', '>=', since)
        .orderBy('action_id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.actor ?? null
    },

    /** Reports whether an action was ever logged for a subject. */
    async has(db: Db, { action, subject }: Pick<AdminAction, 'action' | 'subject'>): Promise<boolean> {
      const row = await db
        .selectFrom('admin_actions')
        .select('action_id')
        .where('action', '=', action)
        .where('subject', '=', subject)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Returns the hash of the last entry of actions before a time; null before the first. */
    async headBefore(db: Db, time: Date): Promise<Buffer | null> {
      const { rows } = await sql<{ hash: Buffer }>`
        select s.hash from admin_seals as s join admin_actions as a using (action_id)
        where a.acted_at < ${time} order by s.seq desc limit 1`.execute(db)
      return rows[0]?.hash ?? null
    },

    /**
     * Returns a page of the log, newest first. Reads at most `LOOKED_THROUGH` entries, whatever the length of
     * the log: a page may be short or empty and still have a cursor to continue from.
     */
    async list(db: Db, query: LogQuery): Promise<{ items: AdminActionEntry[]; next: string | null }> {
      const [cursorSeq] = decodeCursor(query.cursor, 1) ?? []
      const before = cursorSeq ?? (await lastSeal(db)).seq + 1n
      const from = before - LOOKED_THROUGH
      const { rows } = await sql<Row>`
        select seq, action_id, actor, action, subject, reason, before, after, acted_at, encode(hash, 'hex') as hash
        from admin_seals join admin_actions using (action_id)
        where seq >= ${from} and seq < ${before} and ${matching(query)}
        order by seq desc limit ${query.limit + 1}`.execute(db)
      const page = toPage(rows, query.limit, entryOf, (row) => encodeCursor(row.seq))
      return page.next === null && from > 1n ? { ...page, next: encodeCursor(from) } : page
    },

    /**
     * Checks a part of the chain, from the start if no cursor is given. Returns the length of the chain, its
     * last hash, the number up to which it is checked, and the first break. `next` is the cursor of the
     * following part.
     */
    async check(
      db: Db,
      { cursor, atATime = CHECKED_AT_A_TIME }: { cursor?: string | undefined; atATime?: bigint } = {},
    ): Promise<AdminLogCheck> {
      const [after = 0n] = decodeCursor(cursor, 1) ?? []
      const last = await lastSeal(db)
      const upTo = after + atATime
      const isLast = upTo >= last.seq
      // The last part has no upper end, so that it finds actions after the last seal.
      const end = isLast ? LAST_NUMBER : upTo
      const { rows } = await sql<{ seq: bigint | null; expected: string; actual: string; subject: string }>`
        select seq, subject, expected, actual
        from (${brokenSeals(sql`${after}::bigint`, sql`${end}::bigint`)}) as b
        order by seq nulls last limit 1`.execute(db)
      const [first] = rows
      const isEnd = first !== undefined || isLast
      return {
        entries: Number(last.seq),
        head: last.hash,
        checked: Number(isEnd ? last.seq : upTo),
        broken: first === undefined ? null : { seq: textOf(first.seq), problem: problemOf(first) },
        next: isEnd ? null : encodeCursor(upTo),
      }
    },
  }
}

/** The number of entries read for a page of the log, and checked at once; takes some tenths of a second. */
const LOOKED_THROUGH = 50_000n
const CHECKED_AT_A_TIME = 20_000n

/** Returns the number and the hash of the last seal; 0 and null if there is none. */
async function lastSeal(db: Db): Promise<{ seq: bigint; hash: string | null }> {
  const { rows } = await sql<{ seq: bigint; hash: string }>`
    select seq, encode(hash, 'hex') as hash from admin_seals order by seq desc limit 1`.execute(db)
  return rows[0] ?? { seq: 0n, hash: null }
}

/** Returns the condition of a log query. */
function matching(query: LogQuery) {
  const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (query.actor) conditions.push(sql`actor = lower(${query.actor})`)
  if (query.action) conditions.push(sql`action like ${`${escaped(query.action)}%`}`)
  if (query.from) conditions.push(sql`acted_at >= ${new Date(startOfDay(query.from))}`)
  if (query.to) conditions.push(sql`acted_at < ${new Date(startOfDay(nextDay(query.to)))}`)
  if (query.q) {
    const text = `%${escaped(query.q)}%`
    conditions.push(
      sql`(actor ilike ${text} or action ilike ${text} or subject ilike ${text} or reason ilike ${text})`,
    )
  }
  return sql.join(conditions, sql` and `)
}

const textOf = (seq: bigint | null) => (seq === null ? null : `${seq}`)
const problemOf = ({ subject, expected, actual }: { subject: string; expected: string; actual: string }) =>
  `${subject}: expected ${expected}, is ${actual}`

function entryOf(row: Row): AdminActionEntry {
  return {
    ...row,
    seq: `${row.seq}`,
    action_id: `${row.action_id}`,
    actor: actorText(row.actor),
    acted_at: row.acted_at.toISOString(),
  }
}

/** Returns a wallet in checksummed form; other actors unchanged. */
export const actorText = (actor: string) =>
  isAddress(actor, { strict: false }) ? getAddress(actor as Hex) : actor
