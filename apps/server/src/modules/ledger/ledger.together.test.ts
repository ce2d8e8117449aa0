import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { markSimulation } from '../../db/simulation.ts'
import { createTestDatabase, isOnCluster, type TestDatabase } from '../../testing/test-database.ts'
import { auditLedger } from './ledger.audit.ts'
import { createLedgerService } from './ledger.service.ts'
import { readBooks } from './testing/books.ts'
import { AT, DAY, entry, grant, line } from './testing/entries.ts'

// The functions that post the transactions of several operations at once have the same effect as those that post
// one, or none.

interface Timing {
  day: string
  offsetMs: number
}
interface Transfer {
  key: string | null
  from: number
  to: number
  asset: string
  amount: number | null
  at?: Date | null
  day?: string
}
interface Own {
  key: string | null
  at?: Date
  day?: string
  kind: string
  member: number
  flow: string
  amount: number
  asset?: string
  second?: readonly [destination: string, amount: number]
}

describe.skipIf(isOnCluster())('transactions that are posted together', () => {
  const ledger = createLedgerService()
  let database: TestDatabase
  let db: TestDatabase['db']
  let keys = 0

  const MEMBERS = 8
  beforeAll(async () => {
    database = await createTestDatabase({ max: 2, role: 'rif_app' })
    db = database.db
    for (let member = 1n; member <= MEMBERS; member++) {
      await ledger.post(db, grant(`start/${member}`, member, 1_000_000n))
      await ledger.post(db, entry(`rif/${member}`, 'grant', line(member, 'external>available', 50n, 'RIF')))
      await ledger.post(
        db,
        entry(`hold/${member}`, 'withdrawal_request', line(member, 'available>withdrawing', 500_000n)),
      )
    }
  })
  afterAll(async () => {
    expect(await auditLedger(db)).toEqual([])
    await database.close()
  })

  const nextKey = () => `key/${++keys}`

  const transfersTogether = (all: readonly Transfer[]) => sql`ledger_post_transfer_each(
    ${all.map(({ key }) => key)}::text[], ${all.map(() => 'test')}::text[], ${all.map(() => 'a, "b" (c)')}::text[],
    ${all.map(({ day = DAY }) => day)}::date[], ${all.map(({ at = AT }) => at)}::timestamptz[],
    ${all.map(({ from }) => from)}::bigint[], ${all.map(({ to }) => to)}::bigint[],
    ${all.map(({ asset }) => asset)}::text[], ${all.map(({ amount }) => amount)}::bigint[])`
  const transferAlone = ({ key, from, to, asset, amount }: Transfer) =>
    sql`ledger_post_transfer(${key}, 'test', 'a, "b" (c)', ${DAY}, ${AT}, ${from}, ${to}, ${asset}, ${amount})`

  const [source, destination] = [0, 1].map((side) => (one: Own) => one.flow.split('>')[side]) as [
    (one: Own) => string,
    (one: Own) => string,
  ]
  const ownTogether = (all: readonly Own[]) => sql`ledger_post_own_each(
    ${all.map(({ key }) => key)}::text[], ${all.map(({ kind }) => kind)}::text[], ${all.map(() => 'test')}::text[],
    ${all.map(() => '1')}::text[], ${all.map(({ day = DAY }) => day)}::date[], ${all.map(({ at = AT }) => at)}::timestamptz[],
    ${all.map(({ member }) => member)}::bigint[], ${all.map(({ asset = 'USDT' }) => asset)}::text[],
    ${all.map(source)}::text[], ${all.map(destination)}::text[], ${all.map(({ amount }) => amount)}::bigint[],
    ${all.map(({ second }) => second?.[0] ?? '')}::text[], ${all.map(({ second }) => second?.[1] ?? 0)}::bigint[])`
  const ownAlone = (
    one: Own,
  ) => sql`ledger_post_own(${one.key}, ${one.kind}, 'test', '1', ${DAY}, ${AT}, ${one.member},
    ${one.asset ?? 'USDT'}, ${source(one)}, ${destination(one)}, ${one.amount}, ${one.second?.[0] ?? ''}, ${one.second?.[1] ?? 0})`

  async function posted(call: RawBuilder<unknown>): Promise<unknown> {
    const { rows } = await sql<{ posted: unknown }>`select ${call} as posted`.execute(db)
    return rows[0]!.posted
  }
  const books = () => readBooks(db)
  /** Expects that each transaction is known to the function that posts one, with all of its content. */
  async function areKnown(calls: readonly RawBuilder<unknown>[]): Promise<void> {
    const before = await books()
    for (const call of calls) expect(await posted(call)).toBe(false)
    expect(await books()).toEqual(before)
  }

  test('transfers are those that are posted one by one, in any number', async () => {
    const pairs = fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8], { minLength: 2 })
    await fc.assert(
      fc.asyncProperty(
        pairs,
        fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 4, maxLength: 4 }),
        async (members, amounts) => {
          const all = Array.from({ length: Math.floor(members.length / 2) }, (_, index) => ({
            ...{ key: nextKey(), from: members[2 * index]!, to: members[2 * index + 1]!, asset: 'USDT' },
            amount: amounts[index]!,
          }))
          const before = await Promise.all(
            all.map(({ from, to }) => Promise.all([available(from), available(to)])),
          )
          expect(await posted(transfersTogether(all))).toBe(BigInt(all.length))
          for (const [index, { from, to, amount }] of all.entries()) {
            const [had, got] = before[index]!
            expect([await available(from), await available(to)]).toEqual([
              had - BigInt(amount),
              got + BigInt(amount),
            ])
          }
          await areKnown(all.map(transferAlone))
        },
      ),
      { numRuns: 25 },
    )
  })

  const available = async (member: number) => (await ledger.balances(db, BigInt(member))).USDT.available

  test('transactions of one member are those that are posted one by one', async () => {
    const all: Own[] = [
      { key: nextKey(), kind: 'savings_in', member: 1, flow: 'available>savings', amount: 3 },
      {
        key: nextKey(),
        kind: 'hash_power_purchase',
        member: 2,
        flow: 'external>available',
        amount: 4,
        asset: 'RIF',
      },
      {
        key: nextKey(),
        kind: 'withdrawal_paid',
        member: 3,
        flow: 'withdrawing>external',
        amount: 5,
        second: ['fees', 2],
      },
      {
        ...{ key: nextKey(), kind: 'order_payment', member: 4, flow: 'external>commission_pool', amount: 6 },
        second: ['revenue', 1],
      },
      {
        ...{ key: nextKey(), kind: 'order_payment', member: 5, flow: 'external>revenue', amount: 6 },
        second: ['commission_pool', 1],
      },
    ]
    const pools = await ledger.poolBalances(db, 'commission_pool')
    expect(await posted(ownTogether(all))).toBe(5n)
    expect((await ledger.balances(db, 1n)).USDT.savings).toBe(3n)
    expect((await ledger.balances(db, 2n)).RIF.available).toBe(54n)
    expect((await ledger.balances(db, 3n)).USDT.withdrawing).toBe(499_993n)
    expect((await ledger.poolBalances(db, 'commission_pool')).USDT).toBe(pools.USDT + 7n)
    await areKnown(all.map(ownAlone))
  })

  const good = (): Transfer => ({ key: nextKey(), from: 1, to: 2, asset: 'USDT', amount: 7 })
  const bad = (): Transfer => ({ ...good(), from: 3, to: 4 })

  test.each<[what: string, code: string, change: Partial<Transfer>]>([
    ['of too much', '23514', { amount: 9_999_999 }],
    ['of nothing', '23514', { amount: 0 }],
    ['of less than nothing', '23514', { amount: -5 }],
    ['of no amount', 'RL003', { amount: null }],
    ['of RIF', '23514', { asset: 'RIF' }],
    ['of an unknown asset', '22004', { asset: 'X' }],
    ['without a key', 'RL003', { key: null }],
    ['without a time', 'RL003', { at: null }],
    ['to somebody new', 'RL003', { to: 99 }],
    ['to oneself', 'RL003', { to: 3 }],
    ['to a member of another one', 'RL003', { to: 2 }],
    ['from a member of another one', 'RL003', { from: 1 }],
    ['with the key of another one of the member', '23505', { key: 'start/3' }],
  ])('with a transfer %s, none is posted: %s', async (_, code, change) => {
    const before = await books()
    await expect(posted(transfersTogether([good(), { ...bad(), ...change }]))).rejects.toMatchObject({ code })
    expect(await books()).toEqual(before)
  })

  const goodOwn = (): Own => ({
    key: nextKey(),
    kind: 'savings_in',
    member: 1,
    flow: 'available>savings',
    amount: 3,
  })
  const badOwn = (): Own => ({ ...goodOwn(), member: 3 })

  test.each<[what: string, code: string, change: Partial<Own>]>([
    ['of too much', '23514', { amount: 9_999_999 }],
    ['of less than nothing', '23514', { amount: -5 }],
    ['of a member of another one', 'RL003', { member: 1 }],
    ['of somebody new', 'RL003', { member: 99 }],
    ['without a key', 'RL003', { key: null }],
    ['with a key of the member', '23505', { key: 'start/3' }],
    ['of a flow that is not allowed', '23514', { flow: 'available>locked' }],
    ['that is half a transfer', 'RL003', { kind: 'transfer', flow: 'available>clearing' }],
    ['of VC', 'RL003', { kind: 'vc_subscription', flow: 'available>locked', asset: 'VC' }],
    ['that spends a pool', 'RL003', { kind: 'commission', flow: 'commission_pool>available' }],
    ['that nobody has granted', 'RL003', { kind: 'grant', flow: 'external>available' }],
    ['that is a payout', 'RL003', { kind: 'treasury_payout', flow: 'exit_hold>external' }],
    ['that reverses nothing', '23514', { kind: 'savings_in:reversal', flow: 'savings>available' }],
    ['with a second balance', 'RL003', { second: ['locked', 1] }],
    [
      'with a second line of less than nothing',
      '23514',
      { kind: 'withdrawal_paid', flow: 'withdrawing>external', second: ['fees', -1] },
    ],
    ['with a second amount without a destination', '23514', { second: ['', 4] }],
    ['into a pool that does not exist', 'RL001', { kind: 'fund_purchase', flow: 'external>fund_custody:77' }],
  ])('with a transaction %s, none is posted: %s', async (_, code, change) => {
    const before = await books()
    await expect(posted(ownTogether([goodOwn(), { ...badOwn(), ...change }]))).rejects.toMatchObject({ code })
    expect(await books()).toEqual(before)
  })

  describe('in a database that is not a simulation, with a settled day', () => {
    beforeAll(async () => {
      await markSimulation(database.adminUrl, false)
      await sql`insert into settlement_start values ('2026-01-01')`.execute(db)
      await sql`insert into settlement_days (day, state, fixed_at) values ('2026-01-01', 'fixed', now())`.execute(
        db,
      )
      await sql`update settlement_days set state = 'staged'`.execute(db)
      await sql`update settlement_days set state = 'settled', settled_at = now()`.execute(db)
    })
    afterAll(() => markSimulation(database.adminUrl, true))

    test.each<[what: string, code: string, Partial<Timing>]>([
      ['of a settled day', 'RL005', { day: '2026-01-01' }],
      ['of before', 'RL006', { offsetMs: -5_000 }],
      ['of later', 'RL006', { offsetMs: 5_000 }],
    ])('with one %s, none is posted: %s', async (_, code, { day = '2026-06-01', offsetMs = 0 }) => {
      const before = await books()
      const now = Date.now()
      const open = { at: new Date(now), day: '2026-06-01' }
      const other = { at: new Date(now + offsetMs), day }
      for (const call of [
        transfersTogether([
          { ...good(), ...open },
          { ...bad(), ...other },
        ]),
        ownTogether([
          { ...goodOwn(), ...open },
          { ...badOwn(), ...other },
        ]),
      ])
        await expect(posted(call)).rejects.toMatchObject({ code })
      expect(await books()).toEqual(before)
      expect(
        await posted(
          transfersTogether([
            { ...good(), ...open },
            { ...bad(), ...open },
          ]),
        ),
      ).toBe(2n)
    })
  })
})
