import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChainProgress } from '../../../chain/progress.ts'
import { inTx } from '../../../db/database.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { createLedgerService } from '../../books/ledger/ledger.service.ts'
import { createReversals } from '../../books/reversals/reversals.service.ts'
import { createAdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import { createAttestedRevenue } from './attested-revenue.service.ts'

const USDT = `0x${'11'.repeat(20)}` as const
const AMC = `0x${'22'.repeat(20)}` as const
const HASH = `0x${'ab'.repeat(32)}` as const
const now = () => new Date('2026-01-05T10:00:00Z')
const ledger = createLedgerService()
const reversals = createReversals({ now, ledger })
const progress = createChainProgress({ chainId: 42161, confirmations: 1, now })
const attestedRevenue = createAttestedRevenue({
  now,
  ledger,
  reversals,
  progress,
  adminLog: createAdminLogService({ now }),
  contracts: { bank: USDT, transfer: USDT, usdt: USDT, amc: AMC },
  decimals: { USDT: 6, AMC: 18 },
})
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ role: 'rif_app' })
})
afterAll(() => database.close())

const prepare = (depositId: bigint, amountMicros: bigint) =>
  inTx(database.db, (dbTx) =>
    attestedRevenue.prepare(dbTx, {
      pool: 'yield_pool',
      asset: 'AMC',
      amountMicros,
      source: 'rent',
      documentHash: HASH,
      depositId,
      actor: 'anna',
    }),
  )
const approve = (attestationId: bigint, actor: string) =>
  inTx(database.db, (dbTx) => attestedRevenue.approve(dbTx, { attestationId, actor }))
const deposit = (depositId: bigint, amount: bigint) =>
  inTx(database.db, (dbTx) =>
    attestedRevenue.handler.onFinal(dbTx, {
      name: 'RevenueDeposited',
      blockNumber: 1n,
      blockHash: HASH,
      blockAt: now(),
      txHash: HASH,
      logIndex: 0,
      contract: USDT,
      args: { depositId, from: USDT, label: HASH, token: AMC, amount, documentHash: HASH },
    }),
  )
const pool = async () => (await ledger.pools.balances(database.db, 'yield_pool')).AMC

test('revenue enters its pool once, when a second admin has approved it and its deposit is final', async () => {
  const { attestationId } = await prepare(1n, 2_000_000n)
  await expect(approve(attestationId, 'anna')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(approve(attestationId, 'ben')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  await deposit(1n, 2n * 10n ** 18n + 7n)
  await deposit(1n, 2n * 10n ** 18n + 7n)
  expect(await pool()).toBe(0n)
  await approve(attestationId, 'ben')
  expect(await pool()).toBe(2_000_000n)
  await expect(approve(attestationId, 'carla')).rejects.toMatchObject({ code: 'NOTHING_TO_REVIEW' })
  await expect(approve(99n, 'ben')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('amounts that differ from the deposit, and a second use of a deposit, are refused', async () => {
  await expect(prepare(1n, 2_000_000n)).rejects.toMatchObject({ code: 'DEPOSIT_USED' })
  await expect(prepare(2n, 0n)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
  const { attestationId } = await prepare(2n, 3_000_000n)
  await deposit(2n, 2n * 10n ** 18n)
  await expect(approve(attestationId, 'ben')).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { field: 'amountMicros' },
  })
  expect(await pool()).toBe(2_000_000n)
})
