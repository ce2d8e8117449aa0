import { amcTokenAbi, rifBankAbi } from '@rif/contracts/abi'
import { dayOf, parseMicros } from '@rif/rules'
import { dayNumberOf, dayText } from '@rif/solvency'
import pg from 'pg'
import { type Address, createWalletClient, getAddress, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { arbitrum } from './chain/arbitrum.ts'
import { connectChain } from './chain/client.ts'
import { packDepositId } from './chain/onchain-id.ts'
import { deployBank } from './local/deploy.ts'
import type { OperatorKeys } from './local/operator-files.ts'
import { treasuryBank } from './modules/fund/treasury/testing/treasury-bank.ts'
import type { ExitRow } from './modules/fund/treasury/treasury.repository.ts'
import { depositRevenue, reorganiseAfter } from './testing/bank-actions.ts'
import {
  restartTestProduct,
  startTestProduct,
  type TestMember,
  type TestProduct,
} from './testing/test-product.ts'
import { appointTestApprovers } from './testing/withdrawal-reviews.ts'

// The rehearsal of docs/operations/runbooks.md, "A new bank": with an open order, unclaimed vouchers, an unattested
// deposit and an exit in progress. The tests are its steps, in order.

const BLOCKS_TO_FINALITY = 20
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let product: TestProduct
let root: TestMember
let member: TestMember
let old: Address
let next: Address
/** Withdrawals whose vouchers stay unclaimed, and one that never had one. */
let vouchered: string
let fresh: string
let openOrder: string
let exit: ExitRow

beforeAll(async () => {
  product = await startTestProduct({ blocksToFinality: BLOCKS_TO_FINALITY })
  await appointTestApprovers(product.services)
  old = product.chain.contracts.bank
  await product.publishPrice('AMC', '0.5')
  root = await product.join(null)
  member = await product.join(root)
  const paid = await product.order(root, 5)
  await product.pay(root, paid.order_id)
  await product.grant(member, 'USDT', '500')
  await product.services.settlement.begin(dayOf(product.now().getTime()))
  await finaliseOnL1()
})
afterAll(() => product.stop())

/** Makes L1 finalise everything on the chain. */
async function finaliseOnL1(): Promise<void> {
  await product.testChain.mine(BLOCKS_TO_FINALITY)
  await product.indexer.runOnce()
}

type Call = { functionName: string; args?: readonly unknown[] }

async function send(role: keyof OperatorKeys, bank: Address, { functionName, args = [] }: Call) {
  const account = privateKeyToAccount(product.testChain.keys[role] as Hex)
  const wallet = createWalletClient({ account, chain: arbitrum, transport: http(product.testChain.rpcUrl) })
  const call = { address: bank, abi: rifBankAbi, functionName, args }
  return product.receiptOf(await wallet.writeContract(call as never))
}

const voucher = (id: string) => product.services.claims.voucher(product.db, member.memberId, BigInt(id))
const withdrawal = (id: string) => product.services.withdrawals.get(product.db, member.memberId, BigInt(id))
const banks = async () => (await product.services.system.config(product.db)).banks
const holdings = (owner: Address): Promise<bigint> =>
  product.chain.untrustedClient.readContract({
    address: product.chain.contracts.usdt,
    abi: amcTokenAbi,
    functionName: 'balanceOf',
    args: [owner],
  })

/** Returns the state of the exit, and the amount set aside. */
async function exitNow() {
  const treasury = treasuryBank(product)
  const { exit_hold: hold = 0 } = await treasury.accounts()
  return { state: (await treasury.state(exit)).state, hold }
}

/**
 * Settles the days that are over and publishes their reports. Returns the last day of each bank, 0 for none.
 */
async function publishReports(): Promise<number[]> {
  const { settlement, solvencySnapshots, solvencyPublishing } = product.services
  await settlement.catchUp(0)
  await solvencySnapshots.catchUp()
  while (await solvencyPublishing.step()) await product.finalise()
  return Promise.all(
    [old, next].map((address) =>
      product.chain.untrustedClient.readContract({
        address,
        abi: rifBankAbi,
        functionName: 'lastSolvencyDay',
      }),
    ),
  )
}
const yesterday = () => dayNumberOf(dayOf(product.now().getTime())) - 1

/** Returns the USDT of unattested deposits, which are not booked yet. */
let surplus = 0n

/** Checks that the audit finds only unattested deposits. */
async function expectSound(expected: bigint): Promise<void> {
  const findings = [...(await product.audit()), ...(await product.services.publishedReports.findings())]
  expect(findings.filter(({ isNote }) => !isNote)).toEqual([])
  const [note] = findings
  expect(note === undefined ? 0n : BigInt(note.actual) - BigInt(note.expected)).toBe(expected)
}

test('before: an open order, two vouchers, a deposit and an exit at the old bank', async () => {
  const treasury = treasuryBank(product)
  exit = await treasury.approvePayout('100', await treasury.list())
  expect((await treasury.announce(exit)).status).toBe('success')
  await finaliseOnL1()
  openOrder = (await product.order(member, 1)).order_id
  vouchered = (await product.withdraw(member, 'USDT', '20')).withdraw_id
  fresh = (await product.withdraw(member, 'USDT', '30')).withdraw_id
  expect((await voucher(vouchered)).bank).toBe(old)
  await depositRevenue(product, root, { amountMicros: parseMicros('7'), text: 'at the old bank' })
  surplus += parseMicros('7')
  await finaliseOnL1()
  await expectSound(surplus)
})

test('a list of banks that do not succeed each other is refused', async () => {
  const { contracts, keys, rpcUrl } = product.testChain
  const settings = { rpcUrls: [rpcUrl], chainId: 42161 }
  const stranger = getAddress(await deployBank(product.testChain, keys, contracts))
  const wrong = { ...contracts, bank: stranger, formerBanks: [old] }
  await expect(connectChain({ ...settings, contracts: wrong })).rejects.toThrow(
    `the bank at ${stranger} is no successor of ${old} (CONTRACTS)`,
  )
  for (const other of [getAddress(contracts.transfer), getAddress(`0x${'66'.repeat(20)}`)]) {
    const noBank = { ...contracts, formerBanks: [other] }
    await expect(connectChain({ ...settings, contracts: noBank })).rejects.toThrow(
      `there is no bank contract at ${other} (CONTRACTS)`,
    )
  }
})

test('the switch: orders and operations stay at the old bank until it has handed over', async () => {
  const { contracts, keys } = product.testChain
  next = getAddress(await deployBank(product.testChain, keys, { ...contracts, predecessor: old }))
  const successor = {
    ...product,
    testChain: { ...product.testChain, contracts: { ...contracts, bank: next } },
  }
  // A final deposit at the successor before the product follows it.
  await depositRevenue(successor, root, { amountMicros: parseMicros('5'), text: 'at the new bank' })
  surplus += parseMicros('5')
  await finaliseOnL1()
  product = await restartTestProduct(product, { ...contracts, bank: next, formerBanks: [old] })
  await product.indexer.runOnce()
  expect(await banks()).toMatchObject([
    { address: old, state: 'taking_orders', hand_over_from: null },
    { address: next, state: 'waiting', hand_over_from: null },
  ])
  // Both banks number their first deposit 1.
  const { rows } = { rows: await product.services.attestedRevenue.deposits(product.db, { limit: 9 }) }
  expect(rows.map(({ depositId, amountMicros }) => [depositId, amountMicros])).toEqual([
    [`${packDepositId(1, 1n)}`, parseMicros('5')],
    ['1', parseMicros('7')],
  ])
  await expectSound(surplus)

  // The successor accepts no payment yet, because the old bank still counts copies.
  const order = await product.order(root, 2)
  expect(order.bank).toBe(old)
  expect((await product.pay(root, order.order_id)).status).toBe('success')
  expect((await product.pay(member, openOrder)).status).toBe('success')
  await finaliseOnL1()
  for (const [buyer, id] of [
    [root, order.order_id],
    [member, openOrder],
  ] as const)
    expect(await product.services.shop.get(product.db, buyer.memberId, BigInt(id))).toMatchObject({
      status: 'Paid',
    })
  const paid = await product.services.shop.get(product.db, member.memberId, BigInt(openOrder))
  expect(paid.bank).toBe(old)
  // The voucher is the same one, and a new one is for the bank that holds the money.
  expect((await voucher(vouchered)).bank).toBe(old)
  await expectSound(surplus)
})

test('the announcement: an alarm, and members can claim as before for seven days', async () => {
  await send('admin', old, { functionName: 'queueHandOver', args: [next] })
  await finaliseOnL1()
  const [first] = await banks()
  expect(first).toMatchObject({ state: 'taking_orders', successor: next, handed_over_at: null })
  expect(Date.parse(first!.hand_over_from!)).toBeGreaterThan(product.now().getTime() + 6 * DAY_MS)
  await product.services.bankWatch.look()
  const { alarms, changes } = await product.services.bankWatch.report()
  expect(alarms).toMatchObject([
    { kind: 'hand_over_queued', detail: expect.stringContaining(next) },
    { kind: 'exit_announced' },
  ])
  expect(changes[0]).toMatchObject({ kind: 'hand_over_queued', bank: old.toLowerCase(), proposed_by: null })

  await product.advance(6 * DAY_MS)
  const { withdraw_id: during } = await product.withdraw(member, 'USDT', '10')
  await finaliseOnL1()
  expect((await voucher(during)).bank).toBe(old)
  expect((await product.claim(member, during)).status).toBe('success')
  await finaliseOnL1()
  expect(await withdrawal(during)).toMatchObject({ status: 'Success' })
  // The old bank holds the money, so its reports continue, day after day.
  expect(await publishReports()).toEqual([yesterday(), 0])
  await product.advance(DAY_MS)
  await finaliseOnL1()
  expect(await publishReports()).toEqual([yesterday(), 0])
  await expectSound(surplus)
})

/** The claim at the old bank that the member keeps, from before the hand-over. */
let kept: Hex
let handOver: { blockNumber: bigint }

test('the hand-over: nothing that depends on it can be claimed before L1 has finalised it', async () => {
  await product.advance(DAY_MS)
  await finaliseOnL1()
  kept = (await voucher(vouchered)).tx
  const total = (await holdings(old)) + (await holdings(next))
  handOver = await send('admin', old, { functionName: 'executeHandOver' })
  await product.finalise()
  expect(await holdings(old)).toBe(0n)
  expect(await holdings(next)).toBe(total)
  expect(await banks()).toMatchObject([{ state: 'handed_over', successor: next }, { state: 'taking_orders' }])
  await expectSound(surplus)
  await product.services.exits.settleEnded()
  expect(await exitNow()).toEqual({ state: 'Announced', hold: 100 })
  const waits = { code: 'CLAIM_NOT_FINAL_YET', details: { block: `${handOver.blockNumber}` } }
  await expect(voucher(fresh)).rejects.toMatchObject(waits)
  await expect(voucher(vouchered)).rejects.toMatchObject(waits)
  // The old bank is closed: a still valid voucher pays nothing.
  expect((await product.send(member, kept)).status).toBe('reverted')
})

test('a reorganisation reverts the hand-over, and the old bank pays again until it is repeated', async () => {
  await reorganiseAfter(product, Number(handOver.blockNumber) - 1)
  await product.indexer.runOnce()
  expect(await banks()).toMatchObject([{ state: 'taking_orders', successor: next }, { state: 'waiting' }])
  expect(await holdings(old)).toBeGreaterThan(0n)
  expect((await voucher(vouchered)).bank).toBe(old)
  await expectSound(surplus)

  handOver = await send('admin', old, { functionName: 'executeHandOver' })
  await finaliseOnL1()
  expect(await banks()).toMatchObject([{ state: 'handed_over' }, { state: 'taking_orders' }])
  await product.services.exits.settleEnded()
  expect(await exitNow()).toEqual({ state: 'HandedOver', hold: 0 })
  await expectSound(surplus)
})

test('after it: orders go to the successor, which counts on from the copies of the old bank', async () => {
  const { chain } = product
  const copies = (address: Address) =>
    chain.untrustedClient.readContract({ address, abi: rifBankAbi, functionName: 'copiesPaid', args: [2n] })
  expect([await copies(old), await copies(next)]).toEqual([1n, 1n])
  const order = await product.order(root, 2)
  expect(order.bank).toBe(next)
  expect((await product.pay(root, order.order_id)).status).toBe('success')
  await finaliseOnL1()
  expect([await copies(old), await copies(next)]).toEqual([1n, 2n])
  expect((await product.services.shop.products(product.db))[1]!.copies_left).toBe(198)
  await expectSound(surplus)
})

test('two vouchers of one withdrawal are never valid at once, whatever the database contains', async () => {
  // Until its deadline the voucher of the old bank is valid, so no other is issued, although that bank is
  // closed.
  await expect(voucher(vouchered)).rejects.toMatchObject({ code: 'CLAIM_STILL_VALID' })
  const change = { bank: next.toLowerCase() }
  const own = product.db.updateTable('withdrawals').where('withdrawal_id', '=', BigInt(vouchered))
  await own.set(change).execute()
  await expect(voucher(vouchered)).rejects.toMatchObject({ code: 'CLAIM_STILL_VALID' })
  await own.set({ bank: old.toLowerCase() }).execute()
})

test('after it: unclaimed withdrawals are claimed at the successor, once', async () => {
  expect((await voucher(fresh)).bank).toBe(next)
  expect((await product.claim(member, fresh)).status).toBe('success')
  await product.advance(31 * MINUTE_MS)
  await finaliseOnL1()
  expect((await voucher(vouchered)).bank).toBe(next)
  expect((await product.claim(member, vouchered)).status).toBe('success')
  expect((await product.send(member, kept)).status).toBe('reverted')
  await finaliseOnL1()
  expect(await withdrawal(vouchered)).toMatchObject({ status: 'Success' })
  expect(await withdrawal(fresh)).toMatchObject({ status: 'Success' })
  await expectSound(surplus)
  await product.services.bankWatch.look()
  expect((await product.services.bankWatch.report()).alarms).toEqual([])
})

test('reports go to the successor from then on, and the audit compares those of both banks', async () => {
  const [before] = await publishReports()
  await product.advance(DAY_MS)
  await finaliseOnL1()
  const day = yesterday()
  expect(await publishReports()).toEqual([before, day])
  expect(before).toBeLessThan(day)
  await expectSound(surplus)
  const { latest, days } = await product.services.solvency.overview()
  expect(latest).toMatchObject({ day: dayText(day), bank: next, state: 'final' })
  expect(new Set(days.map(({ bank }) => bank))).toEqual(new Set([old, next]))
  // A member's proof of a day states which bank has its root.
  const proof = (text: string) => product.services.solvencyProofs.proof(member, text)
  expect((await proof(dayText(day))).bank).toBe(next.toLowerCase())
  expect((await proof(dayText(before!))).bank).toBe(old.toLowerCase())
})

test('the purpose of the exit is announced again at the successor', async () => {
  const treasury = treasuryBank(product)
  const again = await treasury.approvePayout('100', await treasury.list())
  expect(again.bank).toBe(next.toLowerCase())
  expect((await treasury.announce(again)).status).toBe('success')
  await finaliseOnL1()
  expect(await treasury.state(again)).toMatchObject({ state: 'Announced' })
  await expectSound(surplus)
})

test('settings that still use the closed bank are refused with the successor', async () => {
  const { contracts, rpcUrl } = product.testChain
  const wrong = { ...contracts, bank: old, formerBanks: [] }
  await expect(connectChain({ rpcUrls: [rpcUrl], chainId: 42161, contracts: wrong })).rejects.toThrow(
    `the bank at ${old} has handed over to ${next}: set CONTRACTS.bank to that`,
  )
})

test('a hand-over that the settings do not follow blocks orders and claims, until they list the third bank', async () => {
  const { contracts, keys } = product.testChain
  const third = getAddress(await deployBank(product.testChain, keys, { ...contracts, predecessor: next }))
  const { withdraw_id } = await product.withdraw(member, 'USDT', '15')
  await send('admin', next, { functionName: 'queueHandOver', args: [third] })
  await product.advance(7 * DAY_MS)
  const late = await product.order(member, 2)
  await send('admin', next, { functionName: 'executeHandOver' })
  await finaliseOnL1()
  const paying = product.services.shop.payment(product.db, {
    memberId: member.memberId,
    orderId: BigInt(late.order_id),
    useHashRate: false,
  })
  await expect(paying).rejects.toMatchObject({ code: 'ORDER_BANK_CLOSED' })
  // The signer refuses with the same reason, if the API has not seen the hand-over yet and notes the quote.
  await product.db
    .updateTable('orders')
    .set({ quoted_at: product.now() })
    .where('member_id', '=', member.memberId)
    .where('order_id', '=', BigInt(late.order_id))
    .execute()
  const quote = product.services.signer.quote('shop', member.memberId, BigInt(late.order_id))
  await expect(quote).rejects.toMatchObject({ code: 'ORDER_BANK_CLOSED' })
  await expect(product.order(root, 3)).rejects.toMatchObject({ code: 'PAUSED', details: { area: 'orders' } })
  await expect(voucher(withdraw_id)).rejects.toMatchObject({
    code: 'PAUSED',
    details: { area: 'withdrawals' },
  })
  // The money is in a bank that is not in the settings.
  const missing = (await product.audit()).filter(({ isNote }) => !isNote)
  expect(missing).toMatchObject([
    { check: 'bank', actual: '0' },
    { check: 'bank', actual: '0' },
  ])

  const list = { ...contracts, bank: third, formerBanks: [old, next] }
  product = await restartTestProduct(product, list)
  await product.indexer.runOnce()
  expect((await banks()).map(({ state }) => state)).toEqual(['handed_over', 'handed_over', 'taking_orders'])
  expect((await product.order(root, 3)).bank).toBe(third)
  expect((await product.claim(member, withdraw_id)).status).toBe('success')
  expect(await product.cancelOrder(member, late.order_id)).toMatchObject({ status: 'Cancelled' })
  await finaliseOnL1()
  expect(await withdrawal(withdraw_id)).toMatchObject({ status: 'Success' })
  await expectSound(surplus)

  // The list only grows, because its events are part of the books.
  const shorter = await restartTestProduct(product, { ...contracts, bank: third, formerBanks: [next] })
  await expect(shorter.indexer.runOnce()).rejects.toThrow('this database has followed the contracts')
  product = await restartTestProduct(shorter, list)
})

test('60 USDT out of 30: a payment by the old bank whose event was lost is not repeated by its successor', async () => {
  const { contracts, keys } = product.testChain
  const last = contracts.bank
  const fourth = getAddress(await deployBank(product.testChain, keys, { ...contracts, predecessor: last }))
  product = await restartTestProduct(product, { ...contracts, bank: fourth, formerBanks: [old, next, last] })
  const { withdraw_id } = await product.withdraw(member, 'USDT', '30')
  await finaliseOnL1()
  const before = await holdings(member.wallet)
  const owner = new pg.Client({ connectionString: product.database.adminUrl })
  await owner.connect()
  await owner.query(
    `create function lose_event() returns trigger language plpgsql as 'begin return null; end'`,
  )
  await owner.query(`create trigger lose before insert on chain_events for each row
    when (new.name = 'Claimed') execute function lose_event()`)
  expect((await product.claim(member, withdraw_id)).status).toBe('success')
  await finaliseOnL1()
  await owner.query('drop trigger lose on chain_events')
  await owner.end()

  await send('admin', last, { functionName: 'queueHandOver', args: [fourth] })
  await product.advance(7 * DAY_MS)
  await send('admin', last, { functionName: 'executeHandOver' })
  await finaliseOnL1()
  await expect(voucher(withdraw_id)).rejects.toMatchObject({ code: 'PAID_ON_CHAIN' })
  await expect(product.cancelWithdrawal(member, withdraw_id)).rejects.toMatchObject({ code: 'PAID_ON_CHAIN' })
  expect((await holdings(member.wallet)) - before).toBe(parseMicros('29'))
  // The books still owe the amount that the bank has paid, and the audit reports it.
  const [missing] = (await product.audit()).filter(({ isNote }) => !isNote)
  expect(missing).toMatchObject({ check: 'bank', subject: expect.stringContaining('USDT') })
})
