import { type Day, dayOf, nextDay, parseMicros, startOfDay, toChainUnits } from '@rif/rules'
import { pino } from 'pino'
import { packOnChainId } from '../../../chain/onchain-id.ts'
import { createChainProgress } from '../../../chain/progress.ts'
import { createQuoteSigner } from '../../../chain/quote-signer.ts'
import { type Db, inDbTx } from '../../../db/database.ts'
import { simulatedChain } from '../../../simulate/simulated-chain.ts'
import { createAdminLogService } from '../../admin-log/admin-log.service.ts'
import type { AttestedPool } from '../../attested-revenue/attested-revenue.service.ts'
import { createCheckoutService } from '../../checkout/checkout.service.ts'
import { EXCHANGE_CHECKS } from '../../exchange/exchange.audit.ts'
import { createConversions } from '../../exchange/exchange.conversions.service.ts'
import { createDividends } from '../../exchange/exchange.dividends.service.ts'
import { createExchangeService } from '../../exchange/exchange.service.ts'
import { createExchangeTerms } from '../../exchange/exchange.terms.service.ts'
import { OPERATOR_MEMBER_ID } from '../../ledger/ledger.accounts.ts'
import { auditLedger } from '../../ledger/ledger.audit.ts'
import { createLedgerService } from '../../ledger/ledger.service.ts'
import { createMembersService } from '../../members/members.service.ts'
import { createPlacementService } from '../../placement/placement.service.ts'
import { createPlansService } from '../../plans/plans.service.ts'
import { createPricingService } from '../../pricing/pricing.service.ts'
import { REWARD_CHECKS } from '../../rewards/rewards.audit.ts'
import { createBulkRewards } from '../../rewards/rewards.bulk.service.ts'
import { createDayCapsService } from '../../rewards/rewards.day-caps.service.ts'
import { createManagementService } from '../../rewards/rewards.management.service.ts'
import { createRewardsService } from '../../rewards/rewards.service.ts'
import { SAVINGS_CHECKS } from '../../savings/savings.audit.ts'
import { createSavingsInterestBook } from '../../savings/savings.interest.service.ts'
import { createSavingsService } from '../../savings/savings.service.ts'
import { SHOP_CHECKS } from '../../shop/shop.audit.ts'
import { createOrderBook } from '../../shop/shop.orders.ts'
import { createPaymentHandler } from '../../shop/shop.payments.ts'
import { createShopService } from '../../shop/shop.service.ts'
import { SETTLEMENT_CHECKS } from '../settlement.audit.ts'
import { createSettlementService } from '../settlement.service.ts'

export type TestBooks = ReturnType<typeof createTestBooks>

const TX_HASH = `0x${'ab'.repeat(32)}` as const
const ADDRESS = `0x${'cd'.repeat(20)}` as const

/** Payments are handed to the modules here as the indexer would, so no event of a chain stands behind them. */
const CHECKS = [
  ...SHOP_CHECKS,
  ...REWARD_CHECKS,
  ...SAVINGS_CHECKS,
  ...SETTLEMENT_CHECKS,
  ...EXCHANGE_CHECKS,
].filter(({ name }) => name !== 'payment event')

/** The services that money goes through, without a chain: payments are final at once. The clock is the test's. */
export function createTestBooks({ db }: { db: Db }, firstDay: Day, rangeMembers = 3) {
  let clock = startOfDay(firstDay)
  const now = () => new Date(clock)
  const log = pino({ level: 'silent' })
  const ledger = createLedgerService()
  const adminLog = createAdminLogService({ now })
  const plans = createPlansService({ now, adminLog })
  const pricing = createPricingService({ now, adminLog })
  const placement = createPlacementService({ now })
  const members = createMembersService({ now, placement })
  const rewards = createRewardsService({ now, ledger, members })
  const orderBook = createOrderBook({ ledger, now })
  const progress = createChainProgress({ chainId: 1, confirmations: 1 })
  const shop = createShopService({ now, ledger, plans, pricing, orderBook, progress })
  const chain = simulatedChain()
  const bank = chain.contracts.bank
  const quoteSigner = createQuoteSigner({ privateKey: `0x${'11'.repeat(32)}`, chainId: 1, bank })
  const checkout = createCheckoutService({ now, log, chain, quoteSigner, ledger })
  const payments = createPaymentHandler({
    ...{ now, ledger, members, placement, plans, rewards, orderBook, checkout },
    decimals: { USDT: 6, AMC: 18 },
  })
  const management = createManagementService({ now, ledger })
  const dayCaps = createDayCapsService({ now, ledger, adminLog })
  const bulkRewards = createBulkRewards()
  const settlement = createSettlementService({
    ...{ db, now, log, ledger, placement, plans, pricing, bulkRewards, shop, rangeMembers },
    savingsInterest: createSavingsInterestBook(),
    dividends: createDividends(),
  })
  const exchange = createExchangeService({
    ...{ db, now, ledger, dividends: createDividends() },
    terms: createExchangeTerms({ now, adminLog }),
    conversions: createConversions({ now, ledger }),
  })
  const savings = createSavingsService({ db, now, ledger, plans, pricing })
  const addresses = new Map<bigint, string>()
  let nonce = 0

  async function join(sponsorId: bigint | null, side: 'left' | 'right' | 'auto'): Promise<bigint> {
    const address = `0x${(++nonce).toString(16).padStart(40, '0')}`
    const { memberId } = await inDbTx(db, (dbTx) =>
      sponsorId === null
        ? members.createRoot(dbTx, address)
        : members.join(dbTx, { address, sponsorId, side }),
    )
    addresses.set(memberId, address)
    return memberId
  }

  /** Orders a package and pays it at once. */
  async function buy(memberId: bigint, level: number): Promise<void> {
    const payer = addresses.get(memberId) as `0x${string}`
    const order = await inDbTx(db, (dbTx) =>
      shop.create(dbTx, { memberId, address: payer }, { productId: BigInt(level), useHashRate: false }),
    )
    const amounts = await db
      .selectFrom('orders')
      .select(['full_usdt_micros', 'full_amc_micros'])
      .where('order_id', '=', BigInt(order.order_id))
      .executeTakeFirstOrThrow()
    await inDbTx(db, (dbTx) =>
      payments.onFinal(dbTx, {
        ...{ name: 'OrderPaid', blockNumber: 1n, blockHash: TX_HASH, blockAt: now(), txHash: TX_HASH },
        ...{ logIndex: nonce++, contract: ADDRESS },
        args: {
          orderId: packOnChainId(memberId, BigInt(order.order_id)),
          payer,
          usdtAmount: toChainUnits(amounts.full_usdt_micros, 6),
          amcAmount: toChainUnits(amounts.full_amc_micros, 18),
        },
      }),
    )
  }

  return {
    ...{
      db,
      now,
      ledger,
      plans,
      pricing,
      members,
      placement,
      settlement,
      management,
      dayCaps,
      rewards,
      shop,
      savings,
      exchange,
      join,
      buy,
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
      ledger.post(db, {
        ...{ key: `grant/${nonce++}`, kind: 'grant', cause: { type: 'test', id: '1' } },
        ...{ accountingDay: dayOf(clock), at: now() },
        lines: [{ memberId, asset, source: 'external', destination: 'available', amountMicros }],
      }),

    attest: (
      asset: 'USDT' | 'AMC',
      amountMicros: bigint,
      pool: Exclude<AttestedPool, 'fund_proceeds'> = 'yield_pool',
    ) =>
      ledger.post(db, {
        ...{ key: `attest/${nonce++}`, kind: 'attested_revenue', cause: { type: 'test', id: '1' } },
        ...{ accountingDay: dayOf(clock), at: now() },
        lines: [
          {
            memberId: OPERATOR_MEMBER_ID,
            asset,
            source: 'external',
            destination: pool,
            amountMicros,
          },
        ],
      }),

    audit: () => auditLedger(db, { checks: CHECKS }),
  }
}
