import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { createDatabase, type Database, inTx } from './db/database.ts'
import { CONNECTION_POOLS, forAll, forRequest, POOL_LIMITS } from './db/lanes.ts'
import { deferred } from './lib/deferred.ts'
import { createLogger } from './lib/logger.ts'
import { newAdmin, type TestAdmin, tryPrepare } from './testing/admin-actions.ts'
import { startTcpProxy, type TcpProxy } from './testing/tcp-proxy.ts'
import { createTestDatabase, isOnCluster } from './testing/test-database.ts'
import {
  type Answer,
  call,
  messageOf,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from './testing/test-server.ts'

const CONNECTIONS = 20

let server: TestServer
let proxy: TcpProxy
/** The connections of the server. */
let lanes: Database
/** Connections of another process. */
let others: Database
let operator: TestAdmin
let member: SignedIn
/** Members who write at the same time: the calls of one would wait for each other. */
let writers: SignedIn[]

beforeAll(async () => {
  const database = await createTestDatabase({ max: CONNECTIONS })
  const url = new URL(database.url)
  proxy = await startTcpProxy(Number(url.port))
  url.port = `${proxy.port}`
  lanes = createDatabase({
    url: url.href,
    max: CONNECTIONS,
    applicationName: 'lanes',
    hasPools: true,
    isDistributed: isOnCluster(),
  })
  others = database
  server = await startTestServer({
    database: {
      ...lanes,
      url: database.url,
      adminUrl: database.adminUrl,
      readUrl: database.readUrl,
      adminDb: database.adminDb,
      async close() {
        await lanes.close()
        await database.close()
      },
    },
  })
  operator = await newAdmin(server, 'operator')
  member = await signIn(server, newWallet())
  writers = await Promise.all(Array.from({ length: 4 }, () => signIn(server, newWallet())))
})
afterAll(async () => {
  await server.close()
  await proxy.close()
})

const readMe = () => call(server, 'me', { as: member })
const write = () => call(server, 'profit/mng', { as: member, payload: { action: 'resume' } })

/** Signs a wallet's message. Returns the function that sends it with an invitation. */
async function preparedSignUp(): Promise<() => Promise<Answer>> {
  const wallet = newWallet()
  const { data: terms } = await call(server, `nonce?address=${wallet.address}`)
  const message = messageOf(terms, wallet.address)
  const signature = await wallet.signMessage({ message })
  const payload = { message, signature, invite_code: server.root.inviteCode }
  return () => call(server, 'auth', { payload })
}

const expectUnavailable = (answer: Answer) => {
  expect(answer).toMatchObject({ status: 503, data: { error: 'UNAVAILABLE' } })
  expect(answer.headers['retry-after']).toBe('2')
}

test('24 parallel proposals neither freeze the API nor block each other', async () => {
  const validFrom = (index: number) => new Date(Date.UTC(2090, 0, index + 1)).toISOString()
  const sent = Array.from({ length: 24 }, (_, index) =>
    tryPrepare(server, operator, 'price', { asset: 'AMC', price: '1', valid_from: validFrom(index) }),
  )
  const reads = await Promise.all(Array.from({ length: 20 }, readMe))
  for (const read of reads) expect(read).toMatchObject({ status: 200 })
  const answers = await Promise.all(sent)
  for (const answer of answers) {
    if (answer.status === 429) expect(answer.data).toMatchObject({ error: 'TOO_MANY_CALLS' })
    else if (answer.status !== 200) expectUnavailable(answer)
  }
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(4)
})

test('a hung holder of the tree blocks only sign-ups, which are refused in the end', async () => {
  const registeredWallet = newWallet()
  await signIn(server, registeredWallet)
  const signUps = await Promise.all(Array.from({ length: 20 }, preparedSignUp))
  const [locked, released] = [deferred<void>(), deferred<void>()]
  const holder = inTx(others.db, async (dbTx) => {
    await server.services.placement.lockTree(dbTx)
    locked.resolve()
    await released.promise
  })
  await locked.promise
  const waiting = signUps.map((signUp) => signUp())
  await sleep(100)
  for (const use of [readMe, write, readMe, write]) expect(await use()).toMatchObject({ status: 200 })
  await signIn(server, registeredWallet)
  const refused = await Promise.all(waiting)
  refused.forEach(expectUnavailable)
  released.resolve()
  await holder
  // The nonces of refused sign-ups are still valid.
  expect(await signUps[0]!()).toMatchObject({ status: 200, data: { new_member: true } })
})

test('a request that its client abandons while it waits has no effect; another one waits and has', async () => {
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const wallet = newWallet()
  const { data: terms } = await call(server, `nonce?address=${wallet.address}`)
  const message = messageOf(terms, wallet.address)
  const signature = await wallet.signMessage({ message })
  const waiting = async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity
      where application_name = 'lanes' and wait_event_type = 'Lock' and datname = current_database()`.execute(
      others.db,
    )
    return rows.length
  }
  const asOther = <T>(work: () => Promise<T>) => forAll('work', work)
  const post = (signal?: AbortSignal) =>
    fetch(`${address}/api/v1/auth`, {
      method: 'POST',
      signal: signal ?? null,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message, signature, invite_code: server.root.inviteCode }),
    })
  await inTx(others.db, async (dbTx) => {
    await server.services.placement.lockTree(dbTx)
    const abort = new AbortController()
    const request = post(abort.signal)
    await expect.poll(() => asOther(waiting)).toBe(1)
    abort.abort()
    await expect(request).rejects.toThrow()
  })
  await expect.poll(() => asOther(waiting)).toBe(0)
  expect((await call(server, `nonce?address=${wallet.address}`)).data).toMatchObject({
    registered: false,
  })
  let signUp: Promise<Response> | undefined
  await inTx(others.db, async (dbTx) => {
    await server.services.placement.lockTree(dbTx)
    signUp = post()
    await expect.poll(() => asOther(waiting)).toBe(1)
    await sleep(700)
    expect(await asOther(waiting)).toBe(1)
  })
  expect((await signUp!).status).toBe(200)
})

test('each pool has its own time limits', async () => {
  for (const name of CONNECTION_POOLS) {
    const { rows } = await server.database.pools[name].query(`
      select current_setting('statement_timeout')::interval as statement, current_setting('lock_timeout')::interval as lock,
        current_setting('idle_in_transaction_session_timeout')::interval as idle`)
    const seconds = ({ minutes = 0, seconds = 0 }) => (minutes * 60 + seconds) * 1_000
    const { statement, lock, idle } = rows[0]
    expect({ statementMs: seconds(statement), lockMs: seconds(lock), idleInTxMs: seconds(idle) }).toEqual({
      statementMs: POOL_LIMITS[name].statementMs,
      lockMs: POOL_LIMITS[name].lockMs,
      idleInTxMs: POOL_LIMITS[name].idleInTxMs,
    })
  }
})

test('a second connection inside a transaction is refused', async () => {
  const { db, services } = { ...server.database, services: server.services }
  const second = inTx(db, () => services.members.root(db))
  await expect(second).rejects.toThrow('a second connection was requested inside a transaction')
  const nested = inTx(db, () => inTx(db, async () => undefined))
  await expect(nested).rejects.toThrow('a second connection')
  const shared = inTx(db, () => services.me.me(member.memberId))
  await expect(shared).rejects.toThrow('a second connection')
})

/** The networks from which calls came: a repeated read counts again, so none may serve two tests. */
let networks = 0

/** Reads and writes until `during` has ended, and returns the answers. */
async function underLoad(during: () => Promise<void>): Promise<Answer[]> {
  let isOver = false
  const answers: Answer[] = []
  // Each call comes from a separate network and is counted in the database before it is answered.
  const rateLimits = { perIp: 8, perMember: 1e9, signInPerIp: 1e9 }
  const log = createLogger({ level: 'silent' })
  const app = await createApp(server.services, { log, rateLimits, trustProxy: 1 })
  const load = Array.from({ length: 8 }, async (_, index) => {
    while (!isOver) {
      const request = {
        as: member,
        headers: { 'x-forwarded-for': `2001:db8:0:${(networks++).toString(16)}::1` },
      }
      const writing = { ...request, as: writers[index >> 1]!, payload: { action: 'resume' } }
      answers.push(
        await (index % 2 === 0 ? call({ app }, 'me', request) : call({ app }, 'profit/mng', writing)),
      )
    }
  })
  try {
    await during()
  } finally {
    isOver = true
    await Promise.all(load)
    await app.close()
  }
  return answers
}

test.each([
  ['connections that break', 'cut'],
  ['connections on which nothing comes', 'silent'],
] as const)('%s are answered with 503, and calls succeed when the database is back', async (_, state) => {
  const answers = await underLoad(async () => {
    await sleep(200)
    proxy.setState(state)
    await sleep(2_500)
    proxy.setState('open')
    await expect.poll(async () => (await readMe()).status).toBe(200)
    await expect.poll(async () => (await write()).status).toBe(200)
  })
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThan(8)
  refused.forEach(expectUnavailable)
})

test('when the database stops responding, more concurrent calls than idle connections are all answered', async () => {
  const { signal } = new AbortController()
  const isRead = () =>
    forRequest('reads', signal, () => sql`select 1`.execute(lanes.db)).then(
      () => true,
      () => false,
    )
  await isRead()
  proxy.setState('silent')
  try {
    const answers = await Promise.all(Array.from({ length: 12 }, isRead))
    expect(answers).toEqual(answers.map(() => false))
  } finally {
    proxy.setState('open')
    await expect.poll(async () => (await readMe()).status).toBe(200)
  }
})

test('when PostgreSQL closes all its connections under load, calls are answered with 503, never with 500', async () => {
  const answers = await underLoad(async () => {
    for (let round = 0; round < 5; round++) {
      await sleep(100)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'lanes' and datname = current_database()`.execute(others.db)
    }
  })
  const refused = answers.filter(({ status }) => status !== 200)
  refused.forEach(expectUnavailable)
  await expect.poll(async () => (await readMe()).status).toBe(200)
})
