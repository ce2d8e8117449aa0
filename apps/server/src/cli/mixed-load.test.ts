import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseMicros } from '@rif/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../db/database.ts'
import { createLogger } from '../lib/logger.ts'
import { freePort } from '../local/processes.ts'
import { auditLedger } from '../modules/books/ledger/audit.ts'
import { TRANSFER_CHECKS } from '../modules/leaving/transfers/audit.ts'
import { WITHDRAWAL_CHECKS } from '../modules/leaving/withdrawals/audit.ts'
import { REWARD_CHECKS } from '../modules/rewards/audit.ts'
import { SAVINGS_CHECKS } from '../modules/savings/audit.ts'
import { SHOP_CHECKS } from '../modules/shop/audit.ts'
import { createServices, type Services } from '../services.ts'
import { NO_SIGNER } from '../signer/protocol.ts'
import { simulatedChain } from '../simulate/simulated-chain.ts'
import { childProgram } from '../testing/child-program.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { messageOf, newWallet } from '../testing/test-server.ts'

const OPERATIONS = 10_000
const MEMBERS = 50
const KILLS = Math.max(3, Math.floor(OPERATIONS / 500))
const START_MICROS = 1_000_000_000n
const CHILD = new URL('../testing/mixed-child.ts', import.meta.url)
/** The refusals that an operation may receive under load. */
const REFUSALS = new Set([
  'INSUFFICIENT_BALANCE',
  'DAILY_LIMIT',
  'ORDER_OPEN',
  'SOLD_OUT',
  'NOTHING_TO_CANCEL',
  'ORDER_FINAL',
])

type Asset = 'USDT' | 'AMC'
interface Saver {
  readonly memberId: bigint
  readonly address: string
  readonly token: string
  /** The member's balances by asset and account, as the responses report them. */
  readonly expected: Record<Asset, { available: bigint; savings: bigint; withdrawing: bigint }>
}

let database: TestDatabase
let services: Services
let server: ChildProcess
let port: number
const members: Saver[] = []

beforeAll(async () => {
  database = await createTestDatabase({ max: 8 })
  port = await freePort()
  services = createServices({
    db: database.db,
    now: () => new Date(),
    chain: simulatedChain(),
    log: createLogger({ level: 'silent' }),
    settings: {
      version: 'test',
      publicUrl: 'http://localhost',
      browserRpcUrl: '',
      explorerUrl: null,
      confirmations: 1,
      demoWallets: null,
      signer: NO_SIGNER,
    },
  })
  await start()
  const { db } = database
  for (const asset of ['AMC', 'RIF'] as const) {
    const price = { asset, priceMicros: 500_000n, actor: 'test' }
    await inTx(db, (dbTx) => services.pricing.publish(dbTx, price))
  }
  const root = await inTx(db, (dbTx) => services.members.createRoot(dbTx, newWallet().address))
  for (let number = 0; number < MEMBERS; number++) members.push(await join(root.inviteCode, number))
})
afterAll(async () => {
  server.kill('SIGKILL')
  await database.close()
})

async function start(): Promise<void> {
  const args = [childProgram(CHILD), database.url, `${port}`]
  server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(server.stdout!, 'data')
}

async function join(inviteCode: string, number: number): Promise<Saver> {
  const wallet = newWallet()
  const { domain, uri, chainId, nonce, statement, termsUri } = await services.auth.issueNonce(wallet.address)
  const terms = { domain, uri, chain_id: chainId, nonce, statement, terms_uri: termsUri }
  const message = messageOf(terms as Parameters<typeof messageOf>[0], wallet.address)
  const signature = await wallet.signMessage({ message })
  const { token, member } = await services.auth.signIn({ message, signature, inviteCode })
  const { memberId } = member!
  const at = services.now()
  for (const asset of ['USDT', 'AMC', 'RIF'] as const) {
    await services.ledger.post(database.db, {
      key: `gift/${asset}/${number}`,
      kind: 'grant',
      cause: { type: 'test', id: '1' },
      accountingDay: at.toISOString().slice(0, 10),
      at,
      lines: [{ memberId, asset, source: 'external', destination: 'available', amountMicros: START_MICROS }],
    })
  }
  const has = () => ({ available: START_MICROS, savings: 0n, withdrawing: 0n })
  return { memberId, address: wallet.address, token, expected: { USDT: has(), AMC: has() } }
}

interface Answer {
  readonly code: number
  // biome-ignore lint/suspicious/noExplicitAny: many shapes of data
  readonly data: any
}

/**
 * Retries until there is an answer, always under one key: whether or not a killed server had executed it, it
 * is executed once.
 */
async function ask({ address, token }: Saver, path: string, body?: object): Promise<Answer> {
  const key = randomUUID()
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'x-wallet-address': address,
        'idempotency-key': key,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
      .then((response) => response.json() as Promise<Answer>)
      .catch(() => null)
    // If a pool is full, the answer makes the client retry.
    if (answer === null || answer.data?.error === 'UNAVAILABLE') {
      await sleep(20)
      continue
    }
    const isRefusal = answer.code !== 200
    if (isRefusal && !REFUSALS.has(answer.data?.error)) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer
  }
}

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!

/** Runs one random operation, and adds the amounts in its answer to the member's expected balances. */
async function operate(member: Saver): Promise<void> {
  const asset = pick(['USDT', 'AMC'] as const)
  const amount = (1 + Math.random() * 400).toFixed(6)
  const micros = parseMicros(amount)
  const mine = member.expected[asset]
  const operation = pick([
    'transfer',
    'transfer',
    'in',
    'in',
    'out',
    'out',
    'withdraw',
    'cancel',
    'order',
    'read',
  ])
  if (operation === 'transfer') {
    const other = pick(members.filter((item) => item !== member))
    const { code } = await ask(member, 'transfer', { asset, amount, address: other.address })
    if (code !== 200) return
    mine.available -= micros
    other.expected[asset].available += micros
  } else if (operation === 'in') {
    if ((await ask(member, 'savings/in', { asset, amount })).code !== 200) return
    mine.available -= micros
    mine.savings += micros
  } else if (operation === 'out') {
    if ((await ask(member, 'savings/out', { asset, amount })).code !== 200) return
    mine.savings -= micros
    mine.available += micros
  } else if (operation === 'withdraw') {
    const small = (5 + Math.random() * 20).toFixed(6)
    if ((await ask(member, 'withdraw', { asset, amount: small })).code !== 200) return
    mine.available -= parseMicros(small)
    mine.withdrawing += parseMicros(small)
  } else if (operation === 'cancel') {
    const { data } = await ask(member, 'withdraws?status=Withdrawable&limit=1')
    const open = data.items[0]
    if (open === undefined || (await ask(member, `withdraw/cancel/${open.withdraw_id}`, {})).code !== 200)
      return
    const back = member.expected[open.asset as Asset]
    back.available += parseMicros(open.amount)
    back.withdrawing -= parseMicros(open.amount)
  } else if (operation === 'order') {
    const product_id = `${1 + Math.floor(Math.random() * 5)}`
    const { code, data } = await ask(member, 'order', { product_id, useHashRate: true })
    if (code === 200 && Math.random() < 0.7) await ask(member, 'order/cancel', { order_id: data.order_id })
  } else {
    await ask(member, pick(['me', 'savings', 'transfer', 'order/all', 'savings/transfers']))
  }
}

test(`${OPERATIONS} operations of ${MEMBERS} members at once, the server killed in between: the books agree with the answers`, {
  tags: ['full'],
}, async () => {
  let left = OPERATIONS
  const working = members.map(async (member) => {
    while (left-- > 0) {
      // Sometimes two at once from one balance.
      await Promise.all([operate(member), ...(Math.random() < 0.2 && left-- > 0 ? [operate(member)] : [])])
    }
  })
  const killing = (async () => {
    for (let kill = 1; kill <= KILLS; kill++) {
      while (left > OPERATIONS * (1 - kill / (KILLS + 1))) await sleep(5)
      server.kill('SIGKILL')
      await once(server, 'close')
      await start()
    }
  })()
  await Promise.all([...working, killing])
  while ((await services.savings.nextArrival()) !== null) await sleep(50)

  for (const { memberId, expected } of members) {
    const balances = await services.ledger.balances(database.db, memberId)
    for (const asset of ['USDT', 'AMC'] as const) {
      const { available, savings, savings_leaving, withdrawing } = balances[asset]
      expect({ available, savings, withdrawing, savings_leaving }).toEqual({
        ...expected[asset],
        savings_leaving: 0n,
      })
    }
  }
  const checks = [
    ...SHOP_CHECKS,
    ...REWARD_CHECKS,
    ...WITHDRAWAL_CHECKS,
    ...SAVINGS_CHECKS,
    ...TRANSFER_CHECKS,
  ]
  expect(await auditLedger(database.db, { checks })).toEqual([])
})
