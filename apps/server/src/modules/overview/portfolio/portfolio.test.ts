import type { Portfolio } from '@rif/api-schema'
import { rifTransferAbi } from '@rif/contracts/abi'
import { addDays, dayOf, formatMicros, fromChainUnits, parseMicros, startOfDay } from '@rif/rules'
import { encodeFunctionData, erc20Abi, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'

// Root and buyer each buy a package. The buyer's order pays root 200: 140 USDT, and 120 AMC that are released
// later.

let product: TestProduct
let root: TestMember
let buyer: TestMember

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  await product.services.settlement.begin(today())
  root = await product.join(null)
  buyer = await product.join(root, 'left')
  await product.pay(root, (await product.order(root, 5)).order_id)
  await product.finalise()
  await product.pay(buyer, (await product.order(buyer, 3)).order_id)
  await product.finalise()
})
afterAll(() => product.stop())

const today = () => dayOf(product.now().getTime())
const history = (member: TestMember, count = 30): Promise<Portfolio> =>
  product.services.portfolio.history(product.db, member.memberId, count)
const sumOf = (amounts: readonly string[]) =>
  formatMicros(amounts.reduce((sum, amount) => sum + parseMicros(amount), 0n))
const nextDay = () => product.advance(startOfDay(addDays(today(), 1)) - product.now().getTime() + 60_000)

/** The tokens that a wallet holds on chain. */
async function walletOf({ wallet }: TestMember): Promise<{ usdt: string; amc: string }> {
  const { untrustedClient: client, contracts, decimals } = product.chain
  const read = async (asset: 'USDT' | 'AMC') => {
    const address = asset === 'USDT' ? contracts.usdt : contracts.amc
    const call = { address, abi: erc20Abi, functionName: 'balanceOf', args: [wallet] } as const
    return formatMicros(fromChainUnits(await client.readContract(call), decimals[asset]).micros)
  }
  return { usdt: await read('USDT'), amc: await read('AMC') }
}

/** Sends AMC to another wallet through the transfer contract. */
async function sendByContract(from: TestMember, to: TestMember, units: bigint): Promise<void> {
  const { amc, transfer } = product.chain.contracts
  const send = (address: `0x${string}`, data: `0x${string}`) =>
    product.testChain.rpc('eth_sendTransaction', [{ from: from.wallet, to: address, data, gas: '0x7a120' }])
  await send(amc, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [transfer, units] }))
  const args = [amc, to.wallet, units, zeroHash] as const
  await send(transfer, encodeFunctionData({ abi: rifTransferAbi, functionName: 'transfer', args }))
}

test('the days end with today and are derived backwards from the postings, at the prices of each day', async () => {
  const first = today()
  const before = await history(root)
  // From the day before the member joined, so that what happened on the first day is a change.
  const nothing = { usdt: '0.000000', amc: '0.000000', savings_usdt: '0.000000', savings_amc: '0.000000' }
  expect(before.days).toEqual([
    { day: addDays(first, -1), amc_price: '0.500000', fund: '0.000000', ...nothing },
    {
      day: first,
      amc_price: '0.500000',
      usdt: '140.000000',
      amc: '120.000000',
      savings_usdt: '0.000000',
      savings_amc: '0.000000',
      fund: '0.000000',
    },
  ])
  await nextDay()
  await product.publishPrice('AMC', '1')
  await product.grant(root, 'USDT', '5')
  const { savings, ledger } = product.services
  await product.database.db.transaction().execute(async (dbTx) => {
    await savings.transferIn(dbTx, root.memberId, { asset: 'USDT', amountMicros: parseMicros('40') })
  })
  const { days, changes } = await history(root)
  expect(days.slice(0, 2)).toEqual(before.days)
  const now = { usdt: '105.000000', amc: '120.000000', savings_usdt: '40.000000', amc_price: '1.000000' }
  expect(days[2]).toMatchObject(now)
  const balances = await ledger.balances(product.db, root.memberId)
  expect(days[2]!.usdt).toBe(formatMicros(balances.USDT.available))
  expect(days[2]!.savings_usdt).toBe(formatMicros(balances.USDT.savings))
  // Movements between the member's own accounts are not changes.
  expect(changes.filter(({ place, day }) => place === 'account' && day === today())).toEqual([
    { day: today(), place: 'account', kind: 'grant', title: null, usdt: '5.000000', amc: '0.000000' },
  ])
})

test('the changes of the accounts sum to the difference between two days', async () => {
  await product.withdraw(root, 'USDT', '50').then(({ withdraw_id }) => product.claim(root, withdraw_id))
  await product.finalise()
  const { days, changes } = await history(root)
  const [first, last] = [days[0]!, days.at(-1)!]
  const inBooks = changes.filter(({ place, day }) => place === 'account' && day > first.day)
  for (const asset of ['usdt', 'amc'] as const) {
    const of = (day: typeof first) => parseMicros(day[asset]) + parseMicros(day[`savings_${asset}`])
    expect(sumOf(inBooks.map((change) => change[asset]))).toBe(formatMicros(of(last) - of(first)))
  }
})

test('a purchase, a claim and a transfer are in the history of the wallet, which agrees with the chain', async () => {
  await sendByContract(buyer, root, 3n * 10n ** 18n)
  await product.finalise()
  const { changes } = await history(root)
  expect(changes.filter(({ place }) => place === 'wallet').map(({ day: _, ...change }) => change)).toEqual([
    { place: 'wallet', kind: 'paid', title: 'Launch 10000', usdt: '-7000.000000', amc: '-6000.000000' },
    { place: 'wallet', kind: 'claimed', title: null, usdt: '49.000000', amc: '0.000000' },
    { place: 'wallet', kind: 'received', title: null, usdt: '0.000000', amc: '3.000000' },
  ])
  for (const member of [root, buyer]) {
    const ofWallet = (await history(member)).changes.filter(({ place }) => place === 'wallet')
    const walletAmounts = await walletOf(member)
    for (const asset of ['usdt', 'amc'] as const) {
      expect(sumOf(['100000', ...ofWallet.map((change) => change[asset])])).toBe(walletAmounts[asset])
    }
  }
})

test('a long history is read from its end', async () => {
  const { ledger } = product.services
  const line = {
    memberId: buyer.memberId,
    asset: 'USDT',
    source: 'external',
    destination: 'available',
  } as const
  for (let index = 0; index < 600; index++) {
    await ledger.post(product.db, {
      key: `many/${index}`,
      kind: 'grant',
      cause: { type: 'test', id: `${index}` },
      at: product.now(),
      accountingDay: today(),
      lines: [{ ...line, amountMicros: 1_000_000n }],
    })
  }
  await nextDay()
  await product.grant(buyer, 'USDT', '1')
  expect((await history(buyer, 3)).days.map(({ usdt }) => usdt)).toEqual([
    '0.000000',
    '600.000000',
    '601.000000',
  ])

  // What is booked late has an older time and a higher number: it is no change of these days.
  const late = new Date(product.now().getTime() - 10 * 86_400_000)
  for (let index = 0; index < 700; index++) {
    await ledger.post(product.db, {
      key: `late/${index}`,
      kind: 'grant',
      cause: { type: 'test', id: `${index}` },
      at: late,
      accountingDay: today(),
      lines: [{ ...line, amountMicros: 1_000_000n }],
    })
  }
  expect((await history(buyer, 3)).days.map(({ usdt }) => usdt)).toEqual([
    '700.000000',
    '1300.000000',
    '1301.000000',
  ])
})
