import { sql } from 'kysely'
import { getAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { createLogger } from '../../../lib/logger.ts'
import { startTestProduct, type TestProduct } from '../../../testing/test-product.ts'
import { DAY_MS, HOUR_MS, newWallet, treasuryBank } from './testing/treasury-bank.ts'

const M = 1_000_000n

let product: TestProduct
let bank: ReturnType<typeof treasuryBank>
let destination: string
/** Revenue in USDT before each test. */
let revenue: number
let lines: Record<string, unknown>[] = []
const log = createLogger({ level: 'warn', stream: { write: (line) => lines.push(JSON.parse(line)) } })

beforeAll(async () => {
  product = await startTestProduct({ log })
  bank = treasuryBank(product)
  await product.publishPrice('AMC', '0.5')
  const root = await product.join(null)
  const buyer = await product.join(root)
  await product.pay(buyer, (await product.order(buyer, 5)).order_id)
  destination = await bank.list()
})
afterAll(() => product.stop())
beforeEach(async () => {
  lines = []
  revenue = (await bank.accounts()).revenue!
})

const settle = () => product.services.exits.settleEnded()
const fatals = () => lines.filter(({ level }) => level === 60)
const afterDelay = () => product.advance(2 * DAY_MS)
const failing = async () => [...new Set((await bank.audit()).map(({ check }) => check))]

test('a payout is set aside at its approval, waits 48 hours, and is spent once, however often its event is repeated', async () => {
  const exit = await bank.approvePayout('100', destination)
  expect(await bank.accounts()).toEqual({ revenue: revenue - 100, exit_hold: 100 })
  expect(await bank.announce(exit)).toMatchObject({ status: 'success' })
  await product.indexer.runOnce()
  expect(await bank.state(exit)).toMatchObject({ state: 'Approved', seen: { step: 'announced' } })
  await product.finalise()
  expect(await bank.state(exit)).toMatchObject({ state: 'Announced', seen: null })
  // The watcher raises an alarm for it until it leaves.
  const waits = [expect.stringContaining(`: 100.000000 USDT to ${destination.toLowerCase()}`)]
  expect(await product.services.treasury.announced()).toEqual(waits)
  const { executable_at, expires_at } = await bank.state(exit)
  expect((await product.services.moneyPolicy.policy(product.db)).announced).toEqual([
    {
      kind: 'treasury_payout',
      asset: 'USDT',
      amount: '100.000000',
      executable_at,
      expires_at,
      destination: getAddress(destination),
      destination_name: expect.any(String),
    },
  ])
  expect(await bank.audit()).toEqual([])

  expect(await bank.execute(exit)).toMatchObject({ status: 'reverted' })
  await afterDelay()
  await bank.publish('1000')
  expect(await bank.execute(exit)).toMatchObject({ status: 'success' })
  await product.finalise()
  expect(await bank.state(exit)).toMatchObject({ state: 'Executed' })
  expect(await bank.accounts()).toEqual({ revenue: revenue - 100 })
  expect(await bank.audit()).toEqual([])

  const { exitEvents } = product.services
  const { ended_tx } = await bank.state(exit)
  const args = { ...bank.terms(exit) }
  await inTx(product.db, (dbTx) =>
    exitEvents.ExitExecuted.onFinal(dbTx, {
      name: 'ExitExecuted',
      args,
      txHash: ended_tx as `0x${string}`,
      logIndex: 0,
      blockNumber: 1n,
      blockHash: `0x${'1'.repeat(64)}`,
      blockAt: product.now(),
      contract: product.chain.contracts.bank,
    }),
  )
  await settle()
  expect(await bank.accounts()).toEqual({ revenue: revenue - 100 })
  expect(await bank.audit()).toEqual([])
})

test('of two approvals that together exceed the balance one is refused, however close they are', async () => {
  const most = `${Math.floor(revenue * 0.6)}`
  const both = await Promise.allSettled([
    bank.approvePayout(most, destination),
    bank.approvePayout(most, destination),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = both.find((item) => item.status === 'rejected')
  expect(refused?.reason).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  expect((await bank.accounts()).exit_hold).toBe(Number(most))
  expect(await bank.audit()).toEqual([])

  const [open] = (await product.services.exits.list({ show: 'open', limit: 10 })).items
  const withdraw = () =>
    inTx(product.db, (dbTx) =>
      product.services.exits.withdraw(dbTx, {
        exitId: BigInt(open!.exit_id),
        actor: 'anna',
        reason: 'as tested',
      }),
    )
  const ends = await Promise.allSettled([withdraw(), withdraw()])
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await bank.accounts()).toEqual({ revenue })
  expect(await bank.audit()).toEqual([])
})

test('nothing is set aside for an unlisted or unapproved destination', async () => {
  await expect(bank.approvePayout('1', newWallet())).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { field: 'destination' },
  })
  expect(await bank.accounts()).toEqual({ revenue })
})

test('a cancelled exit returns its amount, once L1 has finalised the cancellation', async () => {
  const exit = await bank.approvePayout('40', destination)
  await bank.announce(exit)
  await product.finalise()
  expect(await bank.send('guardian', 'cancelExit', [bank.terms(exit).exitId])).toMatchObject({
    status: 'success',
  })
  await product.finalise()
  expect(await bank.state(exit)).toMatchObject({
    state: 'Cancelled',
    cancelled_by: bank.walletOf('guardian'),
  })
  await settle()
  await product.finalise()
  await Promise.all([settle(), settle()])
  expect(await bank.state(exit)).toMatchObject({ state: 'Cancelled', released_at: expect.any(String) })
  expect(await bank.accounts()).toEqual({ revenue })
  // A returned amount stays returned, whoever writes with the application's login.
  for (const change of [
    "state = 'Announced', ended_tx = null, ended_at = null",
    'released_at = null',
    'amount_micros = 1',
  ]) {
    const write = sql.raw(`update exits set ${change} where exit_id = ${exit.exitId}`).execute(product.db)
    await expect(write).rejects.toMatchObject({ code: 'RL012' })
  }
  expect(await bank.audit()).toEqual([])
})

test('an exit that is never executed lapses after its window, and one that is never announced is given up', async () => {
  const [announced, forgotten] = [
    await bank.approvePayout('10', destination),
    await bank.approvePayout('20', destination),
  ]
  await bank.announce(announced)
  await product.finalise()
  await product.advance(6 * DAY_MS)
  await product.finalise()
  await settle()
  expect(await bank.accounts()).toMatchObject({ exit_hold: 30 })
  await product.advance(3 * DAY_MS + HOUR_MS)
  await product.finalise()
  await product.finalise()
  await settle()
  expect((await bank.state(announced)).state).toBe('Lapsed')
  expect((await bank.state(forgotten)).state).toBe('Withdrawn')
  expect(await bank.accounts()).toEqual({ revenue })
  // The treasurer announces an exit that was given up: nothing is set aside for it any more.
  await bank.announce(forgotten)
  await product.finalise()
  expect(await failing()).toEqual(['unapproved exit'])
  expect(fatals()).toMatchObject([{ reason: 'ended' }])
  await bank.send('guardian', 'cancelExit', [bank.terms(forgotten).exitId])
  await product.finalise()
  expect(await bank.audit()).toEqual([])
})

test('a payout that the published liabilities forbid reverts and stays set aside, until it leaves or lapses', async () => {
  const [leaves, lapses] = [
    await bank.approvePayout('60', destination),
    await bank.approvePayout('50', destination),
  ]
  await bank.announce(leaves)
  await bank.announce(lapses)
  await product.finalise()
  await afterDelay()
  const holdings = await bank.holdings()
  const take = () => product.services.treasury.mayTake('USDT')
  const waiting = { revenue: revenue - 110, exit_hold: 110 }

  // One micro-USDT less than the liabilities without the payout.
  await bank.publish(holdings - 60n * M + 1n)
  expect(await bank.refusal(leaves)).toEqual(['NotCovered', [60n * M - 1n, 60n * M]])
  expect(await bank.execute(leaves)).toMatchObject({ status: 'reverted' })
  await product.finalise()
  await settle()
  expect(await bank.state(leaves)).toMatchObject({ state: 'Announced', seen: null, ended_tx: null })
  expect(await bank.accounts()).toEqual(waiting)
  expect(await take()).toMatchObject({
    amount: '0.000000',
    set_aside: '110.000000',
    cover: { payout: '59.999999' },
    reasons: ['announced', 'liabilities'],
  })
  expect(await bank.audit()).toEqual([])

  await product.advance(DAY_MS)
  await bank.publish(holdings - 60n * M)
  expect(await bank.execute(leaves)).toMatchObject({ status: 'success' })
  await product.finalise()
  // The publication covered one of the two.
  expect(await bank.refusal(lapses)).toEqual(['NotCovered', [0n, 50n * M]])
  expect(await bank.execute(lapses)).toMatchObject({ status: 'reverted' })
  await product.finalise()
  expect(await bank.accounts()).toEqual({ revenue: revenue - 110, exit_hold: 50 })
  expect(await bank.holdings()).toBe(holdings - 60n * M)
  expect((await take()).cover).toMatchObject({ payout: '0.000000' })
  expect(await bank.audit()).toEqual([])

  await product.advance(7 * DAY_MS)
  await product.finalise()
  await product.finalise()
  await settle()
  expect((await bank.state(leaves)).state).toBe('Executed')
  expect((await bank.state(lapses)).state).toBe('Lapsed')
  expect(await bank.accounts()).toEqual({ revenue: revenue - 60 })
  expect(await bank.audit()).toEqual([])
})

test('a stolen treasurer key: its exits raise an alarm, and if one is executed the operator covers it', async () => {
  const { services } = product
  const elsewhere = await bank.list()
  const exit = await bank.approvePayout('30', destination)
  const other = await bank.approvePayout('5', destination)
  const stolen = { ...bank.terms(exit), exitId: 7n, amount: 50_000_000n }
  const changed = { ...bank.terms(exit), amount: 31_000_000n }
  await bank.send('treasurer', 'announceExit', [stolen])
  await bank.send('treasurer', 'announceExit', [changed])
  const redirected = { ...bank.terms(other), to: elsewhere }
  await bank.send('treasurer', 'announceExit', [redirected])
  await product.finalise()
  await services.bankWatch.look()
  const kinds = async () => (await services.bankWatch.report()).alarms.map(({ kind }) => kind)
  expect(await kinds()).toContain('exit_unapproved')
  expect(fatals()).toMatchObject([
    { reason: 'unknown', onchainId: '7' },
    { reason: 'wrong_terms' },
    { reason: 'wrong_terms', destination: elsewhere },
  ])
  expect(await bank.state(other)).toMatchObject({ state: 'Approved' })
  expect(await failing()).toEqual(['unapproved exit'])
  await bank.send('guardian', 'cancelExit', [redirected.exitId])
  await inTx(product.db, (dbTx) =>
    services.exits.withdraw(dbTx, { exitId: other.exitId, actor: 'anna', reason: 'as tested' }),
  )
  expect(await bank.state(exit)).toMatchObject({ state: 'Approved' })

  await bank.send('guardian', 'cancelExit', [changed.exitId])
  await afterDelay()
  await bank.publish('1000')
  expect(await bank.send('quoteSigner', 'executeExit', [stolen])).toMatchObject({ status: 'success' })
  await product.finalise()
  // Only the theft is wrong: the books equal the bank, and revenue has paid for it.
  expect(await failing()).toEqual(['unapproved exit'])
  expect(await bank.accounts()).toEqual({ revenue: revenue - 80, exit_hold: 30 })
  expect((await services.treasury.overview(newWallet())).unapproved.slice(0, 2)).toMatchObject([
    { onchain_id: '7', state: 'Executed', amount: '50.000000', reason: 'unknown' },
    { state: 'Cancelled', reason: 'wrong_terms' },
  ])
})

test('the maximum payout follows the books and the publication on chain, with the reasons', async () => {
  const { treasury } = product.services
  const take = async () => {
    const { amount, reasons } = await treasury.mayTake('USDT')
    return { amount: Number(amount), reasons }
  }
  await product.advance(3 * DAY_MS)
  expect(await take()).toEqual({ amount: 0, reasons: ['publication_old'] })
  await bank.publish('0')
  const { amount, set_aside, cover } = await treasury.mayTake('USDT')
  expect(set_aside).toBe('30.000000')
  expect(cover).toMatchObject({ liabilities: '0.000000' })
  expect(Number(amount)).toBe((await bank.accounts()).revenue)
  expect((await take()).reasons).toEqual(['books'])
  await product.advance(DAY_MS)
  await bank.publish(`${Number(cover!.held) - 100}`)
  expect(await take()).toEqual({ amount: 70, reasons: ['announced', 'liabilities'] })
})
