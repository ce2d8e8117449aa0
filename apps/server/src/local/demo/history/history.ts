import { addDays, type Day, dayOf, nextDay, startOfDay } from '@rif/rules'
import { inTx } from '../../../db/database.ts'
import type { Services } from '../../../services.ts'
import { PROCESSING_PURCHASE, UNPAID_PURCHASE } from '../cast.ts'
import { createDemoChain, type DemoNode } from '../demo-chain.ts'
import { unsigned } from '../demo-clock.ts'
import { assignAccounts } from '../demo-wallets.ts'
import { OPERATOR } from '../team.ts'
import { handOut, joinTeam } from './arrivals.ts'
import { createCalendar } from './calendar.ts'
import type { FundHappening, HistoryEvent } from './frame.ts'
import * as fundEvents from './fund-events.ts'
import { exchangeSome, order, save, transfer, withdrawSome } from './member-events.ts'
import { payRevenue, publishPrice, setPaused } from './operator-events.ts'
import type { World } from './world.ts'

export interface HistoryDeps {
  /** The services, on the clock that `setClock` sets. */
  readonly services: Services
  readonly node: DemoNode
  /** The indexer's `runOnce`, with the handlers of these services. */
  readonly index: () => Promise<void>
  readonly days: number
  /** Sets the clock of the services and of the signing process. */
  readonly setClock: (at: Date) => Promise<void>
  /** Prints a line for the operator. */
  readonly say: (line: string) => void
}

/** The time of the night at which a day is settled and its report is published. */
const NIGHT_MS = 5 * 60_000
/** Members have not read the news of about so many days. */
const UNREAD_DAYS = 3
/** About so many lines are said. */
const LINES = 9

/**
 * Creates the days before today: members sign up, buy, save, withdraw and send, the operator publishes
 * prices, pays in earnings and values investments, and every night the day is settled and its solvency report
 * published. All of it goes through the services and the chain, on one clock that only moves forward. A run
 * that is killed cannot be resumed.
 */
export async function makeHistory(deps: HistoryDeps): Promise<void> {
  const { services, node, days, setClock, say } = deps
  const { now, settings } = services
  const { confirmations } = settings
  const chain = createDemoChain({ node, confirmations, index: deps.index, now })
  await node.rpc('evm_setAutomine', [false])
  const world: World = {
    services,
    unsigned: unsigned(services),
    chain,
    accounts: assignAccounts(node.demoAccounts),
    team: new Map(),
    nextNumber: counter(),
  }
  const today = new Date()
  const firstDay = dayOf(now().getTime())
  await setClock(now())
  await chain.finalise()
  const calendar = createCalendar(days, firstDay)
  const purchases = calendar.flat().flatMap((event) => (event.do === 'order' ? [event.purchase] : []))
  await handOut(world, [...purchases, PROCESSING_PURCHASE, UNPAID_PURCHASE])
  for (const [index, events] of calendar.entries()) {
    const day = addDays(firstDay, index)
    if (index % Math.ceil(days / LINES) === 0 || index === days - 1)
      say(`  Preparing ${days} days of demonstration history: day ${index + 1} of ${days}`)
    for (const event of events) {
      await setClock(later(now(), new Date(startOfDay(firstDay) + event.atMs)))
      await carryOut(world, event)
    }
    const night = new Date(startOfDay(nextDay(day)) + NIGHT_MS)
    if (night > today) break
    await setClock(night)
    await endDay(world, day)
    if (index === days - UNREAD_DAYS) await readNews(world)
  }
  await setClock(new Date())
  await chain.finalise()
  await inTx(services.db, (dbTx) =>
    services.adminLog.record(dbTx, { actor: OPERATOR, ...historyMade(services), after: { days } }),
  )
  await node.rpc('evm_setAutomine', [true])
}

/** Returns the entry of the operators' log that records that a history was created. */
export const historyMade = ({ chain }: Pick<Services, 'chain'>) => ({
  action: 'demonstration.history',
  subject: `bank/${chain.contracts.bank}`,
})

async function carryOut(world: World, event: HistoryEvent): Promise<void> {
  switch (event.do) {
    case 'join':
      return joinTeam(world, event.name)
    case 'order':
      return order(world, event)
    case 'price':
      return publishPrice(world, event)
    case 'revenue':
      return payRevenue(world, event)
    case 'save':
      return save(world, event)
    case 'withdraw':
      return withdrawSome(world, event)
    case 'transfer':
      return transfer(world, event)
    case 'exchange':
      return exchangeSome(world, event)
    case 'pause':
      return setPaused(world, true)
    case 'resume':
      return setPaused(world, false)
    default:
      return carryOutInFund(world, event)
  }
}

async function carryOutInFund(world: World, event: FundHappening): Promise<void> {
  switch (event.do) {
    case 'openProducts':
      return fundEvents.openProducts(world)
    case 'listCustodian':
      return fundEvents.listCustodian(world)
    case 'acceptCustodian':
      return fundEvents.acceptCustodian(world)
    case 'announce':
      return fundEvents.announceInvestment(world, event)
    case 'execute':
      return fundEvents.executeInvestment(world)
    case 'value':
      return fundEvents.valueInvestments(world, event)
    case 'sellSome':
      return fundEvents.sellSome(world)
    case 'buyUnits':
      return fundEvents.buyUnits(world, event)
    case 'redeem':
      return fundEvents.redeem(world, event)
  }
}

/**
 * Does the workers' tasks of a night: settles the day, pays due amounts, builds the day's report and
 * publishes it.
 */
async function endDay({ services, chain }: World, day: Day): Promise<void> {
  const { db, settlement, savings, fund, solvencySnapshots, solvencyPublishing } = services
  await settlement.settle(day)
  await savings.arriveDue()
  await fund.payouts.payDue(db)
  await inTx(db, (dbTx) => fund.bills.makeDue(dbTx))
  await solvencySnapshots.catchUp()
  await solvencyPublishing.step()
  await chain.finalise()
}

/** Has every member read their news, so that the demonstration shows a few days of them as new and not a whole history. */
async function readNews({ services: { db, activity, ledger }, team }: World): Promise<void> {
  for (const { memberId } of team.values())
    await activity.see(db, memberId, await ledger.history.lastSeq(db, memberId))
}

const later = (a: Date, b: Date) => (a > b ? a : b)

function counter(): () => number {
  let last = 0
  return () => ++last
}
