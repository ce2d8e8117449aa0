import { type Day, formatMicros, type Operator } from '@rif/rules'
import { getAddress } from 'viem'
import { createAlarms } from './alarms/alarms.ts'
import { type AlarmSettings, createAlarmSender } from './alarms/sender.ts'
import { AUDIT_CHECKS } from './audit.ts'
import { ARBITRUM_ONE } from './chain/arbitrum.ts'
import type { Chain } from './chain/client.ts'
import type { EventHandlers } from './chain/indexer/events.ts'
import { createChainProgress } from './chain/progress.ts'
import { createReadBudget } from './chain/read-budget.ts'
import { createSignatures } from './chain/signature.ts'
import { noteChange } from './db/changes.ts'
import type { Db } from './db/database.ts'
import { schemaProblem } from './db/migrate.ts'
import type { Now } from './lib/clock.ts'
import type { Logger } from './lib/logger.ts'
import { createOutgoing } from './lib/outgoing.ts'
import { createActivityService } from './modules/activity/activity.service.ts'
import { createAdminLogService } from './modules/admin-log/admin-log.service.ts'
import { createAdminsService } from './modules/admins/admins.service.ts'
import { createAnalyticsService } from './modules/analytics/analytics.service.ts'
import { createAnnouncements } from './modules/announcements/announcements.service.ts'
import { createAttestedRevenue } from './modules/attested-revenue/attested-revenue.service.ts'
import { createAuthService } from './modules/auth/auth.service.ts'
import { createTermsTexts } from './modules/auth/auth.texts.service.ts'
import { createBankWatch } from './modules/bank-watch/bank-watch.service.ts'
import { createFinalBatch } from './modules/checkout/checkout.batch.service.ts'
import { depositsWithSuspense, paymentsByOrder } from './modules/checkout/checkout.handlers.service.ts'
import { createCheckout } from './modules/checkout/checkout.service.ts'
import { createDesk } from './modules/desk/desk.service.ts'
import { createEarnings } from './modules/earnings/earnings.service.ts'
import { createExchange } from './modules/exchange/exchange.module.ts'
import { createFund, type Fund } from './modules/fund/fund.service.ts'
import { createAuditRuns } from './modules/guard/guard.runs.service.ts'
import { createGuard } from './modules/guard/guard.service.ts'
import { createHashPower } from './modules/hash-power/hash-power.module.ts'
import { createLeaving } from './modules/leaving/leaving.module.ts'
import { OPERATOR_MEMBER_ID } from './modules/ledger/ledger.accounts.ts'
import { createLedgerService, type Posting } from './modules/ledger/ledger.service.ts'
import { createLocalWalletService } from './modules/local-wallet/local-wallet.service.ts'
import { createMeService } from './modules/me/me.service.ts'
import { createMemberSearch } from './modules/member-search/member-search.service.ts'
import { createMembersService } from './modules/members/members.service.ts'
import { createMoneyPolicy } from './modules/money-policy/money-policy.service.ts'
import { createNotices, type NoticeSettings } from './modules/notices/notices.module.ts'
import { type Audience, createNoticeSpreads, type Topic } from './modules/notices/notices.service.ts'
import { createOpening } from './modules/opening/opening.service.ts'
import { createOperationServices } from './modules/operations/operations.module.ts'
import { createErasures } from './modules/person/person.erasure.service.ts'
import { createPersonService } from './modules/person/person.service.ts'
import { createPlacementService } from './modules/placement/placement.service.ts'
import { createPlanComparisons } from './modules/plan-comparison/plan-comparison.service.ts'
import { createPlansService } from './modules/plans/plans.service.ts'
import { createPortfolioService } from './modules/portfolio/portfolio.service.ts'
import { createPriceIntake, type PriceSettings } from './modules/price-intake/price-intake.service.ts'
import { createDisplayRates } from './modules/pricing/pricing.rates.service.ts'
import { createPricingService } from './modules/pricing/pricing.service.ts'
import { createPriceSources } from './modules/pricing/pricing.sources.service.ts'
import { createKinds } from './modules/proposals/kinds/index.ts'
import { createDepositors } from './modules/proposals/proposals.depositors.service.ts'
import { createProposals } from './modules/proposals/proposals.service.ts'
import { createReach } from './modules/reach/reach.service.ts'
import { createRefunds } from './modules/refunds/refunds.service.ts'
import { createReversals } from './modules/reversals/reversals.service.ts'
import { createRewards } from './modules/rewards/rewards.module.ts'
import type { RewardsService } from './modules/rewards/rewards.service.ts'
import { createSavings } from './modules/savings/savings.module.ts'
import { createSearchService } from './modules/search/search.service.ts'
import { createSettlementServices } from './modules/settlement/settlement.module.ts'
import { createShares } from './modules/shares/shares.service.ts'
import { createShop } from './modules/shop/shop.service.ts'
import { createSolvency } from './modules/solvency/solvency.module.ts'
import { createStatements } from './modules/statements/statements.service.ts'
import { createSystemService, type PublicSettings } from './modules/system/system.service.ts'
import { createTransactionsService } from './modules/transactions/transactions.service.ts'
import { createTransfersService } from './modules/transfers/transfers.service.ts'
import { createTreasury } from './modules/treasury/treasury.module.ts'
import { createWebhookEvents } from './modules/webhooks/webhooks.events.service.ts'
import { createWebhooks } from './modules/webhooks/webhooks.service.ts'
import { createWithdrawals } from './modules/withdrawals/withdrawals.service.ts'
import { createMetrics, type Metrics } from './plugins/metrics.ts'
import { readingsOf } from './plugins/readings.ts'
import { createSignerClient } from './signer/client.ts'
import type { SignerAccess } from './signer/protocol.ts'

/** The settings of the services. */
export interface ServiceSettings extends PublicSettings {
  /** The address at which browsers reach the product. */
  readonly publicUrl: string
  /** The process that holds the claim and quote keys. */
  readonly signer: SignerAccess
  /** The key of the salts of solvency reports, 32 bytes; without it none are built. */
  readonly saltKey?: Uint8Array | null
  /** The SHA-256 of the verifier that is offered beside the app, in hexadecimal digits; null where there is none. */
  readonly verifierSha256?: string | null
  /** The key of the secrets of webhooks, 32 bytes; without it there are none. */
  readonly webhookKey?: Uint8Array | null
  /** The price feeds and oracles; none by default. */
  readonly prices?: PriceSettings
  /** The receivers of alarms; by default they are only logged. */
  readonly alarms?: AlarmSettings
  /** Internal hosts that requests to external addresses may reach; none by default. */
  readonly localHosts?: readonly string[]
  /** Settings of notices by mail and push; off by default. */
  readonly notices?: NoticeSettings
  /** The operator, as the terms name it; nobody in a demonstration, the default. */
  readonly operator?: Operator
  /** True (the default) if an old solvency report closes the gate. */
  readonly needsSnapshots?: boolean
  /** The longest time for which an audit waits for a lagging replica. */
  readonly replicaWaitMs?: number
  /** Stops the fund while its NAV is older than the plan allows; false only in a simulation. */
  readonly navsGoStale?: boolean
  /** Limits and reviews transfers; false only in a simulation. */
  readonly transfersLimited?: boolean
  /** Requires the signatures of members' wallets; false only in a simulation, which has no wallets. */
  readonly membersSign?: boolean
}

export interface ServicesDeps {
  readonly db: Db
  /** A replica of the database, for audits. */
  readonly replicaDb?: Db | undefined
  readonly now: Now
  readonly log: Logger
  readonly chain: Chain
  readonly settings: ServiceSettings
}

const REPLICA_WAIT_MS = 60_000
/** Says in the terms of a demonstration that nobody runs it. */
const DEMONSTRATION: Operator = {
  name: 'nobody (a demonstration with test money)',
  address: 'none',
  law: 'no country',
  venue: 'none',
}
const NO_PRICES: PriceSettings = { feeds: [], oracles: [], sequencer: null, jumpPpm: 100_000 }

export type Services = ReturnType<typeof createServices>

/**
 * Creates every service of the process, from the bottom of the architecture to its top. Does not connect or
 * start anything.
 */
export function createServices(context: ServicesDeps) {
  const { now, chain, settings } = context
  const { chainId, untrustedClient, contracts, decimals } = chain
  const { bank } = contracts
  const metrics = createMetrics()
  const webhookEvents = createWebhookEvents({ now })
  // Whoever wants to hear of postings: of all of them, in this order.
  const ledger = createLedgerService([webhookEvents.ofPostings, countPostings(metrics), noteBalances])
  const signer = createSignerClient(settings.signer)
  for (const reading of readingsOf({ ...context, ledger, signer })) metrics.addReading(reading)
  const adminLog = webhookEvents.ofAdminLog(createAdminLogService({ now }))
  const placement = createPlacementService({ now })
  const prices = settings.prices ?? NO_PRICES
  const pricing = createPricingService({ now, adminLog })
  const outgoing = createOutgoing({ localHosts: settings.localHosts ?? [] })
  const ground = {
    ...context,
    alarms: createAlarms(context),
    reversals: createReversals({ now, ledger }),
    metrics,
    ledger,
    adminLog,
    placement,
    decimals,
    contracts,
    signer,
    signatures: createSignatures(chain.nodes),
    readBudget: createReadBudget({ now }),
    progress: createChainProgress({ chainId, confirmations: settings.confirmations, now }),
    admins: createAdminsService({ now, adminLog }),
    announcements: createAnnouncements({ ...context, adminLog }),
    plans: createPlansService({ now, adminLog }),
    pricing,
    priceSources: createPriceSources({ now, pricing, jumpPpm: prices.jumpPpm }),
    displayRates: createDisplayRates({ now, adminLog, jumpPpm: prices.jumpPpm }),
    members: createMembersService({ now, placement }),
    reach: createReach(context),
    outgoing,
    webhookEvents,
    webhooks: createWebhooks({ ...context, adminLog, outgoing, webhookKey: settings.webhookKey ?? null }),
  }
  const notices = createNotices({ ...ground, publicUrl: settings.publicUrl, notices: settings.notices ?? {} })
  const refunds = createRefunds(context)
  const checkout = createCheckout({ ...ground, refunds })
  const attestedRevenue = createAttestedRevenue(ground)
  const termsTexts = createTermsTexts({
    ...ground,
    facts: {
      operator: settings.operator ?? DEMONSTRATION,
      contact: settings.supportContact ?? null,
      chainName: ARBITRUM_ONE.name,
      chainId,
      bank: getAddress(bank),
      confirmations: settings.confirmations,
    },
  })
  const auth = createAuthService({ ...ground, ...settings, chainId, termsTexts })
  const leaving = createLeaving({
    ...ground,
    domain: { chainId, bank },
    membersSign: settings.membersSign ?? true,
  })
  const withdrawals = createWithdrawals({ ...ground, ...leaving, refunds })
  const money = {
    ...ground,
    refunds,
    checkout,
    auth,
    termsTexts,
    ...leaving,
    attestedRevenue,
    fund: createFund({ ...ground, ...leaving, checkout, navsGoStale: settings.navsGoStale ?? true }),
    ...createRewards({ ...ground, attestedRevenue }),
    ...createExchange({ ...ground, ...leaving }),
    ...createSavings({ ...ground, ...leaving }),
    withdrawals,
    withdrawalReview: withdrawals.review,
    claims: withdrawals.claims,
  }
  const transfers = createTransfersService({
    ...money,
    transfersLimited: settings.transfersLimited ?? true,
  })
  const sales = {
    ...money,
    ...createHashPower(money),
    transfers,
    transferReview: transfers.review,
    shop: createShop(money),
    localWallet: createLocalWalletService(money),
  }
  const settled = { ...sales, ...createSettlementServices(sales) }
  const { saltKey = null, verifierSha256 = null } = settings
  const solvent = { ...settled, ...createSolvency({ ...settled, saltKey, verifierSha256 }) }
  for (const reading of solvent.solvencyPublishing.readings) metrics.addReading(reading)
  const statements = createStatements(settled)
  const compared = { ...solvent, planComparisons: createPlanComparisons(settled) }
  const treasury = createTreasury(compared)
  const guard = createGuard({
    ...solvent,
    auditDb: context.replicaDb ?? context.db,
    auditChecks: AUDIT_CHECKS,
    needsSnapshots: settings.needsSnapshots ?? true,
    replicaWaitMs: settings.replicaWaitMs ?? REPLICA_WAIT_MS,
  })
  for (const reading of guard.readings) metrics.addReading(reading)
  const depositors = createDepositors(compared)
  const bankWatch = createBankWatch({ ...compared, ...treasury, makesBlocks: settings.demoWallets === null })
  for (const reading of bankWatch.readings) metrics.addReading(reading)
  const { shop, fund, claims } = settled
  const onFinalBatch = createFinalBatch(settled.ledger, [
    shop.finalPayments,
    fund.finalPayments,
    claims.finalClaims,
  ])
  const payments = { shop: shop.payments, fund: fund.payments }
  /** The handlers of the bank's events, for the indexer. */
  const eventHandlers: EventHandlers = {
    ...bankWatch.eventHandlers,
    ...treasury.exitEvents,
    ...solvent.solvencyEvents,
    OrderPaid: { ...paymentsByOrder(checkout, payments), onFinalBatch },
    Claimed: { ...claims.claims, onFinalBatch },
    RevenueDeposited: depositsWithSuspense(checkout, treasury.depositEvents),
  }
  const opening = createOpening({
    ...compared,
    ...treasury,
    receivers: settings.alarms ?? {},
    isReal: settings.demoWallets === null,
  })
  const kinds = createKinds({ ...compared, ...treasury, guard, opening, depositors, eventHandlers })
  const proposals = createProposals({
    ...compared,
    kinds,
    domain: { chainId, bank },
  })
  const me = createMeService(settled)
  const activity = createActivityService(settled)
  return {
    ...compared,
    ...treasury,
    opening,
    proposals,
    me,
    bankWatch,
    guard,
    eventHandlers,
    priceIntake: createPriceIntake({ ...ground, proposals, prices }),
    ...notices,
    noticeSpreads: createNoticeSpreads({ ...ground, audiences: audiencesOf(settled) }),
    auditRuns: createAuditRuns({ ...compared, guard }),
    alarmSender: createAlarmSender({ ...ground, ...settings, receivers: settings.alarms ?? {} }),
    ...createOperationServices({ ...compared, depositors, proposals, bankWatch, guard }),
    transactions: createTransactionsService({
      ...settled,
      untrustedClient,
      chainId,
      fund: settled.fund.orders,
    }),
    activity,
    memberSearch: createMemberSearch({ ...settled, activity }),
    person: createPersonService(),
    erasures: createErasures(settled),
    portfolio: createPortfolioService(settled),
    statements,
    shares: createShares({ ...solvent, statements }),
    system: createSystemService({ ...settled, schemaProblem }),
    earnings: createEarnings(context),
    moneyPolicy: createMoneyPolicy({ ...ground, ...treasury }),
    search: createSearchService({ ...settled, me }),
    analytics: createAnalyticsService(solvent),
    desk: createDesk({ ...compared, opening, proposals, guard, bankWatch }),
  }
}

/** Returns the members whom an event of many members concerns, with each member's own figures. */
function audiencesOf({
  rewards,
  fund,
}: {
  rewards: RewardsService
  fund: Fund
}): Partial<Record<Topic, Audience>> {
  return {
    async rewards_paid(db, memberIds, { day }) {
      const paid = await rewards.paidOn(db, memberIds, day as Day)
      return paid.map(({ memberId, usdtMicros, amcMicros }) => ({
        memberId,
        facts: { day: day!, usdt: formatMicros(usdtMicros), amc: formatMicros(amcMicros) },
      }))
    },
    // The texts are the same for all members.
    announcement: async (_db, memberIds) => memberIds.map((memberId) => ({ memberId, facts: {} })),
    async nav_published(db, memberIds, facts) {
      const holders = await fund.overview.holdersAmong(db, BigInt(facts.product_id!), memberIds)
      return holders.map((memberId) => ({ memberId, facts }))
    },
  }
}

/** Counts postings, including those that their transaction then rolls back. */
const countPostings =
  ({ ledgerTransactions }: Metrics) =>
  (_dbTx: Db, postings: readonly Posting[]): void => {
    for (const { kind, count } of postings) ledgerTransactions.inc({ kind }, count)
  }

/** Notes changed balances for open pages. That of a settled range is noted when its day is settled. */
function noteBalances(dbTx: Db, postings: readonly Posting[]): void {
  for (const { lines } of postings)
    for (const { memberId } of lines ?? [])
      if (memberId !== OPERATOR_MEMBER_ID) noteChange(dbTx, memberId, 'balance')
}
