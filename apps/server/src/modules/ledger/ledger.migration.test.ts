import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createDatabase } from '../../db/database.ts'
import { MIGRATIONS_DIR, migrate } from '../../db/migrate.ts'
import { migrateSimulation } from '../../db/simulation.ts'
import { createEmptyDatabase } from '../../testing/test-database.ts'
import { auditLedger } from './ledger.audit.ts'
import { createLedgerService } from './ledger.service.ts'
import { AT, DAY, entry, line, transfer } from './testing/entries.ts'

const BEFORE = '0052'

test('books with balances of clearing, flows that are not added up and pools are converted and stay right', async () => {
  const { urls, drop } = await createEmptyDatabase()
  const dir = await mkdtemp(join(tmpdir(), 'rif-migrations-'))
  const { db, close } = createDatabase({ url: urls.owner, max: 2, applicationName: 'rif-test' })
  try {
    for (const file of await readdir(MIGRATIONS_DIR))
      if (file < BEFORE) await copyFile(join(MIGRATIONS_DIR, file), join(dir, file))
    await migrate({ url: urls.owner, dir })
    await sql`update ledger_simulation set is_simulation = true`.execute(db)
    const ledger = createLedgerService()
    await ledger.post(db, entry('g', 'grant', line(1n, 'external>available', 100n)))
    await ledger.post(db, transfer('t', 1n, 2n, 60n))
    await ledger.reverse(db, {
      ...{ key: 't', memberIds: [1n, 2n], cause: { type: 'test', id: '1' }, accountingDay: DAY, at: AT },
    })
    await ledger.post(db, transfer('u', 1n, 2n, 7n))
    await ledger.post(db, entry('p', 'order_payment', line(3n, 'external>commission_pool', 9n)))
    const clearing = sql`select from ledger_balances where account = 'clearing'`
    expect((await clearing.execute(db)).rows).toHaveLength(2)

    await migrateSimulation(urls.owner)
    expect((await clearing.execute(db)).rows).toHaveLength(0)
    expect(await auditLedger(db)).toEqual([])
    const [flow] = await ledger.flows(db, { from: DAY, to: DAY }, ['transfer'])
    expect(flow).toMatchObject({ source: 'available', destination: 'clearing', micros: 67n, postings: 2 })
    expect(await ledger.post(db, transfer('u', 1n, 2n, 7n))).toEqual({ posted: false })
    await ledger.post(db, transfer('v', 2n, 1n, 7n))
    await ledger.post(db, entry('q', 'commission', line(2n, 'commission_pool>available', 9n)))
    expect((await ledger.balances(db, 1n)).USDT.available).toBe(100n)
    expect(await auditLedger(db)).toEqual([])
  } finally {
    await close()
    await rm(dir, { recursive: true })
    await drop()
  }
}, 60_000)
