import { type Day, parseMicros, startOfDay } from '@rif/rules'
import { applyFinal } from '../../../chain/indexer/events.ts'
import { type Db, inTx } from '../../../db/database.ts'
import { createBooks } from '../../../simulate/testing/books.ts'
import { auditLedger } from '../../books/ledger/audit.ts'
import { EXCHANGE_CHECKS } from '../../exchange/audit.ts'
import type { AttestedPool } from '../../rewards/attested-revenue/attested-revenue.service.ts'
import { postAttested } from '../../rewards/attested-revenue/testing/post-attested.ts'
import { REWARD_CHECKS } from '../../rewards/audit.ts'
import { createDayCapsService } from '../../rewards/rewards.day-caps.service.ts'
import { SAVINGS_CHECKS } from '../../savings/audit.ts'
import { SHOP_CHECKS } from '../../shop/audit.ts'
import { SETTLEMENT_CHECKS } from '../audit.ts'
import { createSettlement } from '../settlement.service.ts'

export type TestBooks = ReturnType<typeof createTestBooks>

/** The checks without `payment event`: payments reach the modules here without an event of a chain. */
const CHECKS = [
  ...SHOP_CHECKS,
  ...REWARD_CHECKS,
  ...SAVINGS_CHECKS,
  ...SETTLEMENT_CHECKS,
  ...EXCHANGE_CHECKS,
].filter(({ name }) => name !== 'payment event')

/**
 * Creates the services from a first day on, without a chain: payments are final at once, and the test sets
 * the clock.
 */
export function createTestBooks({ db }: { db: Db }, firstDay: Day, rangeMembers = 3) {
  const books = createBooks({ db }, startOfDay(firstDay))
  const { services, bankEvents, bring } = books
  const { now, plans, pricing, shop } = services
  const settlement = createSettlement({ ...services, log: books.log, rangeMembers })
  const addresses = new Map<bigint, string>()

  return {
    ...services,
    settlement,
    today: books.today,
    advance: books.advance,
    tomorrow: books.tomorrow,
    dayCaps: createDayCapsService(services),
    goTo: (day: Day, ms = 0) => books.setClock(startOfDay(day) + ms),

    async join(sponsorId: bigint | null, side: 'left' | 'right' | 'auto'): Promise<bigint> {
      const { memberId, address } = await books.join(sponsorId, side)
      addresses.set(memberId, address)
      return memberId
    },

    /** Orders a package and pays it at once, in the open transaction if one is given. Returns the payment's event. */
    async buy(memberId: bigint, level: number, on: Db = db) {
      const buyer = { memberId, address: addresses.get(memberId)! }
      const request = { productId: BigInt(level), useHashRate: false }
      const order = await inTx(on, (dbTx) => shop.create(dbTx, buyer, request))
      const paid = bankEvents.orderPaid(order, now())
      await inTx(on, (dbTx) => applyFinal(services.eventHandlers, dbTx, [paid]))
      return paid
    },

    begin: async () => {
      await plans.ensureDefault(db)
      await settlement.begin(firstDay)
    },
    price: (asset: 'AMC' | 'RIF', price: string) =>
      inTx(db, (dbTx) => pricing.publish(dbTx, { asset, priceMicros: parseMicros(price), actor: 'test' })),

    grant: (memberId: bigint, asset: 'USDT' | 'AMC' | 'RIF', amountMicros: bigint) =>
      bring('grant', { memberId, asset, destination: 'available', amountMicros }),

    attest: (
      asset: 'USDT' | 'AMC',
      amountMicros: bigint,
      destination: Exclude<AttestedPool, 'fund_proceeds'> = 'yield_pool',
    ) => postAttested(db, { asset, destination, amountMicros, accountingDay: books.today(), at: now() }),

    audit: () => auditLedger(db, { checks: CHECKS }),
  }
}
