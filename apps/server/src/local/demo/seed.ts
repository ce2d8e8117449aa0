import { inTx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import {
  CANCELLED_PURCHASE,
  DEMO_TEAM,
  PAID_PURCHASES,
  PROCESSING_PURCHASE,
  UNPAID_PURCHASE,
  WITHDRAWALS,
} from './cast.ts'
import { createDemoChain, type DemoChain, type DemoNode } from './demo-chain.ts'
import { unsigned } from './demo-clock.ts'
import { assignAccounts, type DemoAccounts } from './demo-wallets.ts'
import { makeExchanges } from './exchanges.ts'
import { makeFund, makeFundHistory } from './fund.ts'
import { historyMade } from './history/history.ts'
import { makePast } from './past.ts'
import { payIn } from './pay-in.ts'
import { cancelPurchase, leaveUnpaid, payTogether } from './purchases.ts'
import { makeSavings } from './savings.ts'
import { type DemoTeam, findTeam, handOutTokens, OPERATOR, publishPrices, signUpTeam } from './team.ts'
import { makeWithdrawals } from './withdrawals.ts'

export interface DemoDeps {
  readonly services: Services
  readonly node: DemoNode
  /** The indexer's `runOnce`. The indexer must not have been started yet. */
  readonly index: () => Promise<void>
  /** False creates only the test tokens and the prices, without the team. */
  readonly withTeam: boolean
  /** Shows progress, and returns the result of the work. */
  readonly report: <T>(what: string, work: Promise<T>) => Promise<T>
}

/** The number of packages that are ordered and paid at the same time. */
export const ORDERS_PER_BLOCK = 6

/**
 * Gives the demo accounts test tokens, publishes prices and creates the demonstration team: members who
 * signed in two weeks ago, have received interest and dividends since, buy packages on chain, earn rewards,
 * withdraw and exchange hash power, all through the services that the API uses. Does nothing when it was
 * finished before; resumes where a killed run stopped. Creates the root member if there is none. The default
 * plan must be stored.
 */
export async function seedDemo({ services, node, index, withTeam, report }: DemoDeps): Promise<void> {
  const { db, adminLog, chain, settings } = services
  const finished = { action: 'demonstration.finish', subject: `bank/${chain.contracts.bank}` }
  if (await adminLog.has(db, finished)) return

  const demoChain = createDemoChain({ node, confirmations: settings.confirmations, index })
  const accounts = assignAccounts(node.demoAccounts)
  const hasHistory = await adminLog.has(db, historyMade(services))
  if (!hasHistory) await report('demo tokens', prepare(services, demoChain))
  if (!withTeam) return
  const team = hasHistory
    ? await findTeam(services, accounts)
    : await makeTwoWeeks(services, demoChain, accounts, report)
  await report('demo rewards', demoChain.finalise())
  // The orders of a run that was killed lock RIF until their deadline has passed in final blocks.
  await services.shop.expire(db)
  await report('demo payouts', makeWithdrawals(services, demoChain, team, accounts.stranger))
  await report('demo savings', makeSavings(unsigned(services), team))
  await report('demo exchanges', makeExchanges(unsigned(services), team))
  await report('demo fund', makeFund(unsigned(services), team, { hasHistory }))
  await report('demo orders', leaveOrders(services, demoChain, team))

  const made = { members: DEMO_TEAM.length, packages: PAID_PURCHASES.length, withdrawals: WITHDRAWALS.length }
  await inTx(db, (dbTx) => adminLog.record(dbTx, { actor: OPERATOR, ...finished, after: made }))
}

/**
 * Creates the events before the last day where there is no longer history: a team of two weeks and its
 * packages.
 */
async function makeTwoWeeks(
  services: Services,
  chain: DemoChain,
  accounts: DemoAccounts,
  report: DemoDeps['report'],
): Promise<DemoTeam> {
  const team = await report('demo members', signUpTeam(services, chain, accounts))
  await report('demo deposits', payIn(services, chain))
  await report('demo NAVs', makeFundHistory(services, team))
  await report('demo past', makePast(services, team))
  await report('demo packages', buyPackages(services, chain, team))
  return team
}

async function prepare(services: Services, chain: DemoChain): Promise<void> {
  // Processes the transactions that a killed run had sent.
  await chain.finalise()
  await handOutTokens(services, chain)
  await publishPrices(services)
}

async function buyPackages(services: Services, chain: DemoChain, team: DemoTeam): Promise<void> {
  for (let first = 0; first < PAID_PURCHASES.length; first += ORDERS_PER_BLOCK) {
    await payTogether(services, chain, team, PAID_PURCHASES.slice(first, first + ORDERS_PER_BLOCK))
  }
}

/** Leaves one order cancelled, one unpaid, and one paid on chain but not final yet. */
async function leaveOrders(services: Services, chain: DemoChain, team: DemoTeam): Promise<void> {
  await cancelPurchase(services, team, CANCELLED_PURCHASE)
  await leaveUnpaid(services, team, UNPAID_PURCHASE)
  await payTogether(services, chain, team, [PROCESSING_PURCHASE])
  await chain.index()
}
