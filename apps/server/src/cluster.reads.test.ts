import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Db } from './db/database.ts'
import { read, readShared } from './db/read.ts'
import type { SentStatement } from './db/sender.ts'
import { createLedgerService } from './modules/ledger/ledger.service.ts'
import { grant } from './modules/ledger/testing/entries.ts'
import { openProxiedMachines } from './testing/proxied-machines.ts'
import { createTestDatabase, isOnCluster, type TestDatabase } from './testing/test-database.ts'

/** Stands for an answer of the coordinator. */
const COORDINATOR = 0
const MEMBERS = [11n, 12n, 13n, 14n, 15n, 16n, 17n, 18n]

describe.runIf(isOnCluster())('a read of one member', () => {
  const ledger = createLedgerService()
  const sent: SentStatement[] = []
  let database: TestDatabase
  const give = (memberId: bigint, key: string, micros: bigint) =>
    ledger.post(database.db, grant(`${key}/${memberId}`, memberId, micros))
  const available = async (memberId: bigint) => (await ledger.balances(database.db, memberId)).USDT.available
  const isDirect = () => sent.length === 1 && /from ledger_heads_\d+ /.test(sent[0]!.text)

  beforeAll(async () => {
    database = await createTestDatabase({
      role: 'rif_app',
      onMessage: (statements) => sent.push(...statements),
    })
    for (const memberId of MEMBERS) await give(memberId, 'gift', 1_000n + memberId)
  })
  afterAll(() => database.close())

  it('queries the machine of the rows, and sees earlier postings', async () => {
    // The first read looks up the machines.
    await vi.waitFor(async () => {
      sent.length = 0
      await available(MEMBERS[0]!)
      expect(isDirect()).toBe(true)
    })
    for (const memberId of MEMBERS) {
      expect(await available(memberId)).toBe(1_000n + memberId)
      await give(memberId, 'second', 1n)
      sent.length = 0
      expect(await available(memberId)).toBe(1_001n + memberId)
      expect(isDirect()).toBe(true)
    }
    sent.length = 0
    expect(await available(999n)).toBe(0n)
    expect(isDirect()).toBe(true)
  })
})

describe.runIf(isOnCluster())('a read of data that is the same for all', () => {
  it("queries the coordinator's copy, and sees earlier writes", async () => {
    const sent: SentStatement[] = []
    const database = await createTestDatabase({ onMessage: (statements) => sent.push(...statements) })
    const plans = read<number, number>(
      () => sql`select null::bigint as member_id, count(*) as value from plans`,
      (count) => count ?? 0,
    )
    const count = async () => (await readShared(database.db, { plans })).plans
    await createLedgerService().balances(database.db, 1n)
    await vi.waitFor(async () => {
      expect(await count()).toBe(0)
      expect(sent.at(-1)!.text).toMatch(/from plans_\d+/)
    })
    for (const [added, effectiveDay] of ['2026-01-01', '2026-02-01'].entries()) {
      await database.db
        .insertInto('plans')
        .values({ effective_day: effectiveDay, plan: '{}', created_at: new Date(), created_by: 'test' })
        .execute()
      expect(await count()).toBe(added + 1)
    }
    await database.close()
  })
})

describe.runIf(isOnCluster())('machines with the rows of members', () => {
  it('are queried while they answer, otherwise the coordinator', async () => {
    const database = await createTestDatabase()
    const { machines, ports, setState, pass, close } = await openProxiedMachines(database)
    const ask = async (db: Db) =>
      (await sql<{ port: number }>`select inet_server_port() as port`.execute(db)).rows.map(
        ({ port }) => port,
      )
    const answers = async () =>
      new Set(
        await machines.read(database.db, MEMBERS, {
          there: ask,
          otherwise: () => Promise.resolve([COORDINATOR]),
        }),
      )
    const workers = new Set(ports)
    expect(await answers()).toEqual(new Set([COORDINATOR]))
    await vi.waitFor(async () => expect(await answers()).toEqual(workers))

    setState('cut')
    expect(await answers()).toEqual(new Set([COORDINATOR]))
    setState('open')
    expect(await answers()).toEqual(new Set([COORDINATOR]))
    pass(5_000)
    await vi.waitFor(async () => expect(await answers()).toEqual(workers))
    await close()
    await database.close()
  })
})
