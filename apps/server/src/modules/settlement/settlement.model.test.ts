import { type Day, defaultPlan, formatMicros, nextDay } from '@rif/rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { createModel } from '../../simulate/testing/model.ts'
import type { World } from '../../simulate/testing/model-world.ts'
import { runs } from '../../testing/level.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { rewardHistory } from '../rewards/history.ts'
import { createTestBooks, type TestBooks } from './testing/test-books.ts'

const FIRST_DAY: Day = '2026-01-26'
const HISTORIES = runs({ usual: 1, full: 40 })

const who = fc.nat(1_000)
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('join'), who, side: fc.constantFrom('left', 'right', 'auto') }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constant('buy'), who, level: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('price'), price: fc.integer({ min: 10_000, max: 5_000_000 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('attest'),
      asset: fc.constantFrom('USDT', 'AMC'),
      pool: fc.constantFrom('yield_pool', 'yield_pool', 'savings_pool', 'dividend_pool'),
      amount: fc.integer({ min: 1, max: 300_000_000 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('save'),
      who,
      asset: fc.constantFrom('USDT', 'AMC'),
      kind: fc.constantFrom('in', 'in', 'out'),
      amount: fc.integer({ min: 1, max: 2_000_000_000 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('exchange'),
      who,
      amount: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 900_000_000 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pause'), who, paused: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('cap'), who, cap: fc.option(fc.integer({ min: 0, max: 600 })) }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('midnight') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('settle') }) },
)
type Command = {
  do: string
  who?: number
  side?: 'left' | 'right' | 'auto'
  level?: number
  price?: number
  asset?: 'USDT' | 'AMC'
  amount?: number
  pool?: 'yield_pool' | 'savings_pool' | 'dividend_pool'
  kind?: 'in' | 'out'
  paused?: boolean
  cap?: number | null
}

/** Runs one history on the database and in the oracle, and compares everything that both have. */
async function play(commands: readonly Command[]): Promise<void> {
  const database = await createTestDatabase({ role: 'rif_app' })
  try {
    const books = createTestBooks(database, FIRST_DAY)
    const model = createModel(FIRST_DAY)
    const ids: bigint[] = []
    /** Applies an event to the oracle; members are identified by their place in `ids`. */
    const act = (type: string, event: object) => model.act({ type, at: books.now().toISOString(), ...event })
    const price = async (usdt: string) => {
      await books.price('AMC', usdt)
      act('price', { asset: 'AMC', usdt })
    }
    const join = async (sponsor: number | null, side: 'left' | 'right' | 'auto') => {
      const member = `${ids.length}`
      ids.push(await books.join(sponsor === null ? null : ids[sponsor]!, side))
      act('join', { member, sponsor: sponsor === null ? null : `${sponsor}`, side })
    }
    let due: Day = FIRST_DAY
    async function settle(): Promise<void> {
      if (due >= books.today()) return
      expect(await books.settlement.settle(due)).toEqual({ settled: true })
      act('close_day', { day: due })
      due = nextDay(due)
    }
    const actions: Record<string, (command: Command, place: number) => Promise<unknown>> = {
      join: ({ side }, place) => join(place, side!),
      buy: async ({ level }, place) => {
        await books.buy(ids[place]!, level!)
        act('order', { member: `${place}`, package: defaultPlan.packages[level! - 1]!.name })
      },
      price: ({ price: micros }) => price(formatMicros(BigInt(micros!))),
      attest: async ({ asset, amount, pool = 'yield_pool' }) => {
        await books.attest(asset!, BigInt(amount!), pool)
        act('attest', { asset, pool, amount: formatMicros(BigInt(amount!)) })
      },
      save: async ({ asset, amount, kind }, place) => {
        const most = BigInt(amount!)
        const micros = await save(books, ids[place]!, { asset: asset!, kind: kind!, most })
        if (micros === 0n) return
        const event = { member: `${place}`, asset, amount: formatMicros(micros) }
        if (kind === 'in') act('grant', event)
        act('savings', { ...event, direction: kind })
      },
      exchange: async ({ amount }, place) => {
        await exchange(books, ids[place]!, BigInt(amount!))
        const event = { member: `${place}`, amount: formatMicros(BigInt(amount!)) }
        act('grant', { ...event, asset: 'RIF' })
        act('exchange', { ...event, to: 'DIV' })
      },
      pause: async ({ paused }, place) => {
        await books.management.set(books.db, ids[place]!, paused!)
        act('management', { member: `${place}`, action: paused ? 'pause' : 'resume' })
      },
      cap: async ({ cap }, place) => {
        const capMicros = cap == null ? null : BigInt(cap) * 1_000_000n
        await books.dayCaps.set(books.db, { memberId: ids[place]!, capMicros, actor: 'test' })
        act('cap', { member: `${place}`, cap: capMicros })
      },
      midnight: async () => books.tomorrow(),
      settle,
    }
    await books.begin()
    await price('0.5')
    await join(null, 'auto')
    for (const command of commands) {
      books.advance(1)
      await actions[command.do]!(command, (command.who ?? 0) % ids.length)
    }
    books.tomorrow()
    while (due < books.today()) await settle()
    await compare(books, model.world, ids)
  } finally {
    await database.close()
  }
}

/** Grants savings deposits, withdraws at most the balance, and returns the amount moved. */
async function save(
  { db, ledger, savings, grant }: TestBooks,
  memberId: bigint,
  { asset, kind, most }: { asset: 'USDT' | 'AMC'; kind: 'in' | 'out'; most: bigint },
): Promise<bigint> {
  const { savings: savedMicros } = (await ledger.balances(db, memberId))[asset]
  const amountMicros = kind === 'in' || most < savedMicros ? most : savedMicros
  if (amountMicros === 0n) return 0n
  if (kind === 'in') await grant(memberId, asset, amountMicros)
  const transfer = kind === 'in' ? savings.transferIn : savings.transferOut
  await inTx(db, (dbTx) => transfer(dbTx, memberId, { asset, amountMicros }))
  return amountMicros
}

/** Grants hash power and converts it into dividend rights. */
async function exchange(
  { db, exchange: centre, grant }: TestBooks,
  memberId: bigint,
  rifMicros: bigint,
): Promise<void> {
  await grant(memberId, 'RIF', rifMicros)
  await inTx(db, async (dbTx) => {
    const { quote_id } = await centre.quote(dbTx, memberId, { to: 'DIV', rifMicros })
    await centre.make(dbTx, memberId, BigInt(quote_id))
  })
}

async function compare(books: TestBooks, world: World, ids: readonly bigint[]): Promise<void> {
  const rewards = (await rewardHistory(books.db)).map((reward) => ({
    type: 'reward',
    day: reward.day,
    kind: reward.type,
    member: `${ids.indexOf(reward.memberId)}`,
    source: reward.sourceMemberId === null ? null : `${ids.indexOf(reward.sourceMemberId)}`,
    base: formatMicros(reward.baseMicros),
    ratio_ppm: reward.ratioPpm,
    value: formatMicros(reward.valueMicros),
    coverage_ppm: reward.coveragePpm,
    usdt: formatMicros(reward.usdtMicros),
    amc: formatMicros(reward.amcMicros),
    flushed: formatMicros(reward.flushedMicros),
  }))
  const inOrder = (list: readonly object[]) => list.map((row) => JSON.stringify(row)).sort()
  expect(inOrder(rewards)).toEqual(inOrder(world.lines))
  const carried = await books.settlement.carried()
  for (const [place, memberId] of ids.entries()) {
    const person = world.people[place]!
    const { carry, base } = person
    expect(carried.get(memberId)).toMatchObject({
      carryLeftMicros: carry.left,
      carryRightMicros: carry.right,
      manageBaseMicros: base,
    })
    const balances = await books.ledger.balances(books.db, memberId)
    for (const [asset, account] of [
      ['USDT', 'available'],
      ['AMC', 'available'],
      ['AMC', 'locked'],
      ['DIV', 'available'],
      ['USDT', 'savings'],
      ['AMC', 'savings'],
    ] as const)
      expect([place, asset, account, balances[asset][account]]).toEqual([
        place,
        asset,
        account,
        world.balanceOf(person, `${asset} ${account}`),
      ])
  }
  for (const name of ['commission_pool', 'yield_pool', 'savings_pool', 'dividend_pool'] as const) {
    expect(await books.ledger.pools.balances(books.db, name)).toEqual({
      USDT: world.poolAt(name, 'USDT', '9999'),
      AMC: world.poolAt(name, 'AMC', '9999'),
    })
  }
  expect(await books.audit()).toEqual([])
}

test('settlement follows the rules on random trees and histories, on time or late', async () => {
  const history = fc.array(command, { minLength: 30, maxLength: 140, size: 'max' }) as fc.Arbitrary<Command[]>
  await fc.assert(fc.asyncProperty(history, play), { numRuns: HISTORIES, endOnFailure: true })
})

test('a quiet month: every reward is released to the last micro-unit, and static rewards continue', {
  tags: ['full'],
}, async () => {
  const commands: Command[] = [
    { do: 'join', who: 0, side: 'left' },
    { do: 'join', who: 0, side: 'right' },
    ...[0, 1, 2].map((number) => ({ do: 'buy', who: number, level: 1 + number })),
    { do: 'attest', asset: 'USDT', amount: 40_000_001 },
    { do: 'attest', asset: 'AMC', amount: 70_000_003 },
    ...Array.from({ length: 40 }, () => ({ do: 'midnight' })),
  ]
  await play(commands)
})
