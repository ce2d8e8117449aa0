import type { AdminActionEntry } from '@rif/api-schema'
import { nextDay, startOfDay } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import { BROKEN_SEALS } from './admin-log.audit.ts'
import { actorText } from './proposals.view.ts'

/** What an admin did to what. `before` and `after` are plain JSON: amounts as decimal texts. */
export interface AdminAction {
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly reason?: string
  readonly before?: unknown
  readonly after?: unknown
}

/** What to look for in the log; days are UTC. */
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

/** The append-only log of what admins did, each entry sealed to the one before when its transaction commits. Rules, section 12. */
export function createAdminLogService({ now }: { now: Now }) {
  return {
    /** Writes an entry; call it in the dbTx that does what it says. */
    async record(dbTx: Db, { actor, action, subject, reason, before, after }: AdminAction): Promise<void> {
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

    /** Whether such an action was ever logged for a subject. */
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

    /** A page of the log, newest first. */
    async list(db: Db, query: LogQuery): Promise<{ items: AdminActionEntry[]; next: string | null }> {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const text = query.q ? `%${query.q.replace(/[\\%_]/g, '\\$&')}%` : null
      const beginning = query.action ? `${query.action.replace(/[\\%_]/g, '\\$&')}%` : null
      const from = query.from ? new Date(startOfDay(query.from)) : null
      const to = query.to ? new Date(startOfDay(nextDay(query.to))) : null
      const { rows } = await sql<Row>`
        select seq, action_id, actor, action, subject, reason, before, after, acted_at, encode(hash, 'hex') as hash
        from admin_seals join admin_actions using (action_id)
        where (${before ?? null}::bigint is null or seq < ${before ?? null})
          and (${query.actor ?? null}::text is null or actor = lower(${query.actor ?? null}))
          and (${beginning}::text is null or action like ${beginning})
          and (${from}::timestamptz is null or acted_at >= ${from})
          and (${to}::timestamptz is null or acted_at < ${to})
          and (${text}::text is null or actor ilike ${text} or action ilike ${text} or subject ilike ${text}
            or reason ilike ${text})
        order by seq desc limit ${query.limit + 1}`.execute(db)
      return toPage(rows, query.limit, entryOf, (row) => encodeCursor(row.seq))
    },

    /** How long the chain is, its last hash, and where it is broken first. */
    async check(db: Db): Promise<{
      entries: number
      head: string | null
      broken: { seq: string | null; problem: string } | null
    }> {
      const { rows: heads } = await sql<{ entries: number; head: string | null }>`
        select count(*)::integer as entries,
          (select encode(hash, 'hex') from admin_seals order by seq desc limit 1) as head
        from admin_seals`.execute(db)
      const { rows } = await sql<{ seq: bigint | null; expected: string; actual: string; subject: string }>`
        select seq, subject, expected, actual from (${BROKEN_SEALS}) as b order by seq nulls last limit 1`.execute(
        db,
      )
      const [first] = rows
      const broken = first && {
        seq: first.seq === null ? null : `${first.seq}`,
        problem: `${first.subject}: expected ${first.expected}, is ${first.actual}`,
      }
      return { ...heads[0]!, broken: broken ?? null }
    },
  }
}

function entryOf(row: Row): AdminActionEntry {
  return {
    ...row,
    seq: `${row.seq}`,
    action_id: `${row.action_id}`,
    actor: actorText(row.actor),
    acted_at: row.acted_at.toISOString(),
  }
}
