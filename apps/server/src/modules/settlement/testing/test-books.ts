import { type Day, dayOf, nextDay, parseMicros, startOfDay } from '@rif/rules'
import { type Db, inDbTx } from '../../../db/database.ts'
import { createLogger } from '../../../lib/logger.ts'
import { createServices } from '../../../services.ts'
import { createBankEvents, simulatedChain } from '../../../simulate/simulated-chain.ts'
import { SETTINGS } from '../../../simulate/simulation.ts'
import type { AttestedPool } from '../../attested-revenue/attested-revenue.service.ts'
import { EXCHANGE_CHECKS } from '../../exchange/exchange.audit.ts'
import { type LedgerAccount, OPERATOR_MEMBER_ID, type TransactionKind } from '../../ledger/ledger.accounts.ts'
import { auditLedger } from '../../ledger/ledger.audit.ts'
import { REWARD_CHECKS } from '../../rewards/rewards.audit.ts'
import { createDayCapsService } from '../../rewards/rewards.day-caps.service.ts'
import { SAVINGS_CHECKS } from '../../savings/savings.audit.ts'
import { SHOP_CHECKS } from '../../shop/shop.audit.ts'
import { SETTLEMENT_CHECKS } from '../settlement.audit.ts'
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

/** Creates the product's services without a chain: payments are final at once, and the test sets the clock. */
export function createTestBooks({ db }: { db: Db }, firstDay: Day, rangeMembers = 3) {
  let clock = startOfDay(firstDay)
  const now = () => new Date(clock)
  const log = createLogger({ level: 'silent' })
  const chain = simulatedChain()
  const services = createServices({ db, now, log, chain, settings: SETTINGS })
  const { adminLog, ledger, members, plans, pricing, shop } = services
  const settlement = createSettlement({ ...services, log, rangeMembers })
  const bankEvents = createBankEvents(chain)
  const addresses = new Map<bigint, string>()
  let nonce = 0

  /** Posts money that comes from outside. */
  const bring = (
    kind: TransactionKind,
    line: {
      memberId: bigint
      asset: 'USDT' | 'AMC' | 'RIF'
      destination: LedgerAccount
      amountMicros: bigint
    },
  ) =>
    ledger.post(db, {
      ...{ key: `${kind}/${nonce++}`, kind, cause: { type: 'test', id: '1' } },
      ...{ accountingDay: dayOf(clock), at: now() },
      lines: [{ ...line, source: 'external' }],
    })

  return {
    ...services,
    settlement,
    dayCaps: createDayCapsService({ now, ledger, adminLog }),

    async join(sponsorId: bigint | null, side: 'left' | 'right' | 'auto'): Promise<bigint> {
      const address = `0x${(++nonce).toString(16).padStart(40, '0')}`
      const { memberId } = await inDbTx(db, (dbTx) =>
        sponsorId === null
          ? members.createRoot(dbTx, address)
          : members.join(dbTx, { address, sponsorId, side }),
      )
      addresses.set(memberId, address)
      return memberId
    },

    /** Orders a package and pays it at once. */
    async buy(memberId: bigint, level: number): Promise<void> {
      const buyer = { memberId, address: addresses.get(memberId)! }
      const request = { productId: BigInt(level), useHashRate: false }
      const order = await inDbTx(db, (dbTx) => shop.create(dbTx, buyer, request))
      await inDbTx(db, (dbTx) => shop.payments.onFinal(dbTx, bankEvents.orderPaid(order, now())))
    },

    begin: async () => {
      await plans.ensureDefault(db)
      await settlement.begin(firstDay)
    },
    today: () => dayOf(clock),
    advance: (ms: number) => {
      clock += ms
    },
    goTo: (day: Day, ms = 0) => {
      clock = startOfDay(day) + ms
    },
    tomorrow: () => {
      clock = startOfDay(nextDay(dayOf(clock)))
    },
    price: (asset: 'AMC' | 'RIF', price: string) =>
      inDbTx(db, (dbTx) => pricing.publish(dbTx, { asset, priceMicros: parseMicros(price), actor: 'test' })),

    grant: (memberId: bigint, asset: 'USDT' | 'AMC' | 'RIF', amountMicros: bigint) =>
      bring('grant', { memberId, asset, destination: 'available', amountMicros }),

    attest: (
      asset: 'USDT' | 'AMC',
      amountMicros: bigint,
      pool: Exclude<AttestedPool, 'fund_proceeds'> = 'yield_pool',
    ) => bring('attested_revenue', { memberId: OPERATOR_MEMBER_ID, asset, destination: pool, amountMicros }),

    audit: () => auditLedger(db, { checks: CHECKS }),
  }
}
