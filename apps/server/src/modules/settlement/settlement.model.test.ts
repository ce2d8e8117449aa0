import { type Day, nextDay } from '@rif/rules'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inDbTx } from '../../db/database.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { createModel } from './testing/settlement-model.ts'
import { createTestBooks } from './testing/test-books.ts'

const FIRST_DAY: Day = '2026-01-26'
const HISTORIES = Number(process.env.SETTLEMENT_HISTORIES ?? 9)

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

/** Plays one history on the database and in the model, and compares everything that both know. */
async function play(commands: readonly Command[]): Promise<void> {
  const database = await createTestDatabase({ role: 'rif_app' })
  try {
    const books = createTestBooks(database, FIRST_DAY)
    const model = createModel()
    const ids: bigint[] = []
    let due: Day = FIRST_DAY
    async function settle(): Promise<void> {
      if (due >= books.today()) return
      expect(await books.settlement.settle(due)).toEqual({ settled: true })
      model.settle(due)
      due = nextDay(due)
    }
    const actions: Record<string, (command: Command, place: number) => Promise<unknown>> = {
      join: async ({ side }, place) => {
        ids.push(await books.join(ids[place]!, side!))
        model.join(model.members[place]!, side!)
      },
      buy: async ({ level }, place) => {
        await books.buy(ids[place]!, level!)
        model.buy(books.today(), model.members[place]!, level!)
      },
      price: async ({ price }) => {
        await books.price('AMC', `${price! / 1_000_000}`)
        model.price(books.today(), BigInt(price!))
      },
      attest: async ({ asset, amount, pool = 'yield_pool' }) => {
        await books.attest(asset!, BigInt(amount!), pool)
        model.attest(books.today(), pool, asset!, BigInt(amount!))
      },
      save: async ({ asset, amount, kind }, place) => {
        await save(books, ids[place]!, { asset: asset!, kind: kind!, most: BigInt(amount!) }, (micros) =>
          model.save(books.today(), model.members[place]!, kind!, asset!, micros),
        )
      },
      exchange: async ({ amount }, place) => {
        await exchange(books, ids[place]!, BigInt(amount!))
        model.gainRights(books.today(), model.members[place]!, BigInt(amount!))
      },
      pause: async ({ paused }, place) => {
        await books.management.set(books.db, ids[place]!, paused!)
        model.pause(books.today(), model.members[place]!, paused!)
      },
      cap: async ({ cap }, place) => {
        const capMicros = cap == null ? null : BigInt(cap) * 1_000_000n
        await books.dayCaps.set(books.db, { memberId: ids[place]!, capMicros, actor: 'test' })
        model.cap(books.today(), model.members[place]!, capMicros)
      },
      midnight: async () => books.tomorrow(),
      settle,
    }
    await books.begin()
    await books.price('AMC', '0.5')
    model.price(FIRST_DAY, 500_000n)
    ids.push(await books.join(null, 'auto'))
    model.join(null, 'auto')
    for (const command of commands) {
      books.advance(1)
      await actions[command.do]!(command, (command.who ?? 0) % ids.length)
    }
    books.tomorrow()
    while (due < books.today()) await settle()
    await compare(books, model, ids)
  } finally {
    await database.close()
  }
}

/** Grants what comes into savings; takes out at most what is there. */
async function save(
  { db, ledger, savings, grant }: ReturnType<typeof createTestBooks>,
  memberId: bigint,
  { asset, kind, most }: { asset: 'USDT' | 'AMC'; kind: 'in' | 'out'; most: bigint },
  done: (amountMicros: bigint) => void,
): Promise<void> {
  const { savings: held } = (await ledger.balances(db, memberId))[asset]
  const amountMicros = kind === 'in' || most < held ? most : held
  if (amountMicros === 0n) return
  if (kind === 'in') await grant(memberId, asset, amountMicros)
  const transfer = kind === 'in' ? savings.transferIn : savings.transferOut
  await inDbTx(db, (dbTx) => transfer(dbTx, memberId, { asset, amountMicros }))
  done(amountMicros)
}

/** Grants hash power and turns it into dividend rights. */
async function exchange(
  { db, exchange: centre, grant }: ReturnType<typeof createTestBooks>,
  memberId: bigint,
  rifMicros: bigint,
): Promise<void> {
  await grant(memberId, 'RIF', rifMicros)
  await inDbTx(db, async (dbTx) => {
    const { quote_id } = await centre.quote(dbTx, memberId, { to: 'DIV', rifMicros })
    await centre.make(dbTx, memberId, BigInt(quote_id))
  })
}

async function compare(
  books: ReturnType<typeof createTestBooks>,
  model: ReturnType<typeof createModel>,
  ids: readonly bigint[],
): Promise<void> {
  const { rows } = await sql`
    select day, type, member_id as member, base_micros as base, value_micros as value, coverage_ppm as coverage,
      usdt_micros as usdt, amc_micros as amc, flushed_micros as flushed
    from rewards`.execute(books.db)
  const inOrder = (list: readonly object[]) => list.map((row) => Object.values(row).join(' ')).sort()
  expect(inOrder(rows as object[])).toEqual(
    inOrder(model.rewards.map(({ parts: _, ...reward }) => ({ ...reward, member: ids[reward.member]! }))),
  )
  const carried = await books.settlement.carried()
  for (const [place, memberId] of ids.entries()) {
    const { carry, base, available, locked, saved, rights } = model.members[place]!
    expect(carried.get(memberId)).toMatchObject({
      ...{ carryLeftMicros: carry.left, carryRightMicros: carry.right, manageBaseMicros: base },
    })
    const balances = await books.ledger.balances(books.db, memberId)
    expect([balances.USDT.available, balances.AMC.available, balances.AMC.locked]).toEqual([
      ...[available.USDT, available.AMC, locked],
    ])
    expect(balances.DIV.available).toBe(rights.reduce((sum, { amount }) => sum + amount, 0n))
    for (const asset of ['USDT', 'AMC'] as const) {
      const ofAsset = saved.filter((one) => one.asset === asset)
      expect(balances[asset].savings).toBe(ofAsset.reduce((sum, { amount }) => sum + amount, 0n))
    }
  }
  for (const name of ['commission_pool', 'yield_pool', 'savings_pool', 'dividend_pool'] as const) {
    expect(await books.ledger.poolBalances(books.db, name)).toEqual({
      ...{ USDT: model.pool(name, 'USDT'), AMC: model.pool(name, 'AMC') },
    })
  }
  expect(await books.audit()).toEqual([])
}

test('settlement does what the rules say, on random trees and histories, on time or late', async () => {
  const history = fc.array(command, { minLength: 30, maxLength: 140, size: 'max' }) as fc.Arbitrary<Command[]>
  await fc.assert(fc.asyncProperty(history, play), { numRuns: HISTORIES, endOnFailure: true })
}, 240_000)

test('a quiet month: every reward is released to the last micro-unit, and static goes on', async () => {
  const commands: Command[] = [
    { do: 'join', who: 0, side: 'left' },
    { do: 'join', who: 0, side: 'right' },
    ...[0, 1, 2].map((number) => ({ do: 'buy', who: number, level: 1 + number })),
    { do: 'attest', asset: 'USDT', amount: 40_000_001 },
    { do: 'attest', asset: 'AMC', amount: 70_000_003 },
    ...Array.from({ length: 40 }, () => ({ do: 'midnight' })),
  ]
  await play(commands)
}, 60_000)
