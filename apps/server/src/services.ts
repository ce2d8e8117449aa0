import type { Hex } from 'viem'
import { createClaimSigner } from './chain/claim-signer.ts'
import type { Chain } from './chain/client.ts'
import type { EventHandlers } from './chain/indexer/events.ts'
import { createChainProgress } from './chain/progress.ts'
import { createQuoteSigner } from './chain/quote-signer.ts'
import type { Db } from './db/database.ts'
import { pendingMigrations } from './db/migrate.ts'
import type { Now } from './lib/clock.ts'
import type { Logger } from './lib/logger.ts'
import { createActivityService } from './modules/activity/activity.service.ts'
import { createAdminLogService } from './modules/admin-log/admin-log.service.ts'
import { createAdminsService } from './modules/admins/admins.service.ts'
import { createAnalyticsService } from './modules/analytics/analytics.service.ts'
import { createAttestedRevenue } from './modules/attested-revenue/attested-revenue.service.ts'
import { createAuthService } from './modules/auth/auth.service.ts'
import { createCheckout, paymentsByOrder } from './modules/checkout/checkout.service.ts'
import { createAllocation } from './modules/exchange/exchange.allocation.ts'
import { createConversions } from './modules/exchange/exchange.conversions.service.ts'
import { createDividends } from './modules/exchange/exchange.dividends.service.ts'
import { createLaunchReview } from './modules/exchange/exchange.launch-review.service.ts'
import { createLaunches } from './modules/exchange/exchange.launches.service.ts'
import { createExchangeService } from './modules/exchange/exchange.service.ts'
import { createExchangeTerms } from './modules/exchange/exchange.terms.service.ts'
import { createFund } from './modules/fund/fund.service.ts'
import { createHashPowerGrants } from './modules/hash-power/hash-power.grants.service.ts'
import { createHashPowerService } from './modules/hash-power/hash-power.service.ts'
import {
  createLedgerService,
  type JournalEntry,
  type LedgerService,
} from './modules/ledger/ledger.service.ts'
import { createLocalWalletService } from './modules/local-wallet/local-wallet.service.ts'
import { createMeService } from './modules/me/me.service.ts'
import { createMembersService } from './modules/members/members.service.ts'
import { createFundProductsOperated } from './modules/operations/fund-products.service.ts'
import { createOperations } from './modules/operations/operations.service.ts'
import { createOrderAudit } from './modules/operations/order-audit.service.ts'
import { createRevenueDeposits } from './modules/operations/revenue-deposits.service.ts'
import { createPlacementService } from './modules/placement/placement.service.ts'
import { createPlanComparisons } from './modules/plan-comparison/plan-comparison.service.ts'
import { createPlansService } from './modules/plans/plans.service.ts'
import { createPricingService } from './modules/pricing/pricing.service.ts'
import { createKinds } from './modules/proposals/kinds/index.ts'
import { createProposals } from './modules/proposals/proposals.service.ts'
import { createAwardService } from './modules/rewards/rewards.award.service.ts'
import { createDayCapsService } from './modules/rewards/rewards.day-caps.service.ts'
import { createRewardFigures } from './modules/rewards/rewards.figures.service.ts'
import { createManagementService } from './modules/rewards/rewards.management.service.ts'
import { createRewardsService } from './modules/rewards/rewards.service.ts'
import { createSavingsAccounts } from './modules/savings/savings.account.service.ts'
import { createSavingsService } from './modules/savings/savings.service.ts'
import { createSearchService } from './modules/search/search.service.ts'
import { createSettlementDays } from './modules/settlement/days/days.service.ts'
import { createSettlementRerun } from './modules/settlement/days/rerun.service.ts'
import { createSettlementReplays } from './modules/settlement/replay/replay.service.ts'
import { createSettlement } from './modules/settlement/settlement.service.ts'
import { createShop } from './modules/shop/shop.service.ts'
import { createSystemService, type PublicSettings } from './modules/system/system.service.ts'
import { createTransactionsService } from './modules/transactions/transactions.service.ts'
import { createTransfersService } from './modules/transfers/transfers.service.ts'
import { createWithdrawalBook } from './modules/withdrawals/withdrawals.book.ts'
import { createClaims } from './modules/withdrawals/withdrawals.claims.ts'
import { createWithdrawalReview } from './modules/withdrawals/withdrawals.review.service.ts'
import { createWithdrawalsService } from './modules/withdrawals/withdrawals.service.ts'
import { createMetrics, type Metrics } from './plugins/metrics.ts'
import { readingsOf } from './plugins/readings.ts'

/** The settings that services depend on. */
export interface ServiceSettings extends PublicSettings {
  /** The address under which browsers reach the product. */
  readonly publicUrl: string
  readonly quoteSignerKey: Hex
  readonly claimSignerKey: Hex
  /** Whether a NAV over the plan's age stops the fund; false only in a simulation. */
  readonly navsGoStale?: boolean
}

export interface ServicesDeps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly chain: Chain
  readonly settings: ServiceSettings
}

export type Services = ReturnType<typeof createServices>

/** The composition root: every service of the process, made once. Nothing is connected or started here. */
export function createServices({ db, now, log, chain, settings }: ServicesDeps) {
  const { chainId, contracts, decimals } = chain
  const metrics = createMetrics()
  const progress = createChainProgress({ chainId, confirmations: settings.confirmations })
  const ledger = countPostings(createLedgerService(), metrics)
  for (const reading of readingsOf({ db, ledger, chain })) metrics.addReading(reading)
  const adminLog = createAdminLogService({ now })
  const admins = createAdminsService({ now, adminLog })
  const plans = createPlansService({ now, adminLog })
  const pricing = createPricingService({ now, adminLog })

  const placement = createPlacementService({ now })
  const members = createMembersService({ now, placement })
  const { publicUrl } = settings
  const auth = createAuthService({ db, now, members, admins, client: chain.client, publicUrl, chainId })
  const hashPowerGrants = createHashPowerGrants({ now, ledger, members, adminLog })
  const conversions = createConversions({ now, ledger })
  const hashPower = createHashPowerService({ now, ledger, plans, pricing, conversions })
  const exchangeTerms = createExchangeTerms({ now, adminLog })
  const dividends = createDividends()
  const exchange = createExchangeService({
    ...{ db, now, ledger, terms: exchangeTerms, conversions, dividends },
  })
  const launches = createLaunches({ now, ledger })
  const launchReview = createLaunchReview({ now, adminLog })
  const allocation = createAllocation({ db, now, log, ledger })
  const rewards = createRewardsService({ now, ledger, members })
  const dayCaps = createDayCapsService({ now, ledger, adminLog })
  const rewardFigures = createRewardFigures({ now, members, plans, dayCaps })

  const quoteSigner = createQuoteSigner({
    privateKey: settings.quoteSignerKey,
    chainId,
    bank: contracts.bank,
  })
  const checkout = createCheckout({ now, log, chain, quoteSigner, ledger })
  const shop = createShop({
    ...{ now, ledger, members, placement, plans, pricing, rewards, checkout, progress, decimals },
  })
  const fund = createFund({
    ...{ now, chain, ledger, members, plans, adminLog, progress, checkout },
    navsGoStale: settings.navsGoStale ?? true,
  })

  const settlement = createSettlement({ db, now, log, ledger, placement, plans, pricing })
  const attestedRevenue = createAttestedRevenue({ now, ledger, adminLog, contracts, decimals })
  const management = createManagementService({ now, ledger })
  const awards = createAwardService({ now, plans, management })

  const book = createWithdrawalBook({ ledger })
  const withdrawals = createWithdrawalsService({
    now,
    ledger,
    members,
    plans,
    pricing,
    book,
    contracts,
    progress,
  })
  const withdrawalReview = createWithdrawalReview({ now, ledger, book, adminLog })
  const claimSigner = createClaimSigner({
    privateKey: settings.claimSignerKey,
    chainId,
    bank: contracts.bank,
  })
  const claims = createClaims({ now, log, chain, claimSigner, book, progress })

  const savings = createSavingsService({ db, now, ledger, plans, pricing })
  const savingsAccounts = createSavingsAccounts({ now, ledger, plans, pricing })
  const transfers = createTransfersService({ now, ledger, members, plans, withdrawals })
  const { contacts } = transfers
  const localWallet = createLocalWalletService({ now, chain, progress, ledger, members, contacts })
  const transactions = createTransactionsService({
    ...{ now, client: chain.client, progress, shop, withdrawals, localWallet },
    fund: fund.orders,
  })

  const settlementReplays = createSettlementReplays({ plans })
  const planComparisons = createPlanComparisons({
    ...{ db, now, log, adminLog, members, replays: settlementReplays },
  })
  const kinds = createKinds({
    ...{ now, adminLog, admins, ledger, members, plans, pricing, fund, attestedRevenue, dayCaps },
    ...{ hashPowerGrants, exchangeTerms, launchReview, withdrawalReview, transfers, settlement },
    ...{ planComparisons, checkout },
  })
  const domain = { chainId, bank: contracts.bank }
  const proposals = createProposals({ db, now, log, adminLog, members, auth, kinds, domain })
  const operations = createOperations({
    ...{ db, now, chain, ledger, plans, proposals, adminLog },
    review: withdrawalReview,
    claimSigner: claimSigner.address,
  })
  const orderAudit = createOrderAudit({ db, now, members, proposals })

  const revenueDeposits = createRevenueDeposits({ db, attestedRevenue, proposals })
  const fundProducts = createFundProductsOperated({ db, now, plans, fund, proposals })

  const activity = createActivityService({ now, fund, ledger, pricing, rewards, shop })
  const me = createMeService({
    ...{
      db,
      now,
      members,
      admins,
      placement,
      ledger,
      rewards,
      awards,
      dayCaps,
      shop,
      plans,
      exchangeTerms,
      fund,
    },
  })
  const system = createSystemService({
    now,
    chain,
    members,
    admins,
    plans,
    rewards,
    settings,
    pendingMigrations,
  })
  const settlementDays = createSettlementDays({ db, now, log, ledger, plans, pricing, adminLog })
  const settlementRerun = createSettlementRerun({
    ...{ db, now, log, settlement, days: settlementDays, adminLog },
  })
  const analytics = createAnalyticsService({ now, ledger, plans, settlement, chain })
  const search = createSearchService({ now, members, me, ledger, withdrawals, dayCaps, adminLog })
  /** What the indexer tells the modules. */
  const eventHandlers: EventHandlers = {
    OrderPaid: paymentsByOrder({ shop: shop.payments, fund: fund.payments }),
    Claimed: claims.handler,
    RevenueDeposited: attestedRevenue.handler,
  }

  return {
    db,
    now,
    chain,
    settings,
    metrics,
    adminLog,
    admins,
    proposals,
    operations,
    orderAudit,
    revenueDeposits,
    fundProducts,
    ledger,
    plans,
    pricing,
    hashPower,
    hashPowerGrants,
    conversions,
    exchange,
    exchangeTerms,
    dividends,
    launches,
    launchReview,
    allocation,
    placement,
    members,
    auth,
    rewards,
    rewardFigures,
    shop,
    fund,
    settlement,
    settlementDays,
    settlementRerun,
    settlementReplays,
    planComparisons,
    analytics,
    search,
    attestedRevenue,
    management,
    awards,
    withdrawals,
    withdrawalReview,
    claims,
    savings,
    savingsAccounts,
    transfers,
    transactions,
    activity,
    localWallet,
    me,
    system,
    eventHandlers,
  }
}

/** The ledger, with what it posts counted; what a transaction then rolls back is counted all the same. */
function countPostings(ledger: LedgerService, { ledgerTransactions }: Metrics): LedgerService {
  return {
    ...ledger,
    async post(db: Db, entry: JournalEntry) {
      const result = await ledger.post(db, entry)
      if (result.posted) ledgerTransactions.inc({ kind: entry.kind })
      return result
    },
  }
}
