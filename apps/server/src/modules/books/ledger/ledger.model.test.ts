import { type Asset, MEMBER_ACCOUNTS } from '@rif/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '../../../lib/errors.ts'
import { runs } from '../../../testing/level.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { postAttested } from '../../rewards/attested-revenue/testing/post-attested.ts'
import { custodyAccount, POOL_ACCOUNTS, TRANSACTION_KINDS } from './accounts.ts'
import { auditLedger } from './audit.ts'
import { createLedgerService, type JournalEntry } from './ledger.service.ts'
import { AT, DAY, entry, FLOW_ROWS, line, transfer } from './testing/entries.ts'
import { createModel } from './testing/ledger-model.ts'

const MEMBERS = 4
const ASSETS = ['USDT', 'AMC'] as const

/** A product of the fund, whose custody is a pool. */
const PRODUCT = 1n
const POOLS = [...POOL_ACCOUNTS, custodyAccount(PRODUCT)]
/** The flows that are complete by themselves; a flow through `clearing` is one of two halves. */
const flowsOf = (kind: (typeof TRANSACTION_KINDS)[number]) =>
  FLOW_ROWS.filter(
    (row) => row.kind === kind && !`${row.source} ${row.destination}`.includes('clearing'),
  ).map(({ asset, source, destination }) => ({
    asset: asset as Asset,
    flow: `${source}>${destination}`.replaceAll('fund_custody', custodyAccount(PRODUCT)),
  }))

const ledger = createLedgerService()
let database: TestDatabase
let round = 0n

beforeAll(async () => {
  database = await createTestDatabase()
  await ledger.pools.openCustody(database.db, PRODUCT)
  const time = { amountMicros: 1_000n, accountingDay: DAY, at: AT }
  for (const destination of ['yield_pool', 'savings_pool', 'dividend_pool'] as const) {
    for (const asset of ASSETS) await postAttested(database.db, { destination, asset, ...time })
  }
})
afterAll(() => database.close())

const member = fc.bigInt(1n, BigInt(MEMBERS))
const amount = fc.bigInt(1n, 40n)
/** Few keys, so that they are reused, with equal or different content. */
const key = fc.integer({ min: 0, max: 60 }).map(String)

/**
 * `revenue` and `fees` have no row to lock. Income is paid from the fee of the same redemption, which the
 * fund's tests cover. Attested revenue and investments need an approval, and an undoing needs a reversal.
 */
const EXCLUDED: readonly string[] = [
  'transfer',
  'fund_income',
  'attested_revenue',
  'fund_invest',
  'fund_divest',
  'exit_hold',
  'treasury_payout',
  'reversal_advance',
  'shortfall_cover',
]
const KINDS = TRANSACTION_KINDS.filter((kind) => !EXCLUDED.includes(kind))

const movement = fc.tuple(key, fc.constantFrom(...KINDS)).chain(([key, kind]) =>
  fc
    .array(fc.tuple(member, fc.constantFrom(...flowsOf(kind)), amount), { minLength: 1, maxLength: 4 })
    .map((lines) => lines.map(([memberId, { asset, flow }, micros]) => line(memberId, flow, micros, asset)))
    .map((lines) => entry(key, kind, ...lines)),
)
const transferBetween = fc.tuple(key, member, member, amount).map((parts) => transfer(...parts))
const releaseBetween = fc
  .tuple(key, member, member, amount)
  .map(([of, from, to, micros]) =>
    entry(
      of,
      'suspense_release',
      line(from, 'suspense>clearing', micros),
      line(to, 'clearing>available', micros),
    ),
  )
const transactions = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: movement },
      { weight: 2, arbitrary: transferBetween },
      { weight: 1, arbitrary: releaseBetween },
    ),
    { minLength: 20, maxLength: 60 },
  )
  .chain((all) => fc.shuffledSubarray([...all, ...all], { minLength: all.length }))

async function postReal(transaction: JournalEntry): Promise<string> {
  try {
    return (await ledger.post(database.db, transaction)).posted ? 'posted' : 'known'
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

async function readPools(): Promise<Map<string, bigint>> {
  const pools = new Map<string, bigint>()
  for (const account of POOLS) {
    const balances = await ledger.pools.balances(database.db, account)
    for (const asset of ASSETS) pools.set(`${account} ${asset}`, balances[asset])
  }
  return pools
}

test('behaves like the model in memory, whatever is posted', async () => {
  const outcomes = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(transactions, async (all) => {
      // Every run has its own members and keys, because rows cannot be deleted between runs.
      const run = ++round
      const own = (memberId: bigint) => memberId + run * 100n
      const model = createModel(await readPools())
      for (const transaction of all) {
        const lines = transaction.lines.map((line) => ({ ...line, memberId: own(line.memberId) }))
        const mine = { ...transaction, key: `${run}/${transaction.key}`, lines }
        const outcome = model.post(mine)
        expect(await postReal(mine)).toBe(outcome)
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
      for (let memberId = 1n; memberId <= MEMBERS; memberId++) {
        const balances = await ledger.balances(database.db, own(memberId))
        for (const asset of ASSETS) {
          for (const account of MEMBER_ACCOUNTS) {
            expect(balances[asset][account]).toBe(model.balance(own(memberId), asset, account))
          }
        }
      }
      for (const [pool, balance] of await readPools()) {
        const [account, asset] = pool.split(' ') as [string, string]
        expect(balance).toBe(model.pool(account, asset))
      }
    }),
    { numRuns: runs({ usual: 4, full: 100 }) },
  )
  expect(await auditLedger(database.db)).toEqual([])
  expect([...outcomes.keys()].sort()).toEqual([
    'IDEMPOTENCY_CONFLICT',
    'INSUFFICIENT_BALANCE',
    'known',
    'posted',
  ])
})
