import type { AdminPending } from '@rif/api-schema'
import { dayOf, isNavStale, nextDay, previousDay, startOfDay } from '@rif/rules'
import { indexerStatus } from '../../../chain/indexer/position.ts'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import { SETTLEMENT_LATE_MS, type SettlementService } from '../../settlement/settlement.service.ts'
import * as repository from './analytics.pending.repository.ts'

type Item = AdminPending['items'][number]

/** Kinds that block money or members. */
const ALARMS: ReadonlySet<Item['kind']> = new Set(['paused', 'redemption_cash', 'unmatched_claim'])
/** The limits beyond which the indexer is late: blocks behind, and time since the last poll of the chain. */
const MAX_LAG_BLOCKS = 600n
const MAX_POLL_AGE_MS = 60_000

interface Deps {
  readonly now: Now
  readonly plans: PlansService
  readonly settlement: Pick<SettlementService, 'nextToSettle'>
  readonly chainId: number
}

/** Creates the service of the items that need an admin, and of alarms. */
export function createPending({ now, plans, settlement, chainId }: Deps) {
  async function settlementItems(db: Db): Promise<{ items: Item[]; settledTo: string | null }> {
    const next = await settlement.nextToSettle()
    if (next === null) return { items: [], settledTo: null }
    const items: Item[] = []
    const ended = startOfDay(nextDay(next))
    const late = now().getTime() - ended
    if (late > SETTLEMENT_LATE_MS) {
      items.push({
        kind: 'settlement_late',
        severity: 'alarm',
        subject: next,
        count: Math.floor(late / 86_400_000) + 1,
        oldest_at: new Date(ended).toISOString(),
      })
    }
    const settledTo = previousDay(next)
    const classes = await repository.uncovered(db, settledTo)
    if (classes.length > 0) {
      items.push({
        kind: 'settlement_uncovered',
        severity: 'waiting',
        subject: classes.join(' '),
        count: classes.length,
        oldest_at: new Date(startOfDay(next)).toISOString(),
      })
    }
    return { items, settledTo }
  }

  async function staleNavs(db: Db): Promise<Item[]> {
    const at = now().getTime()
    const [plan, products] = await Promise.all([plans.planAt(db, dayOf(at)), repository.investedProducts(db)])
    return products
      .filter(({ valuedAt }) => isNavStale({ isInvested: true, valuedAtMs: valuedAt.getTime() }, at, plan))
      .map(({ name, valuedAt }) => ({
        kind: 'nav_stale',
        severity: 'alarm',
        count: 1,
        subject: name,
        oldest_at: valuedAt.toISOString(),
      }))
  }

  async function indexerItems(db: Db): Promise<{ items: Item[]; lag: number | null }> {
    const status = await indexerStatus(db, chainId)
    if (status === null) return { items: [], lag: null }
    const isOld = now().getTime() - status.polledAt.getTime() > MAX_POLL_AGE_MS
    const lag = Number(status.lagBlocks)
    if (!status.halted && !isOld && status.lagBlocks <= MAX_LAG_BLOCKS) return { items: [], lag }
    const item: Item = {
      kind: 'indexer',
      severity: 'alarm',
      count: 1,
      oldest_at: status.polledAt.toISOString(),
      subject: status.lastError,
    }
    return { items: [item], lag }
  }

  return {
    /** Returns the waiting items, alarms first, then by age. */
    async pending(db: Db): Promise<AdminPending> {
      const [waiting, settled, navs, indexer] = await Promise.all([
        repository.waiting(db, now()),
        settlementItems(db),
        staleNavs(db),
        indexerItems(db),
      ])
      const items: Item[] = [
        ...waiting.map(
          ({ kind, count, oldestAt }): Item => ({
            kind,
            count,
            severity: ALARMS.has(kind) ? 'alarm' : 'waiting',
            oldest_at: oldestAt.toISOString(),
            subject: null,
          }),
        ),
        ...settled.items,
        ...navs,
        ...indexer.items,
      ]
      const rank = ({ severity, oldest_at }: Item) => `${severity === 'alarm' ? 0 : 1}${oldest_at ?? ''}`
      items.sort((item, other) => (rank(item) < rank(other) ? -1 : 1))
      return { items, settled_to: settled.settledTo, indexer_lag_blocks: indexer.lag }
    },
  }
}
