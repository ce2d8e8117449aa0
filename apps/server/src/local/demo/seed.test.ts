import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { amcTokenAbi } from '@rif/contracts/abi'
import { dayOf, previousDay } from '@rif/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { childProgram } from '../../testing/child-program.ts'
import type { ChildSettings } from '../../testing/product-child.ts'
import { startTestProduct, type TestProduct } from '../../testing/test-product.ts'
import { rpcOver } from '../anvil.ts'
import { openGate } from '../chain-gate.ts'
import { ADMINS, DEMO_TEAM, PAID_PURCHASES, VISITORS } from './cast.ts'
import { assignAccounts, demoAdmins, demoWallets } from './demo-wallets.ts'
import { PAY_IN_TRANSACTIONS } from './pay-in.ts'
import { ORDERS_PER_BLOCK, seedDemo } from './seed.ts'
import type { Death } from './testing/seed-child.ts'

const CHILD = new URL('./testing/seed-child.ts', import.meta.url)
/**
 * The points at which the runs are killed; each run resumes the one before: while tokens are sent, while
 * members sign in, while revenue is paid in, between the approvals of the first block of payments, when that
 * block is mined but not reported, when all are paid but not final, when the claims are mined but not final,
 * and when the last order is paid but not reported.
 */
const DEATHS: readonly Death[] = [
  { method: 'eth_sendTransaction', call: 90 },
  { method: 'personal_sign', call: 12 },
  { method: 'eth_sendTransaction', call: 8 },
  { method: 'eth_sendTransaction', call: 8 },
  { method: 'eth_getTransactionReceipt', call: 1 },
  { method: 'anvil_mine', call: 2 },
  { method: 'anvil_mine', call: 3 },
  { method: 'eth_getTransactionReceipt', call: 1 },
]

let product: TestProduct
const products: TestProduct[] = []
beforeAll(async () => {
  product = await begin()
})
afterAll(() => Promise.all(products.map((each) => each.stop())))

async function begin(): Promise<TestProduct> {
  const begun = await startTestProduct()
  products.push(begun)
  const { db, services, testChain } = begun
  await services.admins.appointFirst(db, demoAdmins(testChain.accounts.slice(1)))
  return begun
}

/** Creates the team in this process. Returns the steps. */
async function seed({ services, testChain, indexer }: TestProduct): Promise<string[]> {
  const steps: string[] = []
  const gate = await openGate(testChain, async () => {})
  await seedDemo({
    services,
    node: { rpc: rpcOver(gate.forward), demoAccounts: testChain.accounts.slice(1) },
    index: indexer.runOnce,
    withTeam: true,
    report: (what, work) => {
      steps.push(what)
      return work
    },
  })
  gate.close()
  return steps
}

/** Creates the team in a process that is killed. */
async function seedAndDie(target: TestProduct, death: Death): Promise<void> {
  const { database, chain, settings } = target
  const child: ChildSettings = {
    databaseUrl: database.url,
    contracts: chain.contracts,
    settings,
    clockOffsetMs: target.clockOffsetMs(),
  }
  const args = [childProgram(CHILD), JSON.stringify(child), JSON.stringify(death)]
  const running = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  expect(await once(running, 'close')).toEqual([null, 'SIGKILL'])
}

/**
 * Returns the data that members see about themselves, by name, without data that differs from run to run:
 * times, hashes, ids and codes.
 */
async function describeTeam({ db, services, testChain }: TestProduct) {
  const { members, placement, ledger, shop, withdrawals, rewards, savingsAccounts, dividends, chain } =
    services
  const { walletOf } = assignAccounts(testChain.accounts.slice(1))
  const names = new Map(DEMO_TEAM.map(({ name }) => [walletOf(name).toLowerCase(), name]))
  const tokens = (wallet: `0x${string}`) =>
    Promise.all(
      [chain.contracts.usdt, chain.contracts.amc].map((address) =>
        chain.untrustedClient.readContract({
          address,
          abi: amcTokenAbi,
          functionName: 'balanceOf',
          args: [wallet],
        }),
      ),
    )
  const described = DEMO_TEAM.map(async ({ name }) => {
    const { memberId, ...member } = (await members.findByAddress(db, walletOf(name)))!
    const sponsor = member.sponsorId === null ? null : await members.get(db, member.sponsorId)
    const orders = (await shop.list(db, memberId, { limit: 50 })).items
    const requests = (await withdrawals.list(db, memberId, { limit: 50 })).items
    const { level, section, invitedAll, invitedValid, investedMicros } = member
    return {
      name,
      level,
      section,
      invitedAll,
      invitedValid,
      investedMicros,
      sponsor: sponsor && names.get(sponsor.address),
      team: await placement.team(db, memberId),
      balances: await ledger.balances(db, memberId),
      income: (await rewards.income(db, memberId)).paidMicros,
      interest: (await savingsAccounts.interest(db, memberId, { limit: 50 })).items,
      dividends: (await dividends.list(db, memberId, { limit: 50 })).items,
      wallet: await tokens(walletOf(name)),
      orders: orders.map(({ product_id, status, use_hash_rate, quote }) => ({
        product_id,
        status,
        use_hash_rate,
        quote,
      })),
      withdrawals: requests.map(({ amount, fee, status, reasons, reject_reason, address }) => ({
        amount,
        fee,
        status,
        reasons,
        reject_reason,
        address,
      })),
    }
  })
  return Promise.all(described)
}

test('creates the team through the services and the chain, in every status, with clean books', {
  tags: ['full'],
}, async () => {
  const { services, db, testChain } = product
  await seed(product)
  expect(await product.audit()).toEqual([])

  const team = await describeTeam(product)
  const today = dayOf(product.now().getTime())
  const orders = team.flatMap((member) => member.orders.map(({ status }) => status))
  expect(countsOf(orders)).toEqual({ Paid: PAID_PURCHASES.length, Processing: 1, UnPaid: 1, Cancelled: 1 })
  const withdrawals = team.flatMap((member) => member.withdrawals.map(({ status }) => status))
  expect(countsOf(withdrawals)).toEqual({
    Success: 3,
    Auditing: 2,
    Withdrawable: 2,
    Rejected: 1,
    Cancelled: 1,
  })
  const rejected = team.flatMap((member) => member.withdrawals).find(({ status }) => status === 'Rejected')
  expect(rejected?.reject_reason).toMatch(/address/)
  expect(countsOf(team.map(({ level }) => `VIP ${level}`))).toEqual({
    'VIP 0': 8,
    'VIP 1': 7,
    'VIP 2': 7,
    'VIP 3': 5,
    'VIP 4': 3,
    'VIP 5': 1,
  })
  const discounts = team.flatMap((member) => member.orders).filter((order) => order.use_hash_rate)
  expect(discounts).toHaveLength(6)
  const [root] = team
  expect(root!.team.left.membersAll + root!.team.right.membersAll).toBe(DEMO_TEAM.length - 1)

  // The earlier days are settled: interest is covered fully, partly and not at all, and every dividend is
  // shared.
  const [ruth, ann] = team
  const coverages = new Set(ruth!.interest.map(({ coverage_ppm }) => coverage_ppm))
  expect(coverages).toContain(1_000_000)
  expect(coverages).toContain(0)
  expect(coverages.size).toBeGreaterThan(3)
  expect(ruth!.interest.filter(({ day }) => day === previousDay(today))).toHaveLength(2)
  expect(ruth!.dividends.map(({ usdt, amc }) => [usdt, amc])).toEqual([
    ['13.500000', '0.000000'],
    ['11.250000', '0.000000'],
    ['0.000000', '22.500000'],
    ['24.000000', '0.000000'],
  ])
  expect(ann!.dividends).toHaveLength(3)
  expect(await services.settlement.nextToSettle()).toBe(today)

  const wallets = demoWallets(testChain.accounts.slice(1), true)
  const isMember = await Promise.all(
    wallets.map(async ({ address }) => (await services.members.findByAddress(db, address)) !== undefined),
  )
  expect(isMember.filter((member) => !member)).toHaveLength(VISITORS.length + ADMINS.length)
  expect(isMember[0]).toBe(true)
})

test('pending payments become paid', { tags: ['full'] }, async () => {
  await product.finalise()
  const orders = (await describeTeam(product)).flatMap((member) => member.orders)
  expect(orders.filter(({ status }) => status === 'Processing')).toEqual([])
  expect(await product.audit()).toEqual([])
})

test('a run that is killed repeatedly ends with the same team', { tags: ['full'] }, async () => {
  const interrupted = await begin()
  for (const death of DEATHS) await seedAndDie(interrupted, death)
  await seed(interrupted)
  await interrupted.finalise()
  expect(await describeTeam(interrupted)).toEqual(await describeTeam(product))
  expect(await interrupted.audit()).toEqual([])
})

test('resumes after the quotes of a killed run have expired', { tags: ['full'] }, async () => {
  const late = await begin()
  const firstApproval = 2 * (late.testChain.accounts.length - 1) + PAY_IN_TRANSACTIONS + 1
  await seedAndDie(late, { method: 'eth_sendTransaction', call: firstApproval })
  await late.advance(31 * 60_000)
  await seed(late)
  const orders = (await describeTeam(late)).flatMap((member) => member.orders.map(({ status }) => status))
  expect(countsOf(orders)).toMatchObject({ Paid: PAID_PURCHASES.length, Cancelled: 1 + ORDERS_PER_BLOCK })
  expect(await late.audit()).toEqual([])
})

test('does not create a finished team again', { tags: ['full'] }, async () => {
  const before = await product.testChain.rpc('eth_blockNumber')
  expect(await seed(product)).toEqual([])
  expect(await product.testChain.rpc('eth_blockNumber')).toBe(before)
})

function countsOf(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
