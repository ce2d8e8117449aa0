import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { rifBankAbi } from '@rif/contracts/abi'
import { nextDay } from '@rif/rules'
import { dayNumberOf, rootOf } from '@rif/solvency'
import pg from 'pg'
import { decodeFunctionData, type Hex, parseTransaction, recoverTransactionAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sha256Into } from '../modules/trust/solvency/snapshot/sha256.ts'
import { startTestChain, type TestChain } from '../testing/test-chain.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { startTestSigner, type TestSigner } from '../testing/test-signer.ts'
import { createSignerClient, type PublicationTerms, type Signer } from './client.ts'

// The caller has the rights of the server: any row in the database, and the socket of the signing process.

const DAY_MS = 86_400_000
let database: TestDatabase
let chain: TestChain
let owner: pg.Client
let running: TestSigner
let signer: Signer
let day = '2026-03-01'
let nowMs = Date.parse('2026-06-01T00:00:00Z')

beforeAll(async () => {
  ;[database, chain] = await Promise.all([createTestDatabase({ max: 2 }), startTestChain()])
  owner = new pg.Client({ connectionString: database.adminUrl })
  await owner.connect()
  running = await startTestSigner(database, chain, { now: () => new Date(nowMs) })
  signer = createSignerClient(running.access)
})
afterAll(async () => {
  await owner.end()
  await running.close()
  await Promise.all([database.close(), chain.stop()])
})
beforeEach(() => {
  day = nextDay(day)
  nowMs += 2 * DAY_MS
})

const terms = (changes: Partial<PublicationTerms> = {}): PublicationTerms => ({
  day,
  nonce: 0n,
  gas: 1_000_000n,
  maxFee: 20_000_000_000n,
  priorityFee: 1n,
  ...changes,
})
const sign = (changes: Partial<PublicationTerms> = {}) => signer.publication(terms(changes))

/** Stores the report of the day as the server does, with changed columns; its root follows from the figures unless given. */
async function store(changes: { bank?: string; chainId?: number; root?: string; usdt?: bigint } = {}) {
  const { bank = chain.contracts.bank.toLowerCase(), chainId = 42161, usdt = 5n } = changes
  const word = (digit: string) => `0x${digit.repeat(64)}`
  const report = {
    tree: word('1'),
    leaves: 3,
    members: { usdt, amc: 7n, fund: 11n },
    other: { usdt: 13n, amc: 17n },
    fundCash: 19n,
    fundInvested: 23n,
    ledgerHead: word('2'),
    operatorsHead: word('3'),
  }
  const root = changes.root ?? rootOf({ chainId, bank, dayNumber: dayNumberOf(day) }, report, sha256Into)
  const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex')
  await owner.query('begin; set local session_replication_role = replica; delete from solvency_days; commit')
  await owner.query(
    `insert into solvency_days values ($1, $2, $3, 1, 'key', 3, $4, $5, 7, 11, 13, 17, 19, 23, $6, $7, $8, 0, 0, now())`,
    [
      day,
      chainId,
      bank,
      bytes(report.tree),
      usdt,
      bytes(report.ledgerHead),
      bytes(report.operatorsHead),
      bytes(root),
    ],
  )
  return root
}

test('signs the publication of a stored report, and the transaction has no other effect', async () => {
  const root = await store()
  const { raw } = await sign({ nonce: 4n })
  const tx = parseTransaction(raw as Hex)
  expect(tx).toMatchObject({ chainId: 42161, nonce: 4, gas: 1_000_000n, maxFeePerGas: 20_000_000_000n })
  expect(tx.to?.toLowerCase()).toBe(chain.contracts.bank.toLowerCase())
  expect(tx.value ?? 0n).toBe(0n)
  const { functionName, args } = decodeFunctionData({ abi: rifBankAbi, data: tx.data! })
  expect(functionName).toBe('publishSolvency')
  const [number, published, heads, totals] = args as readonly unknown[]
  expect([number, published]).toEqual([dayNumberOf(day), root])
  expect(heads).toEqual({ ledger: `0x${'2'.repeat(64)}`, operators: `0x${'3'.repeat(64)}` })
  // USDT has 6 decimals here and AMC 18: micro-units are 10^-6.
  expect(totals).toMatchObject([
    { liabilities: 18n, fundCash: 19n },
    { liabilities: 24_000_000_000_000n, fundCash: 0n },
  ])
  const { publisher } = await signer.status()
  expect(await recoverTransactionAddress({ serializedTransaction: raw as never })).toBe(publisher)
})

test.each<[string, Parameters<typeof store>[0] | null, Partial<PublicationTerms>]>([
  ['no stored report', null, {}],
  ['another bank', { bank: `0x${'b1'.repeat(20)}` }, {}],
  ['another chain', { chainId: 1 }, {}],
  ['a root that does not follow from the figures', { root: `0x${'9'.repeat(64)}` }, {}],
  ['more gas', {}, { gas: 1_000_001n }],
  ['a higher fee', {}, { maxFee: 20_000_000_001n }],
  ['a tip above the fee', {}, { maxFee: 5n, priorityFee: 6n }],
])('it refuses %s', async (_what, report, changes) => {
  if (report !== null) await store(report)
  await expect(sign(changes)).rejects.toMatchObject({
    code: report === null ? 'NOTHING_TO_CLAIM' : 'INTERNAL',
  })
  const last = (await readFile(running.logPath, 'utf8')).trim().split('\n').at(-1)!
  expect(JSON.parse(last)).toMatchObject({ decision: 'refuse', subject: `publication/${day}` })
})

test('offers no other call for the key: neither a target, nor a value, nor data, nor another path', async () => {
  await store()
  const post = (path: string, body: object) =>
    new Promise<number>((resolve, reject) => {
      const socketPath = running.access.url.slice('unix:'.length)
      const sent = request({ socketPath, path, method: 'POST' }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
      sent.on('error', reject)
      sent.end(JSON.stringify(body))
    })
  const plain = { day, nonce: '0', gas: '1000', maxFee: '9', priorityFee: '1' }
  expect(await post('/publication', plain)).toBe(200)
  for (const more of [{ to: chain.contracts.bank }, { value: '1' }, { data: '0x00' }, { root: '0x00' }])
    expect(await post('/publication', { ...plain, ...more })).toBe(400)
  for (const path of ['/transaction', '/sign', '/publication/raw']) expect(await post(path, plain)).toBe(400)
  for (const changes of [{ day: '2026-02-30' }, { day: 'today' }, { nonce: '-1' }, { gas: 'x' }])
    expect(await post('/publication', { ...plain, ...changes })).toBe(400)
})

test('never signs two roots for one day, also after a restart', async () => {
  await store()
  await sign()
  // The same report again, in a transaction that replaces the first.
  await sign({ maxFee: 19_000_000_000n })
  await store({ usdt: 4n })
  await expect(sign()).rejects.toMatchObject({ code: 'INTERNAL' })
  running = await running.restart()
  await expect(sign()).rejects.toMatchObject({ code: 'INTERNAL' })
  await store()
  await sign()
})

test('signs 50 transactions within 24 hours, counts a repeated one once, and continues a day later', async () => {
  await store()
  for (let nonce = 0n; nonce < 50n; nonce++) await sign({ nonce })
  await sign({ nonce: 3n })
  await expect(sign({ nonce: 50n })).rejects.toMatchObject({ code: 'SIGNER_LIMIT' })
  running = await running.restart()
  await expect(sign({ nonce: 50n })).rejects.toMatchObject({ code: 'SIGNER_LIMIT' })
  nowMs += DAY_MS
  await sign({ nonce: 50n })
})
