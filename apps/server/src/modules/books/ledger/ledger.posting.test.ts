import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../../../testing/level.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { auditLedger } from './audit.ts'
import { createLedgerService, type JournalEntry, type Posting } from './ledger.service.ts'
import { readBooks } from './testing/books.ts'
import { AT, DAY, entry, grant, line, transfer } from './testing/entries.ts'

const heard: Posting[] = []
const ledger = createLedgerService([(_, postings) => void heard.push(...postings)])
let database: TestDatabase
let db: TestDatabase['db']

const MEMBERS = 6n
beforeAll(async () => {
  database = await createTestDatabase({ max: 2, role: 'rif_app' })
  db = database.db
  for (let member = 1n; member <= MEMBERS; member++) {
    await ledger.post(db, grant(`start/${member}`, member, 1_000_000n))
    await ledger.post(db, entry(`rif/${member}`, 'grant', line(member, 'external>available', 50n, 'RIF')))
    await ledger.post(
      db,
      entry(`hold/${member}`, 'withdrawal_request', line(member, 'available>withdrawing', 500n)),
    )
  }
})
afterAll(async () => {
  expect(await auditLedger(db)).toEqual([])
  await database.close()
})

const books = () => readBooks(db)
const available = async (member: bigint) => (await ledger.balances(db, member)).USDT.available
let keys = 0
const free = () => `free/${++keys}`

test('transactions that are posted together are those that are posted one by one', async () => {
  const member = fc.bigInt({ min: 1n, max: MEMBERS })
  const micros = fc.bigInt({ min: 1n, max: 90n })
  const any = fc.oneof(
    fc.tuple(member, member, micros).map(([from, to, amount]) => transfer(free(), from, to, amount)),
    fc
      .tuple(member, micros)
      .map(([id, amount]) => entry(free(), 'savings_in', line(id, 'available>savings', amount))),
    fc
      .tuple(member, micros, micros)
      .map(([id, amount, rest]) =>
        entry(
          free(),
          'order_payment',
          line(id, 'external>commission_pool', amount),
          line(id, 'external>revenue', rest),
        ),
      ),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(any, { minLength: 1, maxLength: 6 }), async (entries) => {
      const before = new Map<bigint, bigint>()
      for (let id = 1n; id <= MEMBERS; id++) before.set(id, await available(id))
      expect(await ledger.postAll(db, entries)).toEqual(entries.map(() => true))
      for (const [id, had] of before) {
        const moved = entries.flatMap(({ lines }) => lines).filter((of) => of.memberId === id)
        const change = moved.reduce(
          (sum, { source, destination, amountMicros }) =>
            sum +
            (destination === 'available' ? amountMicros : 0n) -
            (source === 'available' ? amountMicros : 0n),
          0n,
        )
        expect(await available(id)).toBe(had + change)
      }
      // Each is known, with all of its content, to a call of its own, and to one with others.
      const after = await books()
      for (const journalEntry of entries)
        expect(await ledger.post(db, journalEntry)).toEqual({ posted: false })
      expect(await ledger.postAll(db, entries)).toEqual(entries.map(() => false))
      expect(await books()).toEqual(after)
    }),
    { numRuns: runs({ usual: 4, full: 50 }) },
  )
})

test('a later transaction spends what an earlier one of the call pays', async () => {
  const pay = entry(free(), 'order_payment', line(1n, 'external>commission_pool', 40n))
  const reward = entry(free(), 'commission', line(2n, 'commission_pool>available', 40n))
  const had = await available(100n)
  expect(
    await ledger.postAll(db, [pay, reward, transfer(free(), 1n, 100n, 9n), transfer(free(), 100n, 50n, 9n)]),
  ).toEqual([true, true, true, true])
  expect([had, await available(100n), await available(50n)]).toEqual([0n, 0n, 9n])
})

test('a key with other content refuses all that are posted with it', async () => {
  const key = free()
  await ledger.post(db, entry(key, 'savings_in', line(1n, 'available>savings', 1n)))
  const before = await books()
  for (const other of [
    entry(key, 'savings_in', line(1n, 'available>savings', 2n)),
    entry(key, 'savings_in', line(1n, 'available>savings', 9_999_999n)),
    transfer(key, 1n, 2n, 1n),
    transfer(key, 2n, 1n, 1n),
  ])
    await expect(ledger.postAll(db, [transfer(free(), 3n, 4n, 1n), other])).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    })
  expect(await books()).toEqual(before)
})

type Change = Partial<Omit<JournalEntry, 'lines'>> & { lines?: readonly unknown[] }
const usdt = (flow: string, amount: unknown, member: unknown = 3n, asset = 'USDT') => ({
  ...line(3n, flow, 1n),
  memberId: member,
  asset,
  amountMicros: amount,
})

/** Posts without the checks of the service. */
async function postRaw(change: Change): Promise<void> {
  const { key, kind, cause, lines } = { ...entry(free(), 'savings_in'), ...change }
  const rows = lines as unknown as JournalEntry['lines']
  await sql`select ledger_post(${[key]}, ${[kind]}, ${[cause.type]}, ${[cause.id]}, '{null}', ${DAY}, ${AT}, ${rows.map(() => 1)},
    ${rows.map(({ memberId }) => memberId)}::bigint[], ${rows.map(({ asset }) => asset)}, ${rows.map(({ source }) => source)},
    ${rows.map(({ destination }) => destination)}, ${rows.map(({ amountMicros }) => amountMicros)}::bigint[])`.execute(
    db,
  )
}

test.each<[what: string, code: string, Change]>([
  ['of too much', 'RL001', { lines: [usdt('available>savings', 9_999_999n)] }],
  ['of too much from somebody new', 'RL001', { lines: [usdt('available>savings', 1n, 99n)] }],
  ['of nothing', '23514', { lines: [usdt('available>savings', 0n)] }],
  ['of less than nothing', '23514', { lines: [usdt('available>savings', -5n)] }],
  ['of RIF', '23514', { lines: [usdt('available>savings', 1n, 3n, 'RIF')] }],
  ['of an unknown asset', '23514', { lines: [usdt('available>savings', 1n, 3n, 'X')] }],
  ['of nobody', '23502', { lines: [usdt('available>savings', 1n, null)] }],
  ['without a key', '23502', { key: null as never, lines: [usdt('available>savings', 1n)] }],
  [
    'that takes more in two lines than there is',
    'RL001',
    {
      kind: 'withdrawal_paid',
      lines: [usdt('withdrawing>external', 400n), usdt('withdrawing>fees', 400n)],
    },
  ],
  [
    'with a second line of less than nothing',
    '23514',
    {
      kind: 'withdrawal_paid',
      lines: [usdt('withdrawing>external', 5n), usdt('withdrawing>fees', -4n)],
    },
  ],
  ['of a flow that is not allowed', '23514', { lines: [usdt('available>locked', 1n)] }],
  ['that is half a transfer', 'RL003', { kind: 'transfer', lines: [usdt('available>clearing', 1n)] }],
  ['that is the other half', 'RL003', { kind: 'transfer', lines: [usdt('clearing>available', 1n)] }],
  [
    'that reverses nothing',
    '23514',
    { kind: 'grant:reversal' as never, lines: [usdt('available>external', 1n)] },
  ],
  [
    'that nobody attested',
    'RL008',
    { kind: 'attested_revenue', lines: [usdt('external>yield_pool', 1n, 0n)] },
  ],
  [
    'that is a payout of nobody',
    'RL001',
    { kind: 'treasury_payout', lines: [usdt('exit_hold>external', 1n, 0n)] },
  ],
  [
    'into a pool that does not exist',
    'RL001',
    { kind: 'fund_purchase', lines: [usdt('external>fund_custody:77', 5n)] },
  ],
])('a transaction %s is refused with %s, and changes nothing', async (_, code, change) => {
  const before = await books()
  await expect(postRaw(change)).rejects.toMatchObject({ code })
  expect(await books()).toEqual(before)
})

test('columns whose indexes do not start at 1, and columns of columns, are refused', async () => {
  const before = await books()
  for (const [members, ...rest] of [
    ['[0:1]={2,1}', '{USDT,USDT}', '{available,available}', '{savings,savings}', '{5,5}'],
    ['{{1,2}}', '{{USDT,USDT}}', '{{available,available}}', '{{savings,savings}}', '{{5,5}}'],
  ] as const) {
    const [assets, sources, destinations, amounts] = rest
    const attempt =
      sql`select ledger_post(${[free()]}, '{savings_in}', '{test}', '{1}', '{null}', ${DAY}, ${AT}, '{1,1}',
      ${members}, ${assets}, ${sources}, ${destinations}, ${amounts})`.execute(db)
    await expect(attempt).rejects.toMatchObject({ code: 'RL003' })
  }
  expect(await books()).toEqual(before)
})

test('transfers to new members and to oneself open and keep the books', async () => {
  expect(await ledger.post(db, transfer('new/low', 1n, 200n, 3n))).toEqual({ posted: true })
  expect(await ledger.post(db, transfer('new/high', 200n, 150n, 2n))).toEqual({ posted: true })
  expect(await ledger.post(db, transfer('new/same', 150n, 150n, 2n))).toEqual({ posted: true })
  expect([await available(200n), await available(150n)]).toEqual([1n, 2n])
})

describe('whoever listens hears of every transaction, whichever way it is posted', () => {
  const heardDuring = async (work: () => Promise<unknown>) => {
    heard.length = 0
    await work().catch(() => undefined)
    return heard.map(({ kind, count, lines }) => [kind, count, lines?.length ?? null])
  }

  test('alone, and once', async () => {
    const transaction = transfer(free(), 1n, 2n, 1n)
    expect(await heardDuring(() => ledger.post(db, transaction))).toEqual([['transfer', 1, 2]])
    expect(await heardDuring(() => ledger.post(db, transaction))).toEqual([])
  })

  test('together', async () => {
    const repeatedTransfer = transfer(free(), 1n, 2n, 1n)
    await ledger.post(db, repeatedTransfer)
    const all = [
      repeatedTransfer,
      grant(free(), 1n, 1n),
      entry(free(), 'savings_in', line(1n, 'available>savings', 1n)),
    ]
    expect(await heardDuring(() => ledger.postAll(db, all))).toEqual([
      ['grant', 1, 1],
      ['savings_in', 1, 1],
    ])
  })

  test('a reversal', async () => {
    const transaction = transfer(free(), 1n, 2n, 1n)
    await ledger.post(db, transaction)
    const undo = () =>
      ledger.reverse(db, {
        key: transaction.key,
        memberIds: [1n, 2n],
        cause: transaction.cause,
        accountingDay: DAY,
        at: AT,
      })
    expect(await heardDuring(undo)).toEqual([['transfer:reversal', 1, 2]])
    expect(heard[0]!.lines).toEqual([line(2n, 'available>clearing', 1n), line(1n, 'clearing>available', 1n)])
    expect(await heardDuring(undo)).toEqual([])
  })

  test('a settled range, by kind', async () => {
    await ledger.post(db, entry(free(), 'order_payment', line(1n, 'external>commission_pool', 9n)))
    await ledger.pools.reserve(db, 'commission_pool', { USDT: 9n, AMC: 0n })
    const part = { part: 1, account: 'commission_pool', asset: 'USDT', amountMicros: 9n } as const
    await ledger.pools.divideReserve(db, 'heard', DAY, [part])
    const paid = [{ asset: 'USDT', source: 'commission_pool', destination: 'available' }] as const
    const post = () =>
      ledger.postBatches(db, {
        cause: { type: 'test', id: '1' },
        accountingDay: DAY,
        at: AT,
        batches: [
          { key: 'heard/pairing', kind: 'pairing', flows: paid },
          { key: 'heard/management', kind: 'management', flows: paid },
        ],
        reserve: { batch: 'heard', part: 1 },
        lines: sql`select * from (values (1::bigint, 1, 2::bigint), (2::bigint, 1, 3::bigint), (1::bigint, 2, 4::bigint))
          as lines (member_id, flow, amount)`,
      })
    expect(await heardDuring(post)).toEqual([
      ['pairing', 2, null],
      ['management', 1, null],
    ])
    expect(await heardDuring(post)).toEqual([])
    await ledger.pools.closeParts(db, 'heard')
  })

  test('nothing that is refused, and nothing is posted that a listener refuses', async () => {
    expect(await heardDuring(() => ledger.post(db, transfer(free(), 1n, 2n, 9_999_999n)))).toEqual([])
    const before = await books()
    const refusing = createLedgerService([() => Promise.reject(new Error('not told'))])
    await expect(refusing.post(db, grant(free(), 1n, 1n))).rejects.toThrow('not told')
    expect(await books()).toEqual(before)
  })
})
