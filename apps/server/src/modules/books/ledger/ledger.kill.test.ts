import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { childProgram } from '../../../testing/child-program.ts'
import { runs } from '../../../testing/level.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { auditLedger } from './audit.ts'
import { createLedgerService } from './ledger.service.ts'
import { grant } from './testing/entries.ts'

const CHILD = new URL('./testing/ledger-kill-child.ts', import.meta.url)
const TOTAL = runs({ usual: 400, full: 4_000 })
const KILLS = runs({ usual: 2, full: 12 })
const ledger = createLedgerService()
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

/** Runs the child until it has made `killAfter` new postings, then kills it. Returns the number of postings. */
async function runChild(killAfter = Number.POSITIVE_INFINITY): Promise<number> {
  const args = [childProgram(CHILD), database.url, `${TOTAL}`]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  let reported = 0
  for await (const line of createInterface(child.stdout)) {
    if (line === 'posted' && ++reported >= killAfter) child.kill('SIGKILL')
  }
  const [code, signal] = await closed
  if (killAfter === Number.POSITIVE_INFINITY) expect(code).toBe(0)
  else expect(signal).toBe('SIGKILL')
  return reported
}

test('a process killed at any moment and restarted loses nothing and posts nothing twice', async () => {
  const { db } = database
  for (let memberId = 0n; memberId < 5n; memberId++) {
    await ledger.post(db, grant(`start/${memberId}`, memberId, 1_000_000n))
  }
  let reported = 0
  for (let kill = 0; kill < KILLS; kill++) reported += await runChild(5 + Math.floor(Math.random() * 80))
  reported += await runChild()

  const { rows } = await sql`
    select count(*) as halves, count(distinct idempotency_key) as transfers from ledger_transactions
    where kind = 'transfer'`.execute(db)
  expect(rows).toEqual([{ halves: BigInt(2 * TOTAL), transfers: BigInt(TOTAL) }])
  expect(reported).toBeLessThanOrEqual(TOTAL)
  const received = Array.from({ length: 7 }, () => 0n)
  for (let i = 0; i < TOTAL; i++) received[i % 7]! += BigInt(i + 1)
  const allBalances = await Promise.all(received.map((_, i) => ledger.balances(db, BigInt(5 + i))))
  expect(allBalances.map((balances) => balances.USDT.available)).toEqual(received)
  expect(await auditLedger(db)).toEqual([])
})
