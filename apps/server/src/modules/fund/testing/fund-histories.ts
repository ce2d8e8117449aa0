import type { FundOrder } from '@rif/api-schema'
import fc from 'fast-check'
import type { ChainEvent } from '../../../chain/indexer/events.ts'
import { type Db, inTx } from '../../../db/database.ts'
import { AppError } from '../../../lib/errors.ts'
import { type BooksTerms, type FundBooks, usdt } from './fund-books.ts'
import { createFundModel, type FundModel } from './fund-model.ts'

/** A Wednesday; the first month ends within most histories. */
export const START = '2026-01-21T08:00:00Z'
export const HOUR_MS = 3_600_000

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
const PRODUCTS: readonly (BooksTerms & { readonly nav: bigint })[] = [
  {
    nav: 10_000_000n,
    minimum: 0n,
    lockDays: 0,
    weekdays: EVERY_DAY,
    subscription: 10_000n,
    redemption: 5_000n,
    management: 200_000n,
  },
  {
    nav: 3_333_333n,
    minimum: usdt(50),
    lockDays: 2,
    weekdays: [1, 3, 4, 5],
    subscription: 0n,
    redemption: 333_333n,
    management: 1_000_000n,
  },
  {
    nav: 10_007n,
    minimum: 0n,
    lockDays: 0,
    weekdays: EVERY_DAY,
    subscription: 1n,
    redemption: 0n,
    management: 500_001n,
  },
]
/** The inviting member, by member. */
const SPONSORS = [null, 0, 1, 1, 3]
const BALANCE = usdt(20_000)

const who = fc.nat(SPONSORS.length - 1)
const product = fc.nat(PRODUCTS.length - 1)
const place = fc.nat(1_000)
const units = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 400 }))
/** The percentage of the balance; slightly more than all is refused. */
const percent = fc.integer({ min: 1, max: 115 })
/** The new value in percent of the previous one. */
const change = fc.oneof(fc.integer({ min: 85, max: 125 }), fc.integer({ min: 1, max: 300 }))
const does = <Name extends string>(name: Name) => fc.constant(name)
export const command = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ do: does('buy'), who, product, units, onChain: fc.boolean() }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: does('payment'),
      place,
      fault: fc.constantFrom('none', 'none', 'none', 'none', 'amount', 'payer'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: does('see'), place }) },
  { weight: 1, arbitrary: fc.record({ do: does('drop'), place }) },
  { weight: 1, arbitrary: fc.record({ do: does('cancelOrder'), place }) },
  { weight: 1, arbitrary: fc.record({ do: does('expire') }) },
  { weight: 14, arbitrary: fc.record({ do: does('redeem'), place, percent }) },
  { weight: 2, arbitrary: fc.record({ do: does('cancel'), place }) },
  {
    weight: 12,
    arbitrary: fc.record({ do: does('decide'), place, approve: fc.nat(9).map((draw) => draw > 0) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: does('value'), changes: fc.tuple(change, change, change) }),
  },
  { weight: 5, arbitrary: fc.record({ do: does('invest'), product, percent }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: does('divest'), product, percent, left: fc.constantFrom(0, 0, 50, 90) }),
  },
  { weight: 8, arbitrary: fc.record({ do: does('payDue') }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: does('moveIncome'), who, percent }),
  },
  { weight: 12, arbitrary: fc.record({ do: does('wait'), hours: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ do: does('bills') }) },
)
export type Command = typeof command extends fc.Arbitrary<infer Each> ? Each : never

/** An action of a history on the services and on the model; each returns `ok` or the code of a refusal. */
export type Step = { real: () => Promise<unknown>; model: () => string }
type Steps = { [Name in Command['do']]: (command: Extract<Command, { do: Name }>) => Step | null }

/** The members, products, orders and redemptions, by their numbers in the model. */
export interface World {
  readonly books: FundBooks
  readonly model: FundModel
  readonly members: { memberId: bigint; address: string }[]
  readonly productIds: bigint[]
  readonly orders: FundOrder[]
  readonly redemptionIds: bigint[]
  /** The last seen payment of each order. */
  readonly seen: Map<number, { event: ChainEvent<'OrderPaid'>; tx: number }>
}

/** Adds members with a balance, and products with a first NAV, to the services and to the model. */
export async function createWorld(books: FundBooks): Promise<World> {
  const model = createFundModel()
  const world: World = {
    books,
    model,
    members: [],
    productIds: [],
    orders: [],
    redemptionIds: [],
    seen: new Map(),
  }
  await books.begin()
  for (const sponsor of SPONSORS) {
    const sponsorId = sponsor === null ? null : world.members[sponsor]!.memberId
    world.members.push(await books.join(sponsorId, BALANCE))
    model.join(sponsor, BALANCE)
  }
  for (const [index, { nav, ...terms }] of PRODUCTS.entries()) {
    world.productIds.push(await books.open(`Product ${index}`, terms, nav))
    model.open(terms, nav, books.now().getTime())
  }
  return world
}

/** Creates the step of a command; null if it has nothing to act on. */
export function createSteps(world: World): Steps {
  const { books, model, members, productIds, orders, redemptionIds, seen } = world
  const { fund } = books.services
  const at = () => books.now().getTime()
  const run = <T>(work: (dbTx: Db) => Promise<T>) => inTx(books.db, work)
  const buyerOf = (index: number) => members[model.lots[index]!.member]!.memberId
  const redeemer = (index: number) => members[model.redemptions[index]!.member]!.memberId
  const among = (list: readonly unknown[], number: number) =>
    list.length === 0 ? null : number % list.length

  return {
    buy: ({ who, product, units, onChain }) => ({
      real: async () => {
        const payWith = onChain ? 'wallet' : 'available'
        const wanted = { productId: productIds[product]!, units: BigInt(units), payWith } as const
        orders.push(await run((dbTx) => fund.orders.buy(dbTx, members[who]!, wanted)))
      },
      model: () => model.buy({ member: who, product, units: BigInt(units), onChain, at: at() }),
    }),
    see: ({ place }) => {
      const index = among(orders, place)
      if (index === null) return null
      const { event } = books.payment(orders[index]!, 'none')
      const tx = Number(event.blockNumber)
      seen.set(index, { event, tx })
      return {
        real: () => books.hand('onSeen', event),
        model: () => model.see(model.lots[index]!, tx),
      }
    },
    drop: ({ place }) => {
      const index = among([...seen], place)
      if (index === null) return null
      const [order, { event, tx }] = [...seen][index]!
      return {
        real: () => books.hand('onDropped', event),
        model: () => model.drop(model.lots[order]!, tx),
      }
    },
    payment: ({ place, fault }) => {
      const index = among(orders, place)
      if (index === null) return null
      const { event, paid } = books.payment(orders[index]!, fault)
      return {
        real: () => books.hand('onFinal', event),
        model: () => model.payment(model.lots[index]!, { fault, paid, at: at() }),
      }
    },
    cancelOrder: ({ place }) => {
      const index = among(orders, place)
      if (index === null) return null
      const id = BigInt(orders[index]!.order_id)
      return {
        real: () => run((dbTx) => fund.orders.cancel(dbTx, buyerOf(index), id)),
        model: () => model.cancelOrder(model.lots[index]!),
      }
    },
    expire: () => ({ real: () => books.expire(), model: () => model.expire(at()) }),
    redeem: ({ place, percent }) => {
      const heldLots = model.lots.filter((lot) => lot.left > 0n)
      const chosen = among(heldLots, place)
      if (chosen === null) return null
      const { member, product, left } = heldLots[chosen]!
      const units = (left * BigInt(percent)) / 100n + 1n
      const { memberId } = members[member]!
      return {
        real: async () => {
          const productId = productIds[product]!
          const requested = await run((dbTx) => fund.redemptions.request(dbTx, memberId, productId, units))
          redemptionIds.push(BigInt(requested.redemption_id))
        },
        model: () => model.redeem({ member, product, units, at: at() }),
      }
    },
    cancel: ({ place }) => {
      const index = among(redemptionIds, place)
      if (index === null) return null
      return {
        real: () => run((dbTx) => fund.redemptions.cancel(dbTx, redeemer(index), redemptionIds[index]!)),
        model: () => model.cancel(model.redemptions[index]!),
      }
    },
    decide: ({ place, approve }) => {
      // Usually one that is waiting, sometimes any, which is refused.
      const waiting = [...model.redemptions.keys()].filter(
        (index) => place % 5 === 0 || model.redemptions[index]!.status === 'Pending',
      )
      const chosen = among(waiting, place)
      if (chosen === null) return null
      const index = waiting[chosen]!
      return {
        real: () => books.decide(redeemer(index), redemptionIds[index]!, approve),
        model: () => model.decide(model.redemptions[index]!, { approve, at: at() }),
      }
    },
    value: ({ changes }) => {
      const values = changes.map(
        (percent, index) => ((model.products[index]!.invested ?? 1n) * BigInt(percent)) / 100n,
      )
      // Each separately: a refusal leaves the others unchanged.
      return {
        real: async () => {
          const answers = []
          for (const [index, value] of values.entries())
            answers.push(await outcomeOf(() => books.value(productIds[index]!, value)))
          return answers.join()
        },
        model: () => values.map((value, index) => model.value(index, value, at())).join(),
      }
    },
    invest: ({ product, percent }) => {
      const amount = (model.products[product]!.cash * BigInt(percent)) / 100n + 1n
      return {
        real: () => books.invest(productIds[product]!, amount),
        model: () => model.invest(product, amount, at()),
      }
    },
    divest: ({ product, percent, left: kept }) => {
      const value = model.products[product]!.invested ?? 50n
      const amount = (value * BigInt(percent)) / 100n
      const left = (value * BigInt(kept)) / 100n
      return {
        real: () => books.divest(productIds[product]!, amount, left),
        model: () => model.divest(product, { amount, left, at: at() }),
      }
    },
    payDue: () => ({
      real: () => fund.payouts.payDue(books.db),
      model: () => model.payDue(at()),
    }),
    moveIncome: ({ who, percent }) => {
      const amount = (model.members[who]!.income * BigInt(percent)) / 100n
      if (amount === 0n) return null
      const { memberId } = members[who]!
      return {
        real: () => run((dbTx) => fund.income.withdraw(dbTx, memberId, amount)),
        model: () => model.moveIncome(who, amount, at()),
      }
    },
    wait: ({ hours }) => {
      books.advance(hours * HOUR_MS)
      return null
    },
    bills: () => ({ real: () => fund.bills.makeDue(books.db), model: () => 'ok' }),
  }
}

/** Returns `ok`, the text that the work returns, or the code of its refusal. */
export async function outcomeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    const answer = await work()
    return typeof answer === 'string' ? answer : 'ok'
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}
