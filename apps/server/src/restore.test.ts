import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTestDatabase } from './testing/test-database.ts'

it('issues no id again that is known outside, after the statement for a restore in docs/operations/runbooks.md', async () => {
  const page = await readFile(new URL('../../../docs/operations/runbooks.md', import.meta.url), 'utf8')
  const [, statement] = /issued again:\n\n\s+```sql\n(.*?)\n\s+```/s.exec(page) as unknown as [string, string]
  const database = await createTestDatabase()
  try {
    const dayOf = async () =>
      (await sql<{ day: string }>`select last_value as day from ledger_settled_day`.execute(database.adminDb))
        .rows
    const day = await dayOf()
    await sql.raw(statement).execute(database.adminDb)
    expect(await dayOf()).toEqual(day)
    for (const [table, id] of [
      ['orders', 'order_id'],
      ['fund_orders', 'order_id'],
      ['withdrawals', 'withdrawal_id'],
      // A payment for a lost member's order is booked under the member's id.
      ['members', 'member_id'],
      // Receivers ignore an id that they have seen.
      ['webhook_events', 'event_id'],
      ['alarm_messages', 'alarm_id'],
      ['notices', 'notice_id'],
      // The secret of an endpoint is derived from its id.
      ['webhook_endpoints', 'endpoint_id'],
    ]) {
      const { rows } = await sql<{ next: string }>`
        select nextval(pg_get_serial_sequence(${table}, ${id})) as next`.execute(database.adminDb)
      expect(Number(rows[0]!.next), table).toBeGreaterThan(1_000_000)
    }
  } finally {
    await database.close()
  }
})
