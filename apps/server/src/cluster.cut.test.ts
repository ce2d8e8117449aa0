import { setTimeout as sleep } from 'node:timers/promises'
import { nextDay } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { AUDIT_CHECKS } from './audit.ts'
import { type Db, inSnapshot, inWritableSnapshot } from './db/database.ts'
import { auditLedger } from './modules/ledger/ledger.audit.ts'
import { createTestBooks, type TestBooks } from './modules/settlement/testing/test-books.ts'
import { createSolvency } from './modules/solvency/solvency.module.ts'
import { trialBalanceContent } from './modules/statements/content/operators.ts'
import { LOAD_MICROS, type Load, startLoad } from './testing/cluster-load.ts'
import { createTestDatabase, isOnCluster, type TestDatabase } from './testing/test-database.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 })

const FIRST_DAY = '2026-01-26'
const AUDITS = 15
const POSITIONS = 60
const DAYS = 3
const SUMS = 60

// Without the lock of db/cut.ts the audits find partial transfers, and the members' sums change.
describe.runIf(isOnCluster())('while members of different machines transfer to each other', () => {
  let database: TestDatabase
  let books: TestBooks
  let solvency: ReturnType<typeof createSolvency>
  let load: Load
  let isOver = false
  let folding: Promise<void>

  beforeAll(async () => {
    database = await createTestDatabase({ max: 14, role: 'rif_app' })
    books = createTestBooks(database, FIRST_DAY)
    solvency = createSolvency({ ...books, saltKey: Buffer.alloc(32, 7) })
    await books.begin()
    await books.price('AMC', '0.5')
    load = await startLoad(database, { now: books.now })
    const fold = async () => {
      // Like the worker, every two seconds.
      for (; !isOver; await sleep(20)) await books.ledger.foldFlows(database.db)
    }
    folding = fold()
  })
  afterAll(async () => {
    isOver = true
    await load.stop()
    await folding
    await database.close()
  })

  it('an audit finds no difference', async () => {
    const before = load.count()
    for (let n = 0; n < AUDITS; n++)
      expect(await auditLedger(database.db, { checks: AUDIT_CHECKS })).toEqual([])
    expect(load.count()).toBeGreaterThan(before + AUDITS)
  })

  it('the liabilities to members equal their balances', async () => {
    for (let n = 0; n < POSITIONS; n++) {
      const { USDT } = await solvency.solvency.position()
      expect([USDT.membersMicros, USDT.booksMicros]).toEqual([LOAD_MICROS, LOAD_MICROS])
    }
  })

  it('a trial balance of the open day agrees with the balances', async () => {
    const read = async (dbTx: Db) => {
      const { entries, rows } = await trialBalanceContent(dbTx, FIRST_DAY)
      // Reading throws if an account or a sum differs.
      for await (const { done } of rows) expect(done).toBe(entries)
    }
    for (let n = 0; n < AUDITS; n++) await inWritableSnapshot(database.db, read)
  })

  it('the report of each day equals the books at its end', async () => {
    for (let n = 0, day = FIRST_DAY; n < DAYS; n++, day = nextDay(day)) {
      books.goTo(nextDay(day))
      expect(await books.settlement.settle(day)).toEqual({ settled: true })
      const before = load.count()
      expect(await solvency.solvencySnapshots.catchUp()).toEqual([day])
      await vi.waitFor(() => expect(load.count()).toBeGreaterThan(before))
      expect((await books.ledger.owed(database.db, day)).USDT.membersMicros).toBe(LOAD_MICROS)
    }
    const { refused } = await load.stop()
    expect(await load.lost()).toEqual([])
    expect(await auditLedger(database.db, { checks: AUDIT_CHECKS })).toEqual([])
    process.stdout.write(`cuts: ${load.count()} movements acknowledged, ${refused} refused\n`)
  })
})

// On the day of the machines' clocks these are transactions of two machines past the coordinator.
describe.runIf(isOnCluster())('while members of different machines transfer past the coordinator', () => {
  it('what all members have is the same at each moment', async () => {
    let spread = 0
    const database = await createTestDatabase({
      ...{ max: 14, role: 'rif_app' },
      onMessage: (sent) => {
        if (sent.some(({ text }) => text.includes('ledger_post_elsewhere'))) spread++
      },
    })
    const load = await startLoad(database)
    await vi.waitFor(() => expect(spread).toBeGreaterThan(0), 20_000)
    const before = spread
    for (let n = 0; n < SUMS; n++) {
      const { rows } = await inSnapshot(database.db, (snapshot) =>
        sql<{ sum: string }>`
          select sum(balance)::text as sum from ledger_heads, unnest(balances) as balance`.execute(snapshot),
      )
      expect(rows).toEqual([{ sum: `${LOAD_MICROS}` }])
    }
    expect(spread).toBeGreaterThan(before + SUMS)
    const { refused } = await load.stop()
    expect(refused).toBe(0)
    expect(await load.lost()).toEqual([])
    expect(await auditLedger(database.db, { checks: AUDIT_CHECKS })).toEqual([])
    await database.close()
  })
})
