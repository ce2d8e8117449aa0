import { API_PREFIX, isAdminRole, type Route, type RouteName, routes } from '@rif/api-schema'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTx } from './db/database.ts'
import { encodeCursor } from './lib/cursor.ts'
import { newAdmin, type TestAdmin } from './testing/admin-actions.ts'
import { runs } from './testing/level.ts'
import { leavesOf, replaced, type Sample, samplesOf } from './testing/samples.ts'
import {
  call,
  messageOf,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from './testing/test-server.ts'

/** The number of requests to each call. */
const RUNS = runs({ usual: 3, full: 200 })
const table = Object.entries(routes) as [RouteName, Route][]

const ODD_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1',
  '00',
  '1e3',
  '0x1',
  '1.5',
  'NaN',
  'null',
  'true',
  '[object Object]',
  '9223372036854775807',
  '9223372036854775808',
  '999999999999999999',
  '18446744073709551616',
  '9'.repeat(40),
  '9999999999999.999999',
  '9223372036854.775808',
  '-9999999999999',
  '0.000001',
  '-0',
  '0.0000001',
  '.5',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e',
  '👩‍👩‍👧',
  "' or 1=1 --",
  '"; drop table orders; --',
  '%00',
  '%',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  'x'.repeat(1_000),
  'USDT',
  'AMC',
  'left',
  'UnPaid',
  'Auditing',
  `0x${'0'.repeat(40)}`,
  `0x${'f'.repeat(40)}`,
  `0x${'A'.repeat(40)}`,
  `0x${'1'.repeat(64)}`,
  '0x',
  encodeCursor(1),
  encodeCursor('9'.repeat(18)),
  encodeCursor('9'.repeat(18), '9'.repeat(18)),
  encodeCursor(1, 2, 3),
  encodeCursor('9'.repeat(18), 0),
  encodeCursor('0', '9'.repeat(18)),
  encodeCursor('9'.repeat(30)),
  '!!!!',
]

const text = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ODD_TEXTS) }, fc.string({ unit: 'binary' }))
const json = fc.oneof(
  { weight: 3, arbitrary: text },
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, 2 ** 53, [], {}, [[]], ['1'], { toString: 1 }),
  fc.jsonValue(),
)

/** Returns the fields of an object schema, so that odd values are mostly in fields that are read. */
function fieldsOf(schema: Route['body']): string[] {
  return Object.keys((schema as { shape?: object } | undefined)?.shape ?? {})
}

/** Generates odd values in some of the fields, and valid ones in the rest. */
function inputsOf(schema: Route['body'], values: fc.Arbitrary<unknown>) {
  const names = [...fieldsOf(schema), '__proto__', 'other']
  return fc
    .tuple(...names.map((name) => fc.tuple(fc.constant(name), fc.option(values, { freq: 4 }))))
    .map((entries) => Object.fromEntries(entries.filter(([, value]) => value !== null)))
}

const GOOD: Readonly<Record<string, string>> = {
  order_id: '1',
  id: '1',
  withdraw_id: '1',
  product_id: '1',
  asset: 'AMC',
  amount: '20',
  to: 'DIV',
  quote_id: '1',
  launch_id: '1',
  tx_hash: `0x${'2'.repeat(64)}`,
  address: `0x${'3'.repeat(40)}`,
  label: 'Somebody',
  first_hash: `0x${'4'.repeat(64)}`,
}

/** Texts that the database or a screen cannot take. */
const HOSTILE_TEXTS = ['a\0b', 'a\ud800b', 'a\n\u202eAMOUNT: 1\u3164']

let server: TestServer
let member: SignedIn
let owner: TestAdmin

beforeAll(async () => {
  server = await startTestServer()
  member = await signIn(server, newWallet())
  owner = await newAdmin(server, 'owner', 'Otto', (await signIn(server, newWallet())).wallet)
  const { pricing, ledger } = server.services
  const at = new Date()
  await inTx(server.database.db, async (dbTx) => {
    await pricing.publish(dbTx, { asset: 'AMC', priceMicros: 1n, actor: 'test' })
    await pricing.publish(dbTx, { asset: 'RIF', priceMicros: 500_000n, actor: 'test' })
    await ledger.post(dbTx, {
      key: 'gift',
      kind: 'grant',
      cause: { type: 'test', id: '1' },
      accountingDay: at.toISOString().slice(0, 10),
      at,
      lines: (['USDT', 'AMC', 'RIF'] as const).map((asset) => ({
        memberId: member.memberId,
        asset,
        source: 'external',
        destination: 'available',
        amountMicros: 2n ** 62n,
      })),
    })
  })
})
afterAll(() => server.close())

/** Asserts that the response is an envelope and never a server error. */
function expectNoDefect(answer: { status: number; code: number; data: unknown }) {
  expect(answer.status, JSON.stringify(answer.data)).toBeLessThan(500)
  expect(answer.code).toBe(answer.status)
}

const ENDS_THE_SESSION: readonly RouteName[] = ['signOut', 'changes']
/** Fields that no valid request has together with the sample of another. */
const LEFT_OUT: Partial<Record<RouteName, readonly string[]>> = { announceBankCall: ['cap'] }

describe('a whole valid request with one hostile text is refused or served, but never causes an error', () => {
  it.each(table.filter(([name]) => !ENDS_THE_SESSION.includes(name)))('%s', async (name, route) => {
    const parts = { params: route.params, query: route.query, body: route.body }
    const wholes = samplesOf(parts)
    for (const whole of wholes) {
      for (const field of LEFT_OUT[name] ?? []) delete (whole.body as Record<string, unknown>)[field]
      for (const [part, schema] of Object.entries(parts))
        expect(schema?.safeParse(whole[part]).success, `${name} ${part}`).not.toBe(false)
      for (const [place, steps] of leavesOf(whole).entries()) {
        // Each field gets one of them in its turn, or all.
        const first = place % HOSTILE_TEXTS.length
        const texts = runs({ usual: 1, full: HOSTILE_TEXTS.length })
        for (const hostile of [...HOSTILE_TEXTS, ...HOSTILE_TEXTS].slice(first, first + texts)) {
          const answer = await ask(route, replaced(whole, steps, hostile))
          expect(answer.status, `${steps.join('.')}: ${JSON.stringify(answer.data)}`).toBeLessThan(500)
        }
      }
    }
  })

  it.each(['q', 'actor', 'action'])('the log of admins, searched by %s', async (field) => {
    for (const hostile of ['\0', 'a\0b', 'a\nb', 'a\u202eb']) {
      const answer = await call(server, `admin/log?${field}=${percent(hostile)}`, { as: owner })
      expect(answer).toMatchObject({ status: 400, data: { error: 'VALIDATION_FAILED' } })
    }
  })

  /** Sends a request with the parts of `samplesOf`. */
  function ask(route: Route, { params, query, body }: Sample) {
    const textsOf = (part: unknown) => Object.entries((part ?? {}) as Record<string, unknown>)
    const path = textsOf(params).reduce(
      (whole, [field, value]) => whole.replace(`:${field}`, percent(`${value}`)),
      route.path,
    )
    const search = textsOf(query).map(([field, value]) => `${field}=${percent(`${value}`)}`)
    const headers = { 'content-type': 'application/json' }
    const payload = JSON.stringify(body ?? {})
    return call(server, `${path}?${search.join('&')}`, {
      as: owner,
      ...(route.method === 'POST' && { headers, payload, method: 'POST' as const }),
    })
  }
})

describe('odd input is refused or served, but never causes an error', () => {
  it.each(table)('%s', async (name, route) => {
    // Ending the session, and a stream that this process does not have.
    if (name === 'signOut' || name === 'changes') return
    const params = fieldsOf(route.params)
    const odd = fc.record({
      params: fc.record(
        Object.fromEntries(params.map((field) => [field, fc.oneof(fc.constant(GOOD[field]), text)])),
      ),
      query: inputsOf(route.query, text),
      body: fc.oneof(
        { weight: 4, arbitrary: inputsOf(route.body, json).map((fields) => ({ ...GOOD, ...fields })) },
        { weight: 2, arbitrary: inputsOf(route.body, json) },
        { weight: 1, arbitrary: json },
      ),
      key: fc.option(fc.constantFrom('k', '0', 'x'.repeat(200), 'x'.repeat(201))),
    })
    await fc.assert(
      fc.asyncProperty(odd, async ({ params, query, body, key }) => {
        const path = route.path.replace(/:(\w+)/g, (_, field: string) => percent(params[field] ?? ''))
        const search = Object.entries(query).map(
          ([field, value]) => `${percent(field)}=${percent(`${value}`)}`,
        )
        const headers = { 'accept-language': 'ja', ...(key && { 'idempotency-key': key }) }
        const answer = await call(server, `${path}?${search.join('&')}`, {
          as: isAdminRole(route.access) ? owner : member,
          ...(route.method === 'GET'
            ? { headers }
            : {
                method: 'POST',
                headers: { ...headers, 'content-type': 'application/json' },
                payload: JSON.stringify(body),
              }),
        })
        expectNoDefect(answer)
      }),
      { numRuns: RUNS },
    )
  })

  it('a sign-in message with anything in its fields', async () => {
    const wallet = newWallet()
    const { data: terms } = await call(server, `nonce?address=${wallet.address}`)
    const good = messageOf(terms, wallet.address)
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.nat(good.length),
        fc.nat(20),
        text,
        async (added, from, length, invite_code) => {
          const message = good.slice(0, from) + added + good.slice(from + length)
          const signature = await wallet.signMessage({ message })
          expectNoDefect(await call(server, 'auth', { payload: { message, signature, invite_code } }))
        },
      ),
      { numRuns: RUNS },
    )
    const signature = await wallet.signMessage({ message: good })
    const signInWith = (invite_code: string) =>
      call(server, 'auth', { payload: { message: good, signature, invite_code } })
    for (const code of ['a\u200bb', '👩‍👩‍👧', "' or 1=1 --"])
      expect(await signInWith(code)).toMatchObject({ status: 404, data: { error: 'INVITATION_INVALID' } })
    for (const code of ['a\0b', '\ud800'])
      expect(await signInWith(code)).toMatchObject({ status: 400, data: { error: 'VALIDATION_FAILED' } })
  })

  it.each(['%', 'order/%zz', `order/${'1'.repeat(500)}`, 'order/%00', '../../etc/passwd'])(
    'the path %s',
    async (path) => {
      const answer = await call(server, path, { as: member })
      expectNoDefect(answer)
      expect(answer).toMatchObject({
        data: { error: expect.stringMatching(/^(VALIDATION_FAILED|NOT_FOUND)$/) },
      })
    },
  )

  it('a token, a wallet or a language of any kind', async () => {
    const header = fc
      .oneof(
        fc.constantFrom(
          '',
          'Bearer',
          'Bearer ',
          `Bearer ${'x'.repeat(43)}`,
          '*',
          ';q=1,;',
          'x'.repeat(4_000),
        ),
        fc.string(),
      )
      .map((value) => value.replace(/[^\x20-\x7e]/g, ''))
    await fc.assert(
      fc.asyncProperty(header, header, header, async (authorization, wallet, language) => {
        const response = await server.app.inject({
          url: `${API_PREFIX}me`,
          headers: { authorization, 'x-wallet-address': wallet, 'accept-language': language },
        })
        expect(response.statusCode).toBe(401)
      }),
      { numRuns: RUNS },
    )
  })
})

function percent(value: string): string {
  return Buffer.from(value).toString('hex').replace(/../g, '%$&')
}
