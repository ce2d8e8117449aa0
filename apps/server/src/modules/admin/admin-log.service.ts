import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'

/** What an admin did to what. `before` and `after` are plain JSON: amounts as decimal texts. */
export interface AdminAction {
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly reason?: string
  readonly before?: unknown
  readonly after?: unknown
}

export type AdminLogService = ReturnType<typeof createAdminLogService>

/** The append-only log of what admins did. Rules, section 12. */
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
  }
}
