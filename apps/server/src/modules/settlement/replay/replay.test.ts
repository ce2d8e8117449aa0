import { addDays, type Day, dayOf, defaultPlan, mul, type Plan, parseMicros } from '@rif/rules'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Db } from '../../../db/database.ts'
import { parseScenario } from '../../../simulate/scenario.ts'
import { simulate } from '../../../simulate/simulation.ts'
import { expectedLines } from '../../../simulate/testing/model.ts'
import type { Terms } from '../../../simulate/testing/model-world.ts'
import { anyScenario } from '../../../simulate/testing/scenarios.ts'
import { runs } from '../../../testing/level.ts'
import { createTestDatabase } from '../../../testing/test-database.ts'
import { createAdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import { createPlansService } from '../../prices/plans/plans.service.ts'
import { rewardHistory } from '../../rewards/history.ts'
import { createSettlementReplays, type ReplayedBooks, type ReplayReward } from './replay.service.ts'

const RUNS = runs({ usual: 1, full: 10 })
/** Across the end of a month; with more scenarios complete ones, which settle a hundred days and more. */
const BEFORE = RUNS === 1 ? '2026-02-03' : '9999'
const now = () => new Date()

type Event = { readonly at: string } & Readonly<Record<string, unknown>>

/** Other rates, caps and shares: they change rewards, but not what members may do. */
const otherPlan: Plan = {
  ...defaultPlan,
  packages: defaultPlan.packages.map((terms, index) => ({
    ...terms,
    referralPpm: terms.referralPpm / 2 + 1,
    organisationPpm: terms.organisationPpm + 5_000 * index,
    staticPpm: terms.staticPpm * 3,
    pairingPpm: terms.pairingPpm * 2,
    pairingDayCapMicros: terms.pairingDayCapMicros / 10n,
  })),
  order: { ...defaultPlan.order, commissionSharePpm: 200_000 },
  reward: { ...defaultPlan.reward, usdtSharePpm: 900_000, staticCapPpm: 50_000 },
  management: {
    generationPpm: [900_000, 100_000],
    ranks: [{ fromMicros: 1_000_000n, ratePpm: 300_000 }],
  },
}

/** Returns a plan in the oracle's format. */
function termsOf({ packages, order, reward, management }: Plan): Terms {
  const byLevel = (figureOf: (terms: Plan['packages'][number]) => number | bigint) => [
    0n,
    ...packages.map((terms) => BigInt(figureOf(terms))),
  ]
  return {
    prices: byLevel(({ priceMicros }) => priceMicros),
    referral: byLevel(({ referralPpm }) => referralPpm),
    organisation: byLevel(({ organisationPpm }) => organisationPpm),
    interest: byLevel(({ staticPpm }) => staticPpm),
    pairing: byLevel(({ pairingPpm }) => pairingPpm),
    pairingCaps: byLevel(({ pairingDayCapMicros }) => pairingDayCapMicros),
    generations: management.generationPpm.map(BigInt),
    ranks: management.ranks.map(({ fromMicros, ratePpm }) => [fromMicros, BigInt(ratePpm)] as const),
    poolShare: BigInt(order.commissionSharePpm),
    usdtShare: BigInt(reward.usdtSharePpm),
    interestCap: BigInt(reward.staticCapPpm),
  }
}

/**
 * Returns the rewards of the oracle in the form of `rewardsOf`; `ids` are the members in the order of
 * joining.
 */
function oracleRewards(events: readonly Event[], plan: Plan, ids: BigInt64Array): string[] {
  const lines = expectedLines([...events], termsOf(plan))
  const names: string[] = lines.filter(({ type }) => type === 'member').map(({ member }) => member)
  return lines
    .filter(({ type }) => type === 'reward')
    .map(({ day, kind, member, value, coverage_ppm, usdt, amc }) => {
      const dueMicros = parseMicros(value)
      const amounts = { usdtMicros: parseMicros(usdt), amcMicros: parseMicros(amc) }
      const paid = { day, kind, dueMicros, paidMicros: mul(dueMicros, coverage_ppm), ...amounts }
      return textOf(paid, ids[names.indexOf(member)]!)
    })
    .sort()
}

/** Gives every event its own moment, and settles every day at the end. */
function whole(events: readonly Event[]): Event[] {
  const early = events.filter(({ at }) => at < BEFORE)
  const apart = early.map((event, index) => ({
    ...event,
    at: new Date(Date.parse(event.at) + index).toISOString(),
  }))
  const last: Day = dayOf(Date.parse(apart.at(-1)!.at))
  const closing: Event[] = []
  const first = apart[0]!.at.slice(0, 10)
  for (let day = first; day <= last; day = addDays(day, 1)) {
    closing.push({ type: 'close_day', at: `${addDays(last, 1)}T00:00:01Z`, day })
  }
  return [...apart, ...closing]
}

/** Runs a scenario through the services, and returns the resulting books. */
async function withBooks<T>(events: readonly Event[], plan: Plan, use: (db: Db) => Promise<T>): Promise<T> {
  const database = await createTestDatabase({ max: 2, role: 'rif_app' })
  try {
    await simulate(database.db, parseScenario(events.map((event) => JSON.stringify(event)).join('\n')), plan)
    return await use(database.db)
  } finally {
    await database.close()
  }
}

async function load(db: Db) {
  const replays = createSettlementReplays({
    plans: createPlansService({ now, adminLog: createAdminLogService({ now }) }),
  })
  const range = await replays.range(db)
  return { replays, books: await replays.load(db, range!.last) }
}

const textOf = (reward: Omit<ReplayReward, 'member' | 'asset'>, memberId: bigint) =>
  [
    reward.day,
    reward.kind,
    memberId,
    reward.dueMicros,
    reward.paidMicros,
    reward.usdtMicros,
    reward.amcMicros,
  ].join(' ')

/** All rewards that a replay pays, without savings interest. */
function rewardsOf(
  { replays, books }: Awaited<ReturnType<typeof load>>,
  planAt: ReplayedBooks['planAt'],
): { rewards: string[]; interest: string[] } {
  const rewards: string[] = []
  const interest: string[] = []
  replays.replay(books, planAt, {
    reward: (reward) =>
      (reward.kind === 'SavingsInterest' ? interest : rewards).push(
        textOf(reward, books.tree.ids[reward.member]!),
      ),
    settled: () => undefined,
  })
  return { rewards: rewards.sort(), interest: interest.sort() }
}

async function recorded(db: Db): Promise<string[]> {
  const history = await rewardHistory(db)
  return history
    .map((reward) => textOf({ ...reward, kind: reward.type, dueMicros: reward.valueMicros }, reward.memberId))
    .sort()
}

async function recordedInterest(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('savings_interest').selectAll().execute()
  return rows
    .map(({ member_id, asset, day, due_micros, paid_micros }) => {
      const paid = { dueMicros: due_micros, paidMicros: paid_micros }
      const amounts = { USDT: 0n, AMC: 0n, [asset]: paid_micros }
      const reward = { day, kind: 'SavingsInterest', ...paid } as const
      return textOf({ ...reward, usdtMicros: amounts.USDT, amcMicros: amounts.AMC }, member_id)
    })
    .sort()
}

describe('replayed books', () => {
  const scenarios = fc.sample(anyScenario, { seed: 7, numRuns: RUNS }) as unknown as Event[][]

  test.each(scenarios.map((events, index) => [index, whole(events)] as const))(
    'come to what they hold, and under another plan to what the simulation of it holds: history %i',
    async (_index, events) => {
      const loaded = await withBooks(events, defaultPlan, async (db) => {
        const replay = await load(db)
        const again = rewardsOf(replay, replay.books.planAt)
        expect(again.rewards).toEqual(await recorded(db))
        expect(again.interest).toEqual(await recordedInterest(db))
        expect(again.rewards.length).toBeGreaterThan(10)
        return replay
      })
      const simulated = await withBooks(events, otherPlan, recorded)
      const { rewards } = rewardsOf(loaded, () => otherPlan)
      expect(rewards).toEqual(simulated)
      expect(rewards).toEqual(oracleRewards(events, otherPlan, loaded.books.tree.ids))
    },
  )
})
