import { formatMicros } from '@rif/rules'
import { sql } from 'kysely'
import { getAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createIndexer } from '../../../chain/indexer/indexer.ts'
import { inTx } from '../../../db/database.ts'
import { createLogger } from '../../../lib/logger.ts'
import { signWebhook } from '../../../lib/signed-webhook.ts'
import { BLOCKS_TO_FINALITY } from '../../../local/anvil.ts'
import { decide, newAdmin, type TestAdmin, tryPrepare } from '../../../testing/admin-actions.ts'
import { deployPriceOracle } from '../../../testing/fixtures/price-oracle.ts'
import { call, startTestServer, type TestServer } from '../../../testing/test-server.ts'

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 2).toString('base64')}`
const CONFIRMATIONS = 3

let server: TestServer
let oracle: Awaited<ReturnType<typeof deployPriceOracle>>
let readChain: () => Promise<void>
let operator: TestAdmin
let approvers: TestAdmin[]
/** The server's clock, ahead of the machine's clock. */
let offsetMs = 0
const now = () => new Date(Date.now() + offsetMs)
const seconds = () => Math.floor(now().getTime() / 1_000)
const feeds = [
  { name: 'exchange', secret: SECRET },
  { name: 'broker', secret: OTHER_SECRET },
]
const oracles: { asset: 'AMC' | 'RIF'; address: `0x${string}`; maxAgeMs: number }[] = []
const prices = { feeds, oracles, sequencer: null as `0x${string}` | null, jumpPpm: 100_000 }

beforeAll(async () => {
  server = await startTestServer({ now, settings: { prices } })
  const { chain, services, database } = server
  oracle = await deployPriceOracle(chain.rpcUrl, chain.accounts[0]!, 8)
  oracles.push({ asset: 'RIF', address: oracle.address, maxAgeMs: 3_600_000 })
  const indexer = createIndexer({
    db: database.db,
    databaseUrl: database.url,
    chain: services.chain,
    now,
    log: createLogger({ level: 'silent' }),
    startBlock: 1n,
    confirmations: CONFIRMATIONS,
  })
  indexer.registerHandlers(services.eventHandlers)
  readChain = indexer.runOnce
  operator = await newAdmin(server, 'operator')
  approvers = [await newAdmin(server, 'approver'), await newAdmin(server, 'approver')]
})
afterAll(() => server.close())

/**
 * Every test is a minute after the previous one, and begins with a price of 0.5 that an operator published.
 */
beforeEach(async () => {
  await advance(30)
  for (const asset of ['AMC', 'RIF'] as const) {
    const draft = { asset, priceMicros: 500_000n, actor: 'test' }
    await inTx(server.database.db, (dbTx) => server.services.pricing.publish(dbTx, draft))
  }
  await advance(30)
})

async function advance(seconds: number): Promise<void> {
  offsetMs += seconds * 1_000
  await server.chain.rpc('evm_increaseTime', [seconds])
  await server.chain.mine(1)
}

interface Sent {
  feed?: string
  secret?: string
  /** The time from which the age counts, in seconds; now by default. */
  at?: number
  ageSeconds?: number
  body?: string
  headers?: Record<string, string>
}

/** Sends a price like a feed. */
function send(asset: string, price: string, sent: Sent = {}) {
  const { feed = 'exchange', secret = SECRET, at = seconds(), ageSeconds = 0 } = sent
  const body = JSON.stringify({ asset, price })
  const message = { id: 'msg_1', timestamp: `${at - ageSeconds}`, body }
  return call(server, `prices/feed/${feed}`, {
    method: 'POST',
    payload: sent.body ?? body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': message.id,
      'webhook-timestamp': message.timestamp,
      'webhook-signature': signWebhook(secret, message),
      ...sent.headers,
    },
  })
}

const priceOf = async (asset: 'AMC' | 'RIF') =>
  (await call(server, asset === 'AMC' ? 'token/price' : 'token/price2')).data
const sourceRow = async (name: string, asset: string) =>
  (await call(server, 'admin/prices', { as: operator })).data.sources.find(
    (source: { name: string; asset: string }) => source.name === name && source.asset === asset,
  )
const proposalOf = async (name: string, asset: string) => {
  const { proposal_id: id } = await sourceRow(name, asset)
  return id === null ? null : (await call(server, `admin/proposals/${id}`, { as: operator })).data
}
const stateOf = async ({ proposal_id: id }: { proposal_id: string }) =>
  (await call(server, `admin/proposals/${id}`, { as: operator })).data.state

it('a signed price is published at once and shows its source', async () => {
  const answer = await send('AMC', '0.52')
  expect(answer).toMatchObject({ status: 200, data: { outcome: 'published' } })
  expect(await priceOf('AMC')).toMatchObject({
    price: '0.520000',
    source: { kind: 'feed', name: 'exchange', approved: false },
  })
  const { data } = await call(server, 'token/price-history?asset=AMC&limit=2')
  expect(data.items).toMatchObject([
    { price: '0.520000', source: { kind: 'feed', name: 'exchange' } },
    { price: '0.500000', source: { kind: 'operator', name: null, observed_at: null, approved: true } },
  ])
  const { data: first } = await call(server, 'token/price-history?asset=AMC&limit=1')
  const { data: second } = await call(server, `token/price-history?asset=AMC&limit=1&cursor=${first.next}`)
  expect([...first.items, ...second.items]).toEqual(data.items)
  const days = await call(server, 'token/prices?asset=AMC&days=2')
  expect(days.data.items.at(-1)).toMatchObject({ price: '0.520000', source: { name: 'exchange' } })
})

it('a wrong signature, another secret, a changed body and an unknown feed are refused', async () => {
  const refused: Sent[] = [
    { secret: OTHER_SECRET },
    { body: '{"asset":"AMC","price":"0.53"}' },
    { body: '{"asset":"AMC","price":"0.51"} ' },
    { feed: 'nobody' },
    { feed: 'broker' },
    { headers: { 'webhook-signature': '' } },
    { headers: { 'webhook-signature': 'v1,AAAA v2,BBBB' } },
    { headers: { 'webhook-id': 'msg_2' } },
    { headers: { 'webhook-timestamp': '1' } },
  ]
  for (const request of refused) {
    const answer = await send('AMC', '0.51', request)
    expect(answer, JSON.stringify(request)).toMatchObject({
      status: 400,
      data: { error: 'SIGNATURE_INVALID' },
    })
  }
  expect((await send('AMC', '0.51', { headers: { 'webhook-signature': 'x'.repeat(600) } })).status).toBe(400)
  expect(await priceOf('AMC')).toMatchObject({ price: '0.500000' })
})

it('a second signature of a message counts, as while a secret is replaced', async () => {
  const body = JSON.stringify({ asset: 'AMC', price: '0.51' })
  const timestamp = `${seconds()}`
  const right = signWebhook(SECRET, { id: 'msg_1', timestamp, body })
  const headers = { 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} ${right}` }
  expect((await send('AMC', '0.51', { headers })).data).toEqual({ outcome: 'published' })
})

it('a replay, an old timestamp and one out of order are refused', async () => {
  // One time for those in the past: the clock may reach the next second between two of them.
  const at = seconds()
  expect((await send('AMC', '0.51', { at, ageSeconds: 20 })).status).toBe(200)
  for (const ageSeconds of [20, 40, 301, -301]) {
    const answer = await send('AMC', '0.52', { ageSeconds, ...(ageSeconds > 0 && { at }) })
    expect(answer, `${ageSeconds}`).toMatchObject({ status: 409, data: { error: 'MESSAGE_OLD' } })
  }
  const early = await send('AMC', '0.52', { at, ageSeconds: 15 })
  expect(early).toMatchObject({ status: 429, data: { details: { retry_after_seconds: 5 } } })
  expect(await priceOf('AMC')).toMatchObject({ price: '0.510000' })
  // The other asset and the other feed have separate times.
  expect((await send('RIF', '0.51', { ageSeconds: 20 })).status).toBe(200)
  const other = await send('AMC', '0.5', { feed: 'broker', secret: OTHER_SECRET, ageSeconds: 20 })
  expect(other.data).toEqual({ outcome: 'published' })
})

it.each([
  ['0', 400, 'INVALID_AMOUNT'],
  ['-1', 400, 'INVALID_AMOUNT'],
  ['0.0000001', 400, 'VALIDATION_FAILED'],
  ['1e3', 400, 'VALIDATION_FAILED'],
])('a price of %s is refused', async (price, status, error) => {
  expect(await send('AMC', price)).toMatchObject({ status, data: { error } })
})

it('a jump waits for two persons, who see the source; the database records who approved', async () => {
  expect((await send('AMC', '0.56')).data).toEqual({ outcome: 'waiting' })
  expect(await priceOf('AMC')).toMatchObject({ price: '0.500000' })
  const proposal = await proposalOf('exchange', 'AMC')
  expect(proposal).toMatchObject({
    kind: 'outside_price',
    state: 'Open',
    prepared_by: 'feed:exchange',
    approvals_needed: 2,
  })
  expect((await decide(server, approvers[0]!, proposal)).data).toMatchObject({ state: 'Open' })
  expect((await decide(server, approvers[0]!, proposal)).data.error).toBe('OWN_PROPOSAL')
  expect((await decide(server, approvers[1]!, proposal)).data).toMatchObject({ state: 'Applied' })
  expect(await priceOf('AMC')).toMatchObject({
    price: '0.560000',
    source: { kind: 'feed', name: 'exchange', approved: true },
  })
  const { rows } = await sql<{ approved_by: string; proposal_id: bigint }>`
    select approved_by, proposal_id from prices where asset = 'AMC' order by price_id desc limit 1`.execute(
    server.database.db,
  )
  expect(rows[0]).toEqual({
    approved_by: approvers[1]!.address.toLowerCase(),
    proposal_id: BigInt(proposal.proposal_id),
  })
  expect(await sourceRow('exchange', 'AMC')).toMatchObject({ outcome: 'published', waiting_price: null })
  // The approved price is the base of the next comparison.
  await advance(30)
  expect((await send('AMC', '0.6')).data).toEqual({ outcome: 'published' })
})

it('a jump that reverts, grows or is refused leaves no approval behind', async () => {
  await send('AMC', '0.7')
  const first = await proposalOf('exchange', 'AMC')
  await advance(20)
  expect((await send('AMC', '0.72')).data).toEqual({ outcome: 'waiting' })
  expect((await proposalOf('exchange', 'AMC')).proposal_id).toBe(first.proposal_id)
  await advance(20)
  await send('AMC', '0.9')
  const second = await proposalOf('exchange', 'AMC')
  expect(second.proposal_id).not.toBe(first.proposal_id)
  expect(await stateOf(first)).toBe('Withdrawn')

  expect((await decide(server, approvers[0]!, second, { approve: false, reason: 'a slip' })).status).toBe(200)
  await advance(20)
  expect((await send('AMC', '0.91')).data).toEqual({ outcome: 'refused' })
  expect(await proposalOf('exchange', 'AMC')).toBeNull()
  await advance(20)
  await send('AMC', '0.7')
  const third = await proposalOf('exchange', 'AMC')
  await advance(20)
  expect((await send('AMC', '0.51')).data).toEqual({ outcome: 'published' })
  await server.services.priceIntake.proposeWaiting()
  expect(await stateOf(third)).toBe('Withdrawn')
  expect(await priceOf('AMC')).toMatchObject({ price: '0.510000' })
})

it('small steps add up to a jump', async () => {
  const outcomes = []
  for (const price of ['0.54', '0.57', '0.59']) {
    await advance(20)
    outcomes.push((await send('AMC', price)).data.outcome)
  }
  expect(outcomes).toEqual(['published', 'waiting', 'waiting'])
  expect(await priceOf('AMC')).toMatchObject({ price: '0.540000' })
})

it('of two simultaneous sources, the second is compared with the first', async () => {
  const broker = { feed: 'broker', secret: OTHER_SECRET }
  const answers = await Promise.all([send('AMC', '0.54'), send('AMC', '0.46', broker)])
  expect(answers.map(({ data }) => data.outcome).sort()).toEqual(['published', 'waiting'])
})

it('an admin cannot propose a price that no source reported', async () => {
  const observed_at = now().toISOString()
  const payload = { source: 'feed', name: 'exchange', asset: 'AMC', price: '9', observed_at }
  const answer = await tryPrepare(server, operator, 'outside_price', payload)
  expect(answer).toMatchObject({ status: 404 })
})

it('the database refuses a jump without approval and a forged approval', async () => {
  const { db } = server.database
  const at = now()
  const row = { asset: 'AMC' as const, valid_from: at, published_at: at, published_by: 'feed:exchange' }
  const outside = { ...row, source: 'feed', source_name: 'exchange', observed_at: at }
  const insert = (more: object) =>
    expect(
      db
        .insertInto('prices')
        .values({ ...outside, price_micros: 600_000n, ...more } as never)
        .execute(),
    ).rejects
  await insert({ share_ppm: 100_000 }).toThrow('differs too much')
  await insert({ share_ppm: 600_000 }).toThrow('share_ppm')
  await insert({ approved_by: 'somebody' }).toThrow('has no proposal')
  await insert({ approved_by: 'somebody', proposal_id: 1n }).toThrow('was not approved')
  await insert({}).toThrow('violates check')
  await insert({ share_ppm: 100_000, observed_at: null }).toThrow('violates check')
})

const readOracles = async () => {
  await readChain()
  await server.services.priceIntake.readOracles()
}
const rifPrice = async () => (await server.services.pricing.priceAt(server.database.db, 'RIF', now()))!
const finalise = () => server.chain.mine(BLOCKS_TO_FINALITY)

it('an oracle is read at a final block; a round that a reorganisation drops is never published', async () => {
  await finalise()
  await readOracles()
  const before = (await server.chain.rpc('evm_snapshot')) as string
  await oracle.set({ roundId: 1n, answer: 54_000_000n })
  await readOracles()
  expect(formatMicros((await rifPrice()).priceMicros)).toBe('0.500000')

  await server.chain.rpc('evm_revert', [before])
  await oracle.set({ roundId: 1n, answer: 52_000_000n })
  await finalise()
  await readOracles()
  expect(await priceOf('RIF')).toMatchObject({
    price: '0.520000',
    source: { kind: 'oracle', name: getAddress(oracle.address), approved: false },
  })
  // The same round again adds nothing.
  await readOracles()
  expect(await sourceRow(getAddress(oracle.address), 'RIF')).toMatchObject({
    outcome: 'published',
    problem: null,
  })
})

it('a stale, incomplete or negative round gives no price, and its problem is shown until it is resolved', async () => {
  const seconds = BigInt(Math.floor(now().getTime() / 1_000))
  const rounds = [
    ['stale', { updatedAt: seconds - 3_700n }],
    ['incomplete', { answeredInRound: 9n }],
    ['incomplete', { updatedAt: 0n }],
    ['not_positive', { answer: 0n }],
    ['not_positive', { answer: -1n }],
  ] as const
  for (const [problem, round] of rounds) {
    await oracle.set({ roundId: 10n, answer: 51_000_000n, ...round })
    await finalise()
    await readOracles()
    expect(await sourceRow(getAddress(oracle.address), 'RIF')).toMatchObject({ problem })
  }
  expect(await priceOf('RIF')).toMatchObject({ price: '0.500000' })
  await oracle.set({ roundId: 11n, answer: 80_000_000n })
  await finalise()
  await readOracles()
  await server.services.priceIntake.proposeWaiting()
  expect(await sourceRow(getAddress(oracle.address), 'RIF')).toMatchObject({
    problem: null,
    waiting_price: '0.800000',
  })
  const proposal = await proposalOf(getAddress(oracle.address), 'RIF')
  await decide(server, approvers[0]!, proposal)
  await decide(server, approvers[1]!, proposal)
  expect(await priceOf('RIF')).toMatchObject({
    price: '0.800000',
    source: { kind: 'oracle', approved: true },
  })
})

it('an oracle gives no price while the sequencer is down, and for an hour after it recovered', async () => {
  const { chain } = server
  const feed = await deployPriceOracle(chain.rpcUrl, chain.accounts[0]!, 0)
  prices.sequencer = feed.address
  const seconds = () => BigInt(Math.floor(now().getTime() / 1_000))
  const name = getAddress(oracle.address)
  const readWith = async (round: { answer: bigint; startedAt: bigint }) => {
    await feed.set({ roundId: 1n, ...round })
    await oracle.set({ roundId: 20n, answer: 52_000_000n })
    await finalise()
    await readOracles()
    return (await sourceRow(name, 'RIF')).problem
  }
  expect(await readWith({ answer: 1n, startedAt: seconds() - 7_200n })).toBe('sequencer')
  expect(await readWith({ answer: 0n, startedAt: seconds() - 600n })).toBe('sequencer')
  expect(await readWith({ answer: 0n, startedAt: 0n })).toBe('sequencer')
  // An unreadable feed gives no answer.
  prices.sequencer = '0x00000000000000000000000000000000000000A1'
  await readOracles()
  expect((await sourceRow(name, 'RIF')).problem).toBe('sequencer')
  expect(await priceOf('RIF')).toMatchObject({ price: '0.500000', source: { kind: 'operator' } })

  prices.sequencer = feed.address
  expect(await readWith({ answer: 0n, startedAt: seconds() - 7_200n })).toBeNull()
  prices.sequencer = null
  expect(await priceOf('RIF')).toMatchObject({ price: '0.520000', source: { kind: 'oracle' } })
})

it("a change of an oracle's decimals is a jump, not a price", async () => {
  const { chain } = server
  const wrong = await deployPriceOracle(chain.rpcUrl, chain.accounts[0]!, 6)
  oracles.push({ asset: 'AMC', address: wrong.address, maxAgeMs: 3_600_000 })
  await wrong.set({ roundId: 1n, answer: 51_000_000n })
  await finalise()
  await readOracles()
  oracles.pop()
  expect(await sourceRow(getAddress(wrong.address), 'AMC')).toMatchObject({
    outcome: 'waiting',
    waiting_price: '51.000000',
  })
  expect(await priceOf('AMC')).toMatchObject({ price: '0.500000' })
})

it('returns the price that was valid at a time, and none for a future time', async () => {
  const at = now().toISOString()
  await advance(30)
  await send('AMC', '0.54')
  const { data } = await call(server, `token/price-at?asset=AMC&at=${at}`)
  expect(data).toMatchObject({ asset: 'AMC', price: '0.500000', source: { kind: 'operator' } })
  const later = new Date(now().getTime() + 86_400_000)
  const draft = { asset: 'AMC', priceMicros: 600_000n, validFrom: later, actor: 'test' } as const
  await inTx(server.database.db, (dbTx) => server.services.pricing.publish(dbTx, draft))
  const future = new Date(later.getTime() + 1_000).toISOString()
  expect((await call(server, `token/price-at?asset=AMC&at=${future}`)).data.price).toBe('0.540000')
  expect((await call(server, `token/price-at?asset=AMC&at=2000-01-01T00:00:00Z`)).data).toEqual({
    asset: 'AMC',
    price: null,
    valid_from: null,
    source: null,
  })
})

it('an address without an oracle is shown as a problem', async () => {
  oracles.push({ asset: 'AMC', address: '0x00000000000000000000000000000000000000A1', maxAgeMs: 60_000 })
  await readOracles()
  oracles.pop()
  expect(await sourceRow('0x00000000000000000000000000000000000000A1', 'AMC')).toMatchObject({
    problem: 'unreadable',
    connected: false,
    price: null,
  })
})

it('a day has one price: the last one valid at its end, from any source', async () => {
  const { pricing } = server.services
  await send('AMC', '0.53')
  await advance(60)
  const broker = { feed: 'broker', secret: OTHER_SECRET }
  await send('AMC', '0.52', broker)
  const day = now().toISOString().slice(0, 10)
  expect((await pricing.dailyPrices(server.database.db, 'AMC', [day])).get(day)).toBe(520_000n)
  const end = new Date(`${day}T23:59:59.999Z`)
  expect((await pricing.priceAt(server.database.db, 'AMC', end))!.priceMicros).toBe(520_000n)
})
