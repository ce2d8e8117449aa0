import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLedger } from '../../modules/books/ledger/audit.ts'
import { LEDGER_CHECKS } from '../../modules/books/ledger/audit-checks.ts'
import { createLedgerService } from '../../modules/books/ledger/ledger.service.ts'
import { grant } from '../../modules/books/ledger/testing/entries.ts'
import { createTestDatabase, isOnCluster, type TestDatabase } from '../../testing/test-database.ts'
import { type Db, inTrial, inTx } from '../database.ts'

/** The table of docs/scale.md, "Logins". */
describe.runIf(isOnCluster())('a stolen login of the application on a cluster', () => {
  const ledger = createLedgerService()
  let database: TestDatabase
  let db: Db

  beforeAll(async () => {
    database = await createTestDatabase({ max: 2, role: 'rif_app' })
    db = database.db
    await ledger.post(db, grant('gift', 1n, 100n))
  })
  afterAll(() => database.close())

  const FORGED = `insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination,
    posted_at, content_digest, idempotency_key, cause_type, cause_id)
    values (1, 2, 5, '2026-01-05', 1, 'grant', 'USDT', 'external', $flow, '2026-01-05', '\\x00', 'forged', 'test', '1')`

  test.each([
    ['changes a posted entry', 'update ledger_entries set amount = 5 where member_id = 1', '42501'],
    ['deletes a posted entry', 'delete from ledger_entries where member_id = 1', '42501'],
    ['deletes a day of a pool', 'delete from ledger_pool_days', '42501'],
    ['deletes a settled day', 'delete from settlement_days', '42501'],
    ['writes an entry outside the flow table', FORGED.replace('$flow', "'fees'"), '23514'],
    ['takes a balance below zero', 'update ledger_heads set balances[1] = -1 where member_id = 1', '23514'],
    ['disables a guard', 'alter table ledger_entries disable trigger all', '42501'],
    ['drops a table', 'drop table ledger_entries', '42501'],
    ['changes the log of admins', `update admin_actions set reason = ''`, '42501'],
  ])('never %s', async (_, statement, code) => {
    await expect(sql.raw(statement).execute(db)).rejects.toMatchObject({ code })
  })

  test.each([
    ['writes an entry by hand', FORGED.replace('$flow', "'available'")],
    ['changes a balance', 'update ledger_heads set balances[1] = balances[1] + 5 where member_id = 1'],
    [
      'changes a pool',
      `update ledger_pools set balance = balance + 5 where account = 'suspense' and asset = 'USDT'`,
    ],
  ])('%s, which the audit finds', async (_, statement) => {
    const findings = await inTx(db, (dbTx) =>
      inTrial(dbTx, async () => {
        await sql.raw(statement).execute(dbTx)
        return (await Promise.all(LEDGER_CHECKS.map(({ run }) => run(dbTx)))).flat()
      }),
    )
    expect(findings).not.toEqual([])
    expect(await auditLedger(db)).toEqual([])
  })

  test.each(['rewards', 'unmatched_payments', 'unmatched_claims'])(
    'may delete from %s, which the audit compares with the ledger',
    async (table) => {
      await expect(sql.raw(`delete from ${table}`).execute(db)).resolves.toBeDefined()
    },
  )
})
