import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from './member.ts'

export interface Load {
  /** Starts the members' work. */
  start(): void
  /** Lets each member finish the current operation, including the booking of payments and claims. */
  finish(): Promise<void>
  /** The number of operations done so far. */
  done(): number
  /** Returns the errors that no fault explains, such as a reverted transaction. */
  problems(): readonly string[]
}

/** Several products, because the daily units of a single one would soon be sold out. */
const PACKAGES = ['1', '2', '3']
const PAUSE_MS = 100
/** No key makes these bytes. */
const NO_SIGNATURE = `0x${'5a'.repeat(65)}` as const
const BOOKED_POLL_MS = 500
const BOOKED_TIMEOUT_MS = 120_000

const anyOf = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!

type Operation = (browser: Browser, partner: Browser) => Promise<void>

/** Reads, transfers, savings, purchases paid on chain, withdrawals claimed on chain, cancellations, and forged signatures. */
const OPERATIONS: readonly (readonly [weight: number, operation: Operation])[] = [
  [4, async (browser) => void (await browser.ask('me'))],
  [2, async (browser) => void (await browser.ask('order/all'))],
  [
    4,
    async (browser, partner) =>
      void (await browser.ask('transfer', { asset: 'USDT', amount: '1', address: partner.account.address })),
  ],
  [2, async (browser) => void (await browser.ask('savings/in', { asset: 'USDT', amount: '2' }))],
  [2, async (browser) => void (await browser.ask('savings/out', { asset: 'USDT', amount: '1' }))],
  [2, buy],
  [1, cancelOrder],
  [2, withdraw],
  [1, cancelWithdrawal],
  [1, forge],
]

/** Puts a mixed load on the product: each member does one random operation after another. */
export function createLoad(browsers: readonly Browser[]): Load {
  const deck = OPERATIONS.flatMap(([weight, operation]) => Array<Operation>(weight).fill(operation))
  const problems: string[] = []
  let isStopping = false
  let done = 0
  let working: Promise<unknown> = Promise.resolve()

  async function work(browser: Browser, partner: Browser): Promise<void> {
    while (!isStopping) {
      const operation = anyOf(deck)
      await operation(browser, partner).then(
        () => done++,
        (error: unknown) => problems.push(String(error).split('\n', 1)[0]!),
      )
      await sleep(PAUSE_MS)
    }
  }

  return {
    start() {
      working = Promise.all(
        browsers.map((browser, index) => work(browser, browsers[(index + 1) % browsers.length]!)),
      )
    },
    async finish() {
      isStopping = true
      await working
    },
    done: () => done,
    problems: () => problems,
  }
}

/** Buys a package: quote, exact approvals, payment, report, and the wait until it is booked. */
async function buy(browser: Browser): Promise<void> {
  const { status, data: order } = await browser.ask('order', { product_id: anyOf(PACKAGES) })
  if (status !== 200) return
  const id: string = order.order_id
  for (const token of ['usdt', 'amc']) {
    const approval = await browser.ask(`order/approve/${token}/${id}`)
    if (approval.status !== 200) return void (await browser.ask('order/cancel', { order_id: id }))
    await browser.send([...approval.data.before, ...(approval.data.tx === null ? [] : [approval.data.tx])])
  }
  const payment = await browser.ask(`order/tx/${id}`)
  if (payment.status !== 200) return void (await browser.ask('order/cancel', { order_id: id }))
  const hash = await browser.send([payment.data.tx])
  await browser.ask('order/pay', { order_id: id, tx_hash: hash })
  await until(browser, `order/${id}`, ['Paid', 'Success', 'Completed'])
}

async function cancelOrder(browser: Browser): Promise<void> {
  const { status, data } = await browser.ask('order', { product_id: anyOf(PACKAGES) })
  if (status === 200) await browser.ask('order/cancel', { order_id: data.order_id })
}

/**
 * Requests a withdrawal, gets the voucher as soon as it exists, claims on chain, and waits until it is
 * booked.
 */
async function withdraw(browser: Browser): Promise<void> {
  const { status, data } = await browser.ask('withdraw', { asset: 'USDT', amount: '12' })
  if (status !== 200) return
  const deadline = Date.now() + BOOKED_TIMEOUT_MS
  for (;;) {
    const claim = await browser.ask(`withdraw/claim/${data.withdraw_id}`)
    if (claim.status === 200) {
      await browser.send([claim.data.tx])
      return until(browser, `withdraw/${data.withdraw_id}`, ['Success'])
    }
    if (Date.now() > deadline)
      throw new Error(`withdrawal ${data.withdraw_id} gets no voucher: ${claim.error}`)
    await sleep(BOOKED_POLL_MS)
  }
}

async function cancelWithdrawal(browser: Browser): Promise<void> {
  const { status, data } = await browser.ask('withdraw', { asset: 'USDT', amount: '11' })
  if (status === 200) await browser.ask(`withdraw/cancel/${data.withdraw_id}`, {})
}

/** Tries to sign in as another member and to send without the own wallet, by bytes that no key made. Throws if one succeeds. */
async function forge(browser: Browser, partner: Browser): Promise<void> {
  const entered = await browser.enterAs(partner.account.address, NO_SIGNATURE)
  if (entered.status === 200) throw new Error('somebody signed in without a key')
  const signed = {
    nonce: `0x${randomBytes(32).toString('hex')}`,
    deadline: Math.floor(Date.now() / 1_000) + 300,
    signature: NO_SIGNATURE,
  }
  const order = { asset: 'USDT', amount: '1', address: partner.account.address }
  const sent = await browser.try('transfer', { ...order, signed })
  if (sent.status === 200) throw new Error('somebody sent without a key')
}

async function until(browser: Browser, path: string, statuses: readonly string[]): Promise<void> {
  const deadline = Date.now() + BOOKED_TIMEOUT_MS
  for (;;) {
    const { data } = await browser.ask(path)
    if (statuses.includes(data?.status)) return
    if (Date.now() > deadline) throw new Error(`${path} is still ${data?.status}`)
    await sleep(BOOKED_POLL_MS)
  }
}
