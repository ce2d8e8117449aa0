import type { ErrorCode } from '@rif/api-schema'
import { dayOf, type Plan } from '@rif/rules'
import { type Db, inTx } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { createLogger } from '../lib/logger.ts'
import { createServices, type ServiceSettings, type Services } from '../services.ts'
import { NO_SIGNER } from '../signer/protocol.ts'
import { createActions } from './actions.ts'
import type { Actions } from './fund-actions.ts'
import {
  memberLines,
  type NamedMember,
  type ResultLine,
  rewardLines,
  type Trace,
  totalsLine,
} from './result.ts'
import { ScenarioError, type ScenarioEvent } from './scenario.ts'
import { simulatedChain } from './simulated-chain.ts'

/** The refusals of the format. Any other one means that a line cannot be carried out at all. */
const REFUSALS: ReadonlySet<string> = new Set<ErrorCode>([
  'MEMBER_NOT_FOUND',
  'SPONSOR_NOT_FOUND',
  'MEMBER_EXISTS',
  'ROOT_EXISTS',
  'PACKAGE_NOT_FOUND',
  'PRODUCT_NOT_FOUND',
  'PRODUCT_EXISTS',
  'ASSET_NOT_ALLOWED',
  'INVALID_AMOUNT',
  'ADDRESS_NOT_REGISTERED',
  'SELF_TRANSFER',
  'SOLD_OUT',
  'PRICE_UNAVAILABLE',
  'PRODUCT_CLOSED',
  'NAV_TOO_LOW',
  'BELOW_MINIMUM',
  'AMOUNT_NOT_ABOVE_FEE',
  'INSUFFICIENT_BALANCE',
  'UNITS_NOT_REDEEMABLE',
  'NOTHING_INVESTED',
  'DAILY_LIMIT',
  'NOTHING_TO_REVIEW',
  'NOT_FIRST',
  'NOTHING_TO_CANCEL',
  'NOTHING_TO_CLAIM',
  'DAY_NOT_ENDED',
  'DAY_OUT_OF_ORDER',
])

/** Settings that the services require but that have no effect in a simulation. */
export const SIMULATION_SETTINGS: ServiceSettings = {
  version: 'simulation',
  publicUrl: 'http://localhost',
  browserRpcUrl: 'http://localhost',
  explorerUrl: null,
  confirmations: 1,
  demoWallets: null,
  signer: NO_SIGNER,
  navsGoStale: false,
  transfersLimited: false,
  membersSign: false,
}

/**
 * Runs a scenario through the services on an empty, migrated database, with the clock of the events, and
 * returns the lines of the result. Throws ScenarioError for an event that cannot be simulated.
 */
export async function simulate(db: Db, events: readonly ScenarioEvent[], plan: Plan): Promise<ResultLine[]> {
  let clock = events[0]?.at ?? new Date(0)
  const services = createServices({
    db,
    now: () => clock,
    log: createLogger({ level: 'silent' }),
    chain: simulatedChain(),
    settings: SIMULATION_SETTINGS,
  })
  const members = new Map<string, NamedMember>()
  const products = new Map<string, bigint>()
  const trace: Trace[] = []
  const actions = createActions({ services, members, products, trace })

  await services.plans.ensureDefault(db, plan)
  await services.settlement.begin(dayOf(clock.getTime()))
  /** Carries out arrivals and payouts at their due times, before any event at or after them. */
  async function catchUp(by: Date): Promise<void> {
    for (;;) {
      const arrival = await services.savings.nextArrival()
      const payout = await services.fund.payouts.nextDue(db, clock)
      const next = [arrival, payout].filter((at) => at !== null && at <= by).sort((a, b) => +a! - +b!)[0]
      if (next == null) break
      clock = next
      await services.savings.arriveDue()
      await services.fund.payouts.payDue(db)
    }
    clock = by
  }
  for (const event of events) {
    await catchUp(event.at)
    await carryOut(services, { actions, trace }, event)
    // A redemption that waits for cash is paid right after the event that provides enough of it.
    await services.fund.payouts.payDue(db)
  }
  const people = [...members.values()]
  return [
    ...(await rewardLines(services, people, trace)),
    ...(await memberLines(services, people)),
    await totalsLine(services, products),
  ]
}

/** Carries out one event completely or not at all, and adds its results to the trace. */
async function carryOut(
  { db, settlement }: Services,
  { actions, trace }: { actions: Actions; trace: Trace[] },
  event: ScenarioEvent,
): Promise<void> {
  const { line } = event
  try {
    if (event.type === 'close_day') {
      // Settlement uses several transactions of its own.
      const { settled } = await settlement.settle(event.day)
      if (settled) trace.push({ settledDay: event.day })
      return
    }
    const action = actions[event.type] as (dbTx: Db, event: ScenarioEvent) => Promise<void>
    await inTx(db, (dbTx) => action(dbTx, event))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (!REFUSALS.has(error.code)) throw new ScenarioError(line, `cannot be carried out: ${error.code}`)
    trace.push({ refused: error.code, line })
  }
}
