import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { createTestDatabase, isOnCluster, type TestDatabase } from '../../../testing/test-database.ts'
import { postAttested } from '../../rewards/attested-revenue/testing/post-attested.ts'
import { auditLedger } from './audit.ts'
import { createLedgerService } from './ledger.service.ts'

const DAY = '2026-01-05'
const at = new Date(`${DAY}T10:00:00Z`)
const ledger = createLedgerService()
let database: TestDatabase

/**
 * The error of a row that a table check refuses; a cluster passes on a machine's message, but not always the
 * code.
 */
const VIOLATION = { message: expect.stringContaining('violates check constraint') }

/** A member, the number of a flow, and an amount. Flows: release of AMC; static in USDT and in AMC. */
type Line = readonly [memberId: number, flow: number, amount: number]

const post = (batch: string, part: number, lines: readonly Line[], staticSource = 'yield_pool' as const) =>
  ledger.postBatches(database.db, {
    cause: { type: 'test', id: batch },
    accountingDay: DAY,
    at,
    batches: [
      {
        key: `${batch}/release`,
        kind: 'release',
        flows: [{ asset: 'AMC', source: 'locked', destination: 'available' }],
      },
      {
        key: `${batch}/static`,
        kind: 'static',
        flows: [
          { asset: 'USDT', source: staticSource, destination: 'available' },
          { asset: 'AMC', source: staticSource, destination: 'locked' },
        ],
      },
    ],
    reserve: { batch, part },
    lines: sql`select * from unnest(${lines.map(([memberId]) => memberId)}::bigint[],
      ${lines.map(([, flow]) => flow)}::integer[], ${lines.map(([, , amount]) => amount)}::bigint[])
      as lines (member_id, flow, amount)`,
  })

/** Reserves amounts of the yield pool, a USDT and an AMC amount for each part, and divides them. */
async function divide(batch: string, ...parts: readonly (readonly [usdt: bigint, amc: bigint])[]) {
  await inTx(database.db, async (dbTx) => {
    const sum = (place: 0 | 1) => parts.reduce((all, part) => all + part[place], 0n)
    await ledger.pools.reserve(dbTx, 'yield_pool', { USDT: sum(0), AMC: sum(1) })
    await divideOnly(batch, parts, dbTx)
  })
}

const divideOnly = (
  batch: string,
  parts: readonly (readonly [usdt: bigint, amc: bigint])[],
  dbTx = database.db,
) =>
  ledger.pools.divideReserve(
    dbTx,
    batch,
    DAY,
    parts.flatMap(([usdt, amc], place) => [
      { part: place + 1, account: 'yield_pool', asset: 'USDT', amountMicros: usdt } as const,
      { part: place + 1, account: 'yield_pool', asset: 'AMC', amountMicros: amc } as const,
    ]),
  )

const free = () => ledger.pools.balances(database.db, 'yield_pool')
const close = (batch: string) => inTx(database.db, (dbTx) => ledger.pools.closeParts(dbTx, batch))

beforeAll(async () => {
  database = await createTestDatabase({ role: 'rif_app' })
  for (const asset of ['USDT', 'AMC'] as const) {
    const money = { destination: 'yield_pool', asset, amountMicros: 1_000n } as const
    await postAttested(database.db, { ...money, accountingDay: DAY, at })
  }
})
afterAll(() => database.close())

test('posts the batches of many members from parts of a reserve, each once, in the order of the batches', async () => {
  await divide('a', [30n, 20n], [7n, 5n])
  const first: Line[] = [
    [2, 2, 20],
    [1, 2, 10],
    [1, 3, 8],
    [2, 3, 12],
  ]
  expect(await post('a', 1, first)).toEqual({ posted: 2n })
  expect(await post('a', 1, first)).toEqual({ posted: 0n })
  expect(await auditLedger(database.db)).toEqual([])
  expect(
    await post('a', 2, [
      [3, 2, 7],
      [3, 3, 5],
    ]),
  ).toEqual({ posted: 1n })
  expect(await free()).toEqual({ USDT: 963n, AMC: 975n })
  await close('a')
  expect(await free()).toEqual({ USDT: 963n, AMC: 975n })
  expect(await auditLedger(database.db)).toEqual([])

  // Member 1 has a release and a static reward, in that order; the static one has two lines.
  await divide('b', [3n, 2n])
  expect(
    await post('b', 1, [
      [1, 1, 8],
      [1, 2, 3],
      [1, 3, 2],
    ]),
  ).toEqual({ posted: 2n })
  await close('b')
  const { items } = await ledger.history.entries(database.db, 1n, { limit: 3 })
  expect(
    items.map(({ seq, line, kind, asset, amountMicros }) => [seq, line, kind, asset, amountMicros]),
  ).toEqual([
    [3n, 2, 'static', 'AMC', 2n],
    [3n, 1, 'static', 'USDT', 3n],
    [2n, 1, 'release', 'AMC', 8n],
  ])
  expect((await ledger.balances(database.db, 1n)).AMC).toMatchObject({ available: 8n, locked: 2n })
  // The digests equal those of single postings: the audit computes them from the lines.
  expect(await auditLedger(database.db)).toEqual([])
})

test('refuses the whole batch for a reused key, a missing balance or an illegal flow', async () => {
  await divide('c', [30n, 20n])
  const before = await free()
  await post('c', 1, [
    [4, 2, 10],
    [4, 3, 5],
  ])
  for (const lines of [
    [
      [4, 2, 11],
      [4, 3, 5],
    ],
    [
      [4, 2, 10],
      [4, 3, 5],
      [5, 2, 1],
    ],
  ] as const) {
    await expect(post('c', 1, lines)).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
  }
  for (const lines of [
    [[5, 2, 21]], // more than the part has left
    [[5, 1, 1]], // nothing is locked
    [
      [5, 2, 1],
      [4, 1, 6],
    ],
  ] as const) {
    await expect(post('c', 1, lines)).rejects.toMatchObject({ code: expect.any(String) })
  }
  await expect(post('c', 2, [[5, 2, 1]])).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  await expect(post('c', 1, [[5, 2, 1]], 'commission_pool' as unknown as 'yield_pool')).rejects.toMatchObject(
    VIOLATION,
  )
  await expect(post('c', 1, [[5, 2, 0]])).rejects.toMatchObject(VIOLATION)
  await expect(post('c', 1, [[5, 4, 1]])).rejects.toMatchObject({ code: 'RL003' })
  expect(await free()).toEqual(before)
  expect(await auditLedger(database.db)).toEqual([])
})

test('a part cannot exceed the reserve, and must be paid in full before the pool is closed', async () => {
  await expect(divideOnly('d', [[1n, 1n]])).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  await expect(close('c')).rejects.toMatchObject({ code: 'RL003' })
})

// On a cluster the login of the application has the rights of the functions of the ledger (decision 49).
test.skipIf(isOnCluster())('the running server cannot write a part itself', async () => {
  await expect(sql`update ledger_pool_parts set paid = amount`.execute(database.db)).rejects.toThrow(
    'permission denied',
  )
})
