import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type Database, inTx } from '../../../db/database.ts'
import { createServices, type Services } from '../../../services.ts'
import { simulatedChain } from '../../../simulate/simulated-chain.ts'
import { SIMULATION_SETTINGS } from '../../../simulate/simulation.ts'
import { startTestReplica, type TestReplica } from '../../../testing/test-replica.ts'
import { createTestBooks } from '../../settlement/testing/test-books.ts'

const DAY = '2026-03-01'
const HOUR_MS = 3_600_000

let servers: TestReplica
let primary: Database
let replica: Database
let books: ReturnType<typeof createTestBooks>
let services: Services
let member: bigint
const lines: { msg: string; from?: string }[] = []

beforeAll(async () => {
  servers = await startTestReplica()
  primary = createDatabase({ url: servers.primaryUrl, max: 4, applicationName: 'rif-test' })
  replica = createDatabase({ url: servers.replicaUrl, max: 2, applicationName: 'rif-test' })
  books = createTestBooks(primary, DAY)
  await books.begin()
  member = await books.join(null, 'auto')
  await books.grant(member, 'USDT', 1_000n)
  services = createServices({
    db: primary.db,
    replicaDb: replica.db,
    now: books.now,
    chain: simulatedChain(),
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    settings: { ...SIMULATION_SETTINGS, replicaWaitMs: 750 },
  })
})
afterAll(async () => {
  await Promise.all([primary.close(), replica.close()])
  await servers.close()
})

const causes = () => services.guard.causes()
/** Runs the audit that is due an hour later. Returns its source, and its alarms. */
async function nextAudit() {
  lines.length = 0
  books.advance(HOUR_MS)
  await services.guard.auditWhenDue()
  const from = lines.find(({ msg }) => msg === 'an audit has ended')?.from
  return { from, isBehind: lines.some(({ msg }) => msg.startsWith('the replica is behind')) }
}
/** Changes a balance without a posting. A posting of the member makes the next audit of changes read it. */
async function tamper(by: number): Promise<void> {
  await books.grant(member, 'USDT', 1n)
  const client = await primary.pool.connect()
  await client.query(
    `begin; set local session_replication_role = replica; update ledger_heads set balances[1] = balances[1] + ${by} where member_id = ${member}; commit`,
  )
  client.release()
}
const clear = () =>
  inTx(primary.db, (dbTx) =>
    services.guard.clear(dbTx, { preparedBy: 'anna', decidedBy: 'ben', reason: 'looked at' }),
  )

test('an audit reads the replica, full and of changes, and sees all data from before its start', async () => {
  expect(await nextAudit()).toEqual({ from: 'replica', isBehind: false })
  expect(await causes()).toEqual([])
  await tamper(5)
  expect(await nextAudit()).toEqual({ from: 'replica', isBehind: false })
  expect(await causes()).toEqual(['difference'])
  await tamper(-5)
  await clear()
  expect(await nextAudit()).toEqual({ from: 'replica', isBehind: false })
  expect(await causes()).toEqual([])
})

test('the connection to the replica is read-only', async () => {
  const write = replica.pool.query("insert into pauses values ('orders', 'x', 'y', now())")
  await expect(write).rejects.toThrow('read-only transaction')
})

test('a lagging replica neither hides a difference nor reports one that is resolved', async () => {
  await servers.pause()
  await tamper(7)
  // The replica still has the correct books.
  expect(await nextAudit()).toEqual({ from: 'database', isBehind: true })
  expect(await causes()).toEqual(['difference'])
  await servers.resume()
  expect(await nextAudit()).toEqual({ from: 'replica', isBehind: false })
  await servers.pause()
  await tamper(-7)
  await clear()
  // The replica still has the difference, and a posting more than the cleared one.
  await books.grant(member, 'USDT', 1n)
  expect(await nextAudit()).toEqual({ from: 'database', isBehind: true })
  expect(await causes()).toEqual([])
  await servers.resume()
})

test('without its replica an audit reads the database', async () => {
  await servers.stopReplica()
  await tamper(9)
  expect(await nextAudit()).toEqual({ from: 'database', isBehind: true })
  expect(await causes()).toEqual(['difference'])
})
