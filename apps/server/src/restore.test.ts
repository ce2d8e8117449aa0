import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTestDatabase } from './testing/test-database.ts'

it('issues no id again that the bank may know, after the statement for a restore in docs/operations.md', async () => {
  const page = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  const [, statement] = /issued again:\n\n\s+```sql\n(.*?)\n\s+```/s.exec(page) as unknown as [string, string]
  const database = await createTestDatabase()
  try {
    await sql.raw(statement).execute(database.adminDb)
    for (const [table, id] of [
      ['orders', 'order_id'],
      ['fund_orders', 'order_id'],
      ['withdrawals', 'withdrawal_id'],
    ]) {
      const { rows } = await sql<{ next: string }>`
        select nextval(pg_get_serial_sequence(${table}, ${id})) as next`.execute(database.adminDb)
      expect(Number(rows[0]!.next), table).toBeGreaterThan(1_000_000)
    }
  } finally {
    await database.close()
  }
})
