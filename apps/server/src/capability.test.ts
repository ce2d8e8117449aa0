import { PROPOSAL_KINDS } from '@rif/api-schema'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { AppError } from './lib/errors.ts'
import type { Books, books } from './modules/books/index.ts'
import { capability } from './modules/capability.ts'
import type { Ground } from './modules/ground.ts'
import { CAPABILITIES } from './modules/index.ts'
import { type Assembled, createServices } from './services.ts'
import { type StartedServer, startTestServer } from './testing/test-server.ts'

/** A capability as small as one can be: it says what the commission pool holds. */
const poolWatch = capability({
  create: ({ db, ledger }: Ground & Books) => ({
    poolWatch: { usdtMicros: async () => (await ledger.pools.balances(db, 'commission_pool')).USDT },
  }),
  routes(app, { poolWatch }) {
    app.get('/api/pool-watch', async () => ({ usdt: `${await poolWatch.usdtMicros()}` }))
    app.get('/api/pool-watch/refused', () => {
      throw new AppError('SOLD_OUT')
    })
  },
  jobs: ({ poolWatch }) => ({
    always: [
      { name: 'watch the pool', everyMs: 1_000, run: async () => void (await poolWatch.usdtMicros()) },
    ],
  }),
  readings: ({ poolWatch }) => [
    {
      name: 'pool_watch_held',
      help: 'The balance of the commission pool',
      labels: [],
      read: async () => [{ labels: {}, value: Number(await poolWatch.usdtMicros()) }],
    },
  ],
  audits: [{ name: 'pool watch', run: async () => [] }],
  messages: {
    SOLD_OUT: { status: 418, en: 'Watched', 'zh-Hans': '已看守', ja: '監視済み', ko: '감시됨' },
  },
})

let server: StartedServer
beforeAll(async () => {
  server = await startTestServer({ capabilities: [...CAPABILITIES, poolWatch] })
})
afterAll(() => server.close())

const get = (url: string) => server.app.inject({ url })

test('one line in the list adds the routes and the texts of a capability', async () => {
  expect((await get('/api/pool-watch')).json()).toEqual({ usdt: '0' })
  const refused = await get('/api/pool-watch/refused')
  expect(refused.statusCode).toBe(418)
  expect(refused.json()).toMatchObject({ msg: 'Watched', data: { error: 'SOLD_OUT' } })
})

test('and its jobs, metrics and audits', async () => {
  const { services } = server
  const worker = { log: services.log, runComparison: () => Promise.reject(new Error('not run')) }
  const jobs = services.capabilities.flatMap(({ jobs }) => jobs?.(services, worker).always ?? [])
  expect(jobs.map(({ name }) => name)).toContain('watch the pool')
  expect(services.auditChecks.map(({ name }) => name)).toContain('pool watch')
  expect(await services.metrics.text()).toContain('pool_watch_held 0')
})

test('each capability needs only those before it', () => {
  expectTypeOf<Assembled<readonly [typeof poolWatch, typeof books], Ground>>().toBeNever()
  expectTypeOf<Assembled<readonly [typeof books, typeof poolWatch], Ground>>().toHaveProperty('poolWatch')
})

test('every kind of proposal is declared, and no key twice', () => {
  const { services } = server
  expect(Object.keys(services.kinds).sort()).toEqual([...PROPOSAL_KINDS].sort())
  const twice = capability({
    create: (_needs: Ground) => ({}),
    events: () => ({ Claimed: services.eventHandlers.Claimed! }),
  })
  expect(() => createServices(services, [...CAPABILITIES, twice])).toThrow('two capabilities declare Claimed')
})
