import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { decisionStatement } from '@rif/rules'
import pg from 'pg'
import { isAddressEqual } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { inSimulation } from '../../db/simulation.ts'
import { DEV_ACCOUNT_COUNT } from '../../local/anvil.ts'
import { developmentAccounts } from '../../local/development-keys.ts'
import { processIdentity } from '../../local/processes.ts'
import { childProgram } from '../../testing/child-program.ts'
import { type ProductProcess, runProductProcess } from '../../testing/product-process.ts'
import { messageOf } from '../../testing/test-server.ts'

// The whole product with two API processes, on a separate database and chain.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const METRICS_TOKEN = 'only-for-the-metrics'
const SIGN_IN_LIMIT = 48
const FAILING = new URL('./testing/failing-child.ts', import.meta.url)

/** Gives a member 7 USDT, which only a simulation allows. */
const GRANT = `
  select ledger_post('serving/grant', 'grant', 'test', '1', (now() at time zone 'UTC')::date, now(),
    array[$1]::bigint[], '{USDT}', '{external}', '{available}', '{7000000}')`

// biome-ignore lint/suspicious/noExplicitAny: many shapes of data
type Data = any
interface Answer {
  readonly status: number
  readonly data: Data
}
interface Session {
  readonly token: string
  readonly address: string
}
/** A single connection, and therefore a single process. */
interface Line {
  readonly api: string
  call(path: string, options?: { as?: Session; body?: object; from?: string; key?: string }): Promise<Answer>
  /** Opens the stream of changes, and returns the kinds announced from then on. */
  changes(as: Session): Promise<Set<string>>
  close(): void
}

let dataDir: string
let product: ProductProcess
let lines: Line[]

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rif-serving-'))
  await start()
  lines = await twoLinesToEach()
})
afterAll(async () => {
  product.child.kill('SIGKILL')
  await product.ended
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
})

async function start(): Promise<void> {
  product = await runProductProcess('start', {
    ...{ DATA_DIR: dataDir, DEMO_TEAM: 'false', SERVE_PROCESSES: '2', METRICS_TOKEN, LOG_LEVEL: 'info' },
    ...{ TRUST_PROXY: 'true', RATE_LIMIT_SIGN_IN: `${SIGN_IN_LIMIT}`, RATE_LIMIT_PER_IP: '100000' },
    RATE_LIMIT_PER_MEMBER: '100000',
  })
  await product.ready()
  await bothServe()
}

const bothServe = () =>
  vi.waitFor(async () => expect(await metricsOn()).toMatch(/\{state="serving",process="main"\} 2/), {
    ...{ timeout: 60_000, interval: 200 },
  })

/** Sends a request on a connection of the agent. Throws when the connection breaks. */
async function ask(
  agent: Agent | undefined,
  path: string,
  { headers, body }: { headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; text: string }> {
  const { port } = new URL(product.address)
  const sent = request({
    ...{ host: '127.0.0.1', port, path, agent: agent ?? new Agent({ keepAlive: false }) },
    ...{ method: body === undefined ? 'GET' : 'POST', headers },
  })
  sent.end(body)
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, text: await text(response) }
}

const metricsOn = async (agent?: Agent): Promise<string> =>
  (await ask(agent, '/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text

async function openLine(): Promise<Line> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  // The response identifies its process.
  const api = /process="([^"]+)"/.exec(await metricsOn(agent))![1]!
  return {
    api,
    async call(path, { as, body, from = '198.51.100.1', key = randomUUID() } = {}) {
      const headers = {
        'x-forwarded-for': from,
        ...(as && { authorization: `Bearer ${as.token}`, 'x-wallet-address': as.address }),
        ...(body && { 'content-type': 'application/json', 'idempotency-key': key }),
      }
      const given = body && { body: JSON.stringify(body) }
      const answer = await ask(agent, `/api/v1/${path}`, { headers, ...given })
      return { status: answer.status, data: JSON.parse(answer.text).data }
    },
    async changes(as) {
      const { port } = new URL(product.address)
      const headers = { authorization: `Bearer ${as.token}`, 'x-wallet-address': as.address }
      const sent = request({ host: '127.0.0.1', port, path: '/api/v1/changes', agent, headers })
      sent.on('error', () => undefined).end()
      const [stream] = await once(sent, 'response')
      const kinds = new Set<string>()
      stream.setEncoding('utf8')
      stream.on('error', () => undefined)
      stream.on('data', (part: string) => {
        for (const [, named] of part.matchAll(/^data: (.*)$/gm))
          for (const kind of JSON.parse(named!).kinds) kinds.add(kind)
      })
      await vi.waitUntil(() => kinds.size > 0, { timeout: 20_000, interval: 20 })
      kinds.clear()
      return kinds
    },
    close: () => agent.destroy(),
  }
}

/** Opens connections until there are two to each process. */
async function twoLinesToEach(): Promise<Line[]> {
  const open: Line[] = []
  const to = (api: string) => open.filter((line) => line.api === api)
  while (to('api-1').length < 2 || to('api-2').length < 2) open.push(await openLine())
  const chosen = [...to('api-1').slice(0, 2), ...to('api-2').slice(0, 2)]
  for (const line of open) if (!chosen.includes(line)) line.close()
  return chosen
}

/** Returns the processes of the API by name. */
async function apiProcesses(): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const pid of await childrenOf(product.child.pid!)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const name = /\0(api-\d)\0/.exec(command)?.[1]
    if (name) found[name] = pid
  }
  return found
}

async function childrenOf(parent: number): Promise<number[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(
    all.map(async (pid) => [pid, await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')]),
  )
  const isChild = (stat: string) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === `${parent}`
  return stats.filter(([, stat]) => isChild(stat!)).map(([pid]) => Number(pid))
}

/** Signs in the demonstration's wallet with this label. */
async function signIn(line: Line, label: string, from: string): Promise<Session & { key: `0x${string}` }> {
  const { demo } = (await line.call('config')).data
  const { address } = demo.find((one: { label: string }) => one.label.startsWith(label))
  const { key } = developmentAccounts(DEV_ACCOUNT_COUNT).find((one) => isAddressEqual(one.address, address))!
  const terms = (await line.call(`nonce?address=${address}`, { from })).data
  const message = messageOf(terms, address)
  const signature = await privateKeyToAccount(key).signMessage({ message })
  const { data } = await line.call('auth', { from, body: { message, signature } })
  return { token: data.token, address, key }
}

/** Returns the login of the database's owner. */
async function ownerUrl(): Promise<string> {
  const { databaseUrl } = JSON.parse(await readFile(join(dataDir, 'running.json'), 'utf8'))
  const url = new URL(databaseUrl)
  url.username = 'rif_owner'
  url.password = (await readFile(join(dataDir, 'postgres-logins', 'rif_owner'), 'utf8')).trim()
  return url.href
}

/** Runs a statement as the owner of the database. */
async function asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: await ownerUrl() })
  await client.connect()
  return work(client).finally(() => client.end())
}

test('metrics are reported per process, and once where they are common to all; the log names the process', async () => {
  await Promise.all(lines.map((line) => line.call('pauses')))
  for (const line of lines) {
    const found = (await metricsOn()).split('\n')
    const of = (start: string) => found.filter((one) => one.startsWith(start))
    const calls = of('rif_http_request_duration_seconds_count{route="/api/v1/pauses"')
    const counted = calls.map((one) => [/process="([^"]+)"/.exec(one)?.[1], Number(one.split(' ').at(-1))])
    expect(counted.toSorted()).toEqual([
      ['api-1', 2],
      ['api-2', 2],
    ])
    expect(of('rif_pool_balance{pool="suspense",asset="USDT"}')).toHaveLength(1)
    expect(
      of('process_resident_memory_bytes{')
        .map((one) => /"(.+)"/.exec(one)![1]!)
        .toSorted(),
    ).toEqual(['api-1', 'api-2', 'main'])
    expect(of('rif_api_processes{state="serving"')).toEqual([
      'rif_api_processes{state="serving",process="main"} 2',
    ])
    expect(product.output()).toMatch(new RegExp(`"process":"${line.api}".*"path":"/api/v1/pauses"`))
  }
})

test('a limit counts across processes', async () => {
  const ask = (index: number) =>
    lines[index % lines.length]!.call(`nonce?address=0x${'1'.repeat(40)}`, { from: '203.0.113.7' })
  const allowed: Record<string, number> = { 'api-1': 0, 'api-2': 0 }
  for (let index = 0; index < 3 * SIGN_IN_LIMIT; index++) {
    const { status } = await ask(index)
    expect([200, 429]).toContain(status)
    if (status === 200) allowed[lines[index % lines.length]!.api]!++
  }
  const sum = allowed['api-1']! + allowed['api-2']!
  expect(sum).toBeGreaterThanOrEqual(SIGN_IN_LIMIT)
  // Each process may add a sixteenth.
  expect(sum).toBeLessThanOrEqual(SIGN_IN_LIMIT + (2 * SIGN_IN_LIMIT) / 16)
  for (const count of Object.values(allowed)) expect(count).toBeGreaterThan(SIGN_IN_LIMIT / 4)
})

test('each process applies changes by another one with its next request: a session, its end, a pause, a role', async () => {
  const [first, , , last] = lines as [Line, Line, Line, Line]
  const olivia = await signIn(first, 'Olivia', '203.0.113.21')
  const statuses = (as: Session, path: string) =>
    Promise.all(lines.map(async (line) => (await line.call(path, { as })).status))
  expect(await statuses(olivia, 'admin/emergency')).toEqual([200, 200, 200, 200])

  const { chain, contracts } = (await first.call('config')).data
  const payload = { kind: 'pause', payload: { area: 'sign_ups' }, reason: 'as tested' }
  const { data: proposal } = await first.call('admin/proposals', { as: olivia, body: payload })
  const path = `admin/proposals/${proposal.proposal_id}`
  const body = { approve: true, reason: '' }
  const { nonce, deadline } = (await first.call(`${path}/statement`, { as: olivia, body })).data
  const { proposal_id: proposalId, kind, subject, digest, content } = proposal
  const { summary } = JSON.parse(content)
  const statement = decisionStatement(
    { proposalId, kind, subject, digest, summary, ...body, nonce, deadline },
    { chainId: chain.id, bank: contracts.bank },
  )
  const signature = await privateKeyToAccount(olivia.key).signTypedData(statement)
  const decided = await first.call(`${path}/decide`, { as: olivia, body: { nonce, signature } })
  expect(decided.status, JSON.stringify(decided.data)).toBe(200)
  for (const line of lines) expect((await line.call('pauses')).data.paused, line.api).toEqual(['sign_ups'])

  await asOwner((client) =>
    client.query('update admins set role = $1 where address = $2', ['viewer', olivia.address.toLowerCase()]),
  )
  for (const line of lines)
    expect((await line.call('admin/proposals', { as: olivia, body: payload })).status).toBe(403)

  expect((await last.call('auth/sign-out', { as: olivia, body: {} })).status).toBe(200)
  expect(await statuses(olivia, 'admin/emergency')).toEqual([401, 401, 401, 401])
})

test('a request repeated in every process is executed once, and each announces changes made by others', async () => {
  const member = await signIn(lines[0]!, 'Root', '203.0.113.31')
  const streams = await twoLinesToEach()
  const told = await Promise.all(streams.map((line) => line.changes(member)))
  const ordering = { as: member, body: { product_id: '1' }, key: randomUUID() }
  const made = await Promise.all(lines.map((line) => line.call('order', ordering)))
  expect(made.map(({ status, data }) => (status === 200 ? 200 : data))).toEqual([200, 200, 200, 200])
  expect(new Set(made.map(({ data }) => data.order_id)).size).toBe(1)
  const stored = await asOwner((client) => client.query('select order_id from orders'))
  expect(stored.rows).toEqual([{ order_id: made[0]!.data.order_id }])
  await vi.waitUntil(() => told.every((kinds) => kinds.has('order')), { timeout: 20_000, interval: 50 })
  const other = await lines[3]!.call('order', { ...ordering, body: { product_id: '2' } })
  expect(other.data.error).toBe('IDEMPOTENCY_CONFLICT')
  for (const line of streams) line.close()
})

test('each process recomputes a cached response of a member after another process has changed it', async () => {
  const member = await signIn(lines[0]!, 'Root', '203.0.113.32')
  const answers = () => Promise.all(lines.map(async (line) => (await line.call('me', { as: member })).data))
  const [{ member_id: memberId }] = await answers()
  await inSimulation(await ownerUrl(), () => asOwner((client) => client.query(GRANT, [memberId])))
  const inAll = async () => (await answers()).map(({ balances }) => balances.USDT)
  const given = { available: '7.000000', savings: '0.000000' }
  expect(await inAll()).toMatchObject(lines.map(() => given))
  for (const [index, line] of lines.entries()) {
    const saving = { as: member, body: { asset: 'USDT', amount: '1' } }
    expect((await line.call('savings/in', saving)).status).toBe(200)
    const moved = { available: `${6 - index}.000000`, savings: `${1 + index}.000000` }
    expect(await inAll()).toMatchObject(lines.map(() => moved))
  }
})

test('a killed process is restarted while the others answer: only its requests in progress fail', async () => {
  const before = await apiProcesses()
  let isOver = false
  const failures: string[] = []
  let answered = 0
  const working = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      // Each on a separate connection, like those of browsers.
      await ask(undefined, '/api/v1/pauses').then(
        ({ status }) => {
          // On a busy machine a process that has just started waits for connections to the database, and
          // reports that.
          if (status === 200 || status === 503) answered++
          else failures.push(`${status}`)
        },
        (error: Error) => failures.push(error.message),
      )
    }
  })
  await vi.waitFor(() => expect(answered).toBeGreaterThan(50), 20_000)
  process.kill(before['api-1']!, 'SIGKILL')
  await bothServe()
  isOver = true
  await Promise.all(working)
  // Each of the eight had at most one request in progress.
  expect(failures.length, failures.join(', ')).toBeLessThanOrEqual(8)
  const after = await apiProcesses()
  expect(after['api-2']).toBe(before['api-2'])
  expect(after['api-1']).not.toBe(before['api-1'])
  expect(product.output()).toMatch(/"process":"main","api":"api-1","how":"SIGKILL".*ended"/)
  for (const line of lines) line.close()
  lines = await twoLinesToEach()
})

test('SIGTERM lets all processes answer their requests in progress, and stops them', async () => {
  const apis = Object.values(await apiProcesses())
  expect(apis).toHaveLength(2)
  const release = new AbortController()
  const locked = asOwner(async (client) => {
    await client.query('begin')
    await client.query('lock table sign_in_nonces')
    await once(release.signal, 'abort')
    await client.query('rollback')
  })
  await sleep(200)
  const waiting = lines.map((line) => line.call(`nonce?address=0x${'2'.repeat(40)}`, { from: '203.0.113.9' }))
  await sleep(300)
  product.child.kill('SIGTERM')
  // Like a terminal, to the whole group.
  for (const pid of apis) process.kill(pid, 'SIGINT')
  await sleep(500)
  release.abort()
  const statuses = (await Promise.all(waiting)).map(({ status }) => status)
  const causes = product.output().match(/.*"code":"INTERNAL".*/g)
  expect(statuses, `${causes?.at(-1)}`).toEqual([200, 200, 200, 200])
  expect(await product.ended).toBe(0)
  await locked.catch(() => undefined)
  for (const pid of apis) expect(await processIdentity(pid)).toBeUndefined()
  // Only the killed process raises an alarm.
  expect(product.output().match(/"api":"api-\d","how":.*an API process ended/g)).toHaveLength(1)
})

test('nothing remains when the main process is killed', async () => {
  await start()
  const family = await childrenOf(product.child.pid!)
  expect(Object.keys(await apiProcesses())).toHaveLength(2)
  product.child.kill('SIGKILL')
  await product.ended
  await vi.waitFor(async () => {
    const left = await Promise.all(family.map((pid) => processIdentity(pid)))
    expect(left.filter((one) => one !== undefined)).toEqual([])
  }, 20_000)
})

test.each([
  ['that end while they start', {}, 'an API process ended 5 times while it started: 7'],
  ['that refuse to serve', { REFUSAL: 'the key has no role' }, 'the key has no role'],
])('gives up on processes %s', async (_what, env, line) => {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [childProgram(FAILING)], {
    ...{ env: { PATH, ...env }, stdio: ['ignore', 'ignore', 'pipe'] },
  })
  expect(await text(child.stderr)).toBe(`${line}\n`)
})
