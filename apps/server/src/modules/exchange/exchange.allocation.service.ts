import { allotLaunch, dayOf } from '@rif/rules'
import { type Db, inTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { LedgerLine, LedgerService } from '../books/ledger/ledger.service.ts'
import type { Allotments, LaunchRow } from './exchange.launches.repository.ts'
import * as repository from './exchange.launches.repository.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly ledger: LedgerService
  /** The number of members allotted in one transaction, which holds their locks. */
  readonly membersAtOnce?: number
}

const MEMBERS_AT_ONCE = 1_000

export type Allocation = ReturnType<typeof createAllocation>

/**
 * Creates the allocation of closed launches, in three steps: the sum of all subscriptions is stored; members
 * are allotted, some in each transaction; the launch is marked. A killed or second process continues from the
 * stored state. Rules, section 11; docs/decisions/0008-exchange.md.
 */
export function createAllocation({ db, now, log, ledger, membersAtOnce = MEMBERS_AT_ONCE }: Deps) {
  /** Stores the sum that every allotment depends on. Returns undefined if the launch is already allocated. */
  async function fix(launchId: bigint): Promise<LaunchRow | undefined> {
    return inTx(db, async (dbTx) => {
      // A subscription holds the launch's row until it is committed.
      const launch = (await repository.lockLaunch(dbTx, launchId, 'exclusive'))!
      if (launch.state !== 'Approved') return undefined
      if (launch.subscribed_micros !== null) return launch
      const subscribed = await repository.subscribedNow(dbTx, [launchId])
      await dbTx
        .updateTable('vc_launches')
        .set({ subscribed_micros: `${subscribed.get(launchId) ?? 0n}`, fixed_at: now() })
        .where('launch_id', '=', launchId)
        .execute()
      return repository.findLaunch(dbTx, launchId)
    })
  }

  /** Allots some members of a fixed launch. Returns false when none is left. */
  async function allotNext(launch: LaunchRow): Promise<boolean> {
    const { launch_id: launchId } = launch
    return inTx(db, async (dbTx) => {
      const next = await repository.unallotted(dbTx, launchId, { limit: membersAtOnce })
      if (next.length === 0) return false
      const memberIds = next.map((item) => item.memberId)
      await ledger.lock(dbTx, { memberIds })
      // Another process may have allotted them while this one waited for their heads.
      const left = await repository.unallotted(dbTx, launchId, { memberIds })
      if (left.length > 0) await allot(dbTx, launch, left)
      return true
    })
  }

  async function allot(
    dbTx: Db,
    launch: LaunchRow,
    subscriptions: readonly { memberId: bigint; vcMicros: bigint }[],
  ): Promise<void> {
    const { launch_id: launchId } = launch
    const subscribedMicros = BigInt(launch.subscribed_micros!)
    const offer = { allocationMicros: launch.allocation_micros, priceMicros: launch.price_micros }
    const allotted = subscriptions.map(({ vcMicros }) => allotLaunch(offer, vcMicros, subscribedMicros))
    const columns: Allotments = {
      memberIds: subscriptions.map((subscription) => subscription.memberId),
      units: allotted.map((item) => item.unitsMicros),
      spent: allotted.map((item) => item.spentMicros),
      returned: allotted.map((item) => item.returnedMicros),
    }
    const at = now()
    await ledger.postAll(
      dbTx,
      columns.memberIds.map((memberId, index) => ({
        key: `vc-launch/${launchId}/allocation`,
        kind: 'vc_allocation',
        cause: { type: 'vc-launch', id: `${launchId}` },
        accountingDay: dayOf(at.getTime()),
        at,
        lines: linesOf(memberId, columns.spent[index]!, columns.returned[index]!),
      })),
    )
    await repository.writeAllotments(dbTx, launchId, columns, at)
  }

  async function allocate(launchId: bigint): Promise<void> {
    const launch = await fix(launchId)
    if (launch === undefined) return
    while (await allotNext(launch)) {}
    await db
      .updateTable('vc_launches')
      .set({ state: 'Allocated', allocated_at: now() })
      .where('launch_id', '=', launchId)
      .where('state', '=', 'Approved')
      .execute()
    log.info({ launchId: `${launchId}` }, 'VC launch allocated')
  }

  return {
    /** Allocates every launch that has ended. Any number of processes may run it at the same time. */
    async run(): Promise<void> {
      for (const launchId of await repository.endedLaunches(db, now())) await allocate(launchId)
    },
  }
}

/** Returns the lines that pay an allotment out of `locked`. */
function linesOf(memberId: bigint, spent: bigint, returned: bigint): LedgerLine[] {
  const line = { memberId, asset: 'VC', source: 'locked' } as const
  return [
    { ...line, destination: 'revenue' as const, amountMicros: spent },
    { ...line, destination: 'available' as const, amountMicros: returned },
  ].filter(({ amountMicros }) => amountMicros > 0n)
}
