import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { createTestDatabase, isOnCluster, type TestDatabase } from '../../testing/test-database.ts'
import { postAttested } from '../attested-revenue/testing/post-attested.ts'
import { auditLedger } from './ledger.audit.ts'
import { createLedgerService } from './ledger.service.ts'

const DAY = '2026-01-05'
const at = new Date(`${DAY}T10:00:00Z`)
const ledger = createLedgerService()
let database: TestDatabase

type Line = [memberId: number, asset: string, source: string, destination: string, amount: number]

const query = (lines: readonly Line[]) => sql`
  select * from unnest(${lines.map((_, place) => place)}::integer[], ${lines.map((line) => line[0])}::bigint[],
    ${lines.map((line) => line[1])}::text[], ${lines.map((line) => line[2])}::text[],
    ${lines.map((line) => line[3])}::text[], ${lines.map((line) => line[4])}::bigint[])
    as lines (place, member_id, asset, source, destination, amount)`

const post = (
  key: string,
  kind: 'static' | 'release' | 'transfer',
  lines: readonly Line[],
  fromReserve = false,
) =>
  ledger.postMany(database.db, {
    ...{ key, kind, cause: { type: 'test', id: '1' }, accountingDay: DAY, at, fromReserve },
    lines: query(lines),
  })

const paid = (memberId: number, amount: number): Line => [memberId, 'USDT', 'yield_pool', 'available', amount]

const fill = (amountMicros: bigint) =>
  postAttested(database.db, {
    destination: 'yield_pool',
    asset: 'USDT',
    amountMicros,
    accountingDay: DAY,
    at,
  })

const held = () => ledger.poolBalances(database.db, 'yield_pool')

beforeAll(async () => {
  database = await createTestDatabase({ role: 'rif_app' })
  await fill(1_000n)
})
afterAll(() => database.close())

test('posts a transaction for each member, once; the same key with other content is refused', async () => {
  const lines = [paid(3, 5), paid(1, 7), paid(3, 11)]
  expect(await post('bulk/1', 'static', lines)).toEqual({ posted: 2n })
  expect(await post('bulk/1', 'static', lines)).toEqual({ posted: 0n })
  await expect(post('bulk/1', 'static', [paid(3, 5), paid(1, 7)])).rejects.toMatchObject({
    code: 'IDEMPOTENCY_CONFLICT',
  })
  await expect(post('bulk/1', 'static', [...lines, paid(9, 1)])).rejects.toMatchObject({
    code: 'IDEMPOTENCY_CONFLICT',
  })
  expect((await ledger.balances(database.db, 3n)).USDT.available).toBe(16n)
  const { items } = await ledger.entries(database.db, 3n, { limit: 10 })
  expect(items.map(({ seq, line, amountMicros }) => [seq, line, amountMicros])).toEqual([
    [1n, 2, 11n],
    [1n, 1, 5n],
  ])
  expect(await held()).toEqual({ USDT: 977n, AMC: 0n })
  expect(await auditLedger(database.db)).toEqual([])
})

test('an empty list posts nothing', async () => {
  expect(await post('bulk/none', 'static', [])).toEqual({ posted: 0n })
})

test('a missing balance or an illegal flow refuses the whole call', async () => {
  await expect(post('bulk/2', 'static', [paid(1, 1), paid(2, 977)])).rejects.toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
  })
  await expect(post('bulk/3', 'release', [[1, 'AMC', 'locked', 'available', 1]])).rejects.toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
  })
  await expect(post('bulk/4', 'static', [[1, 'USDT', 'commission_pool', 'available', 1]])).rejects.toThrow()
  await expect(post('bulk/5', 'transfer', [[1, 'USDT', 'available', 'clearing', 1]])).rejects.toThrow()
  expect(await held()).toEqual({ USDT: 977n, AMC: 0n })
  expect(await auditLedger(database.db)).toEqual([])
})

test('reserved money is for its batch only', async () => {
  await inTx(database.db, (dbTx) => ledger.reserve(dbTx, 'yield_pool', { USDT: 900n, AMC: 0n }))
  expect(await held()).toEqual({ USDT: 77n, AMC: 0n })
  await expect(
    inTx(database.db, (dbTx) => ledger.reserve(dbTx, 'yield_pool', { USDT: 78n, AMC: 0n })),
  ).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  await expect(post('bulk/6', 'static', [paid(1, 78)])).rejects.toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
  })
  await expect(post('bulk/7', 'static', [paid(1, 901)], true)).rejects.toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
  })
  await post('bulk/8', 'static', [paid(1, 400), paid(2, 500)], true)
  expect(await held()).toEqual({ USDT: 77n, AMC: 0n })
  expect(await auditLedger(database.db)).toEqual([])
})

test.skipIf(isOnCluster())(
  'the running server can neither touch what is set aside nor write the books itself',
  async () => {
    await expect(sql`update ledger_pools set reserved = 0`.execute(database.db)).rejects.toThrow(
      'permission denied',
    )
  },
)
