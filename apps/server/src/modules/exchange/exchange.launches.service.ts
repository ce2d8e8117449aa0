import type { Launch } from '@rif/api-schema'
import {
  dayOf,
  formatMicros,
  isAmount,
  launchCapacity,
  launchPhase,
  type Micros,
  type OneWayWish,
} from '@rif/rules'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import { AppError } from '../../lib/errors.ts'
import { requireMayPutIn } from '../access/gates/gates.service.ts'
import type { LedgerService } from '../books/ledger/ledger.service.ts'
import type { Consent } from '../leaving/leaving.consents.service.ts'
import type { OneWayService } from '../leaving/leaving.one-way.service.ts'
import type { MembersService } from '../members/members.service.ts'
import type { LaunchRow, SubscriptionRow } from './exchange.launches.repository.ts'
import * as repository from './exchange.launches.repository.ts'

/** A member's subscription to a launch. */
export interface Subscription {
  readonly launchId: bigint
  readonly vcMicros: Micros
}

export type Launches = ReturnType<typeof createLaunches>

/**
 * Creates the VC launches as members see and enter them. Rules, section 11; docs/decisions/0008-exchange.md.
 */
export function createLaunches({
  now,
  ledger,
  members,
  oneWay,
}: {
  now: Now
  ledger: LedgerService
  members: MembersService
  oneWay: OneWayService
}) {
  return {
    /** Returns the statement of a subscription that the member's wallet signs. Throws LAUNCH_NOT_FOUND. */
    async wishOf(db: Db, order: Subscription): Promise<OneWayWish> {
      const launch = await repository.findLaunch(db, order.launchId)
      if (launch === undefined || !isPublic(launch)) throw new AppError('LAUNCH_NOT_FOUND')
      return launchWish(launch, order)
    },

    /**
     * Puts VC into an open launch, in addition to earlier amounts; it stays in `locked` until the launch is
     * allocated. VC has no price, so the wallet signs every amount. Throws LAUNCH_NOT_FOUND, LAUNCH_NOT_OPEN,
     * INVALID_AMOUNT, INSUFFICIENT_BALANCE, SIGNATURE_REQUIRED and NONCE_INVALID.
     */
    async subscribe(
      dbTx: Db,
      memberId: bigint,
      { launchId, vcMicros }: Subscription,
      consent?: Consent,
    ): Promise<Launch> {
      const launch = await repository.lockLaunch(dbTx, launchId, 'shared')
      if (launch === undefined || !isPublic(launch)) throw new AppError('LAUNCH_NOT_FOUND')
      await ledger.lock(dbTx, { memberIds: [memberId] })
      await requireMayPutIn(dbTx, memberId, 'exchange')
      // The allocation waits for this lock of the launch, so every subscription in time is counted.
      const at = now()
      // Another process, whose clock is ahead, may have closed it already.
      if (phaseOf(launch, at) !== 'Open' || launch.fixed_at !== null) throw new AppError('LAUNCH_NOT_OPEN')
      if (!isAmount(vcMicros)) throw new AppError('INVALID_AMOUNT')
      const { VC } = await ledger.balances(dbTx, memberId)
      if (VC.available < vcMicros) throw new AppError('INSUFFICIENT_BALANCE')
      const member = await members.get(dbTx, memberId)
      await oneWay.allowSigned(dbTx, member, launchWish(launch, { launchId, vcMicros }), consent)
      const own = await repository.addSubscription(dbTx, { memberId, launchId, vcMicros, at })
      await ledger.post(dbTx, {
        key: `vc-launch/${launchId}/subscription/${own.payments}`,
        kind: 'vc_subscription',
        cause: { type: 'vc-launch', id: `${launchId}` },
        accountingDay: dayOf(at.getTime()),
        at,
        lines: [
          { memberId, asset: 'VC', source: 'available', destination: 'locked', amountMicros: vcMicros },
        ],
      })
      const subscribed = await repository.subscribedNow(dbTx, [launchId])
      return launchView(launch, { at, subscribedMicros: subscribed.get(launchId)!, own })
    },

    /** Returns a page of launches, newest first, with the member's own part of each. */
    async list(
      db: Db,
      memberId: bigint,
      query: { cursor?: string | undefined; limit: number },
    ): Promise<{ items: Launch[]; next: string | null }> {
      const at = now()
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const rows = await repository.listLaunches(db, before, query.limit)
      const running = rows.filter((row) => row.subscribed_micros === null).map((row) => row.launch_id)
      const [subscribed, own] = await Promise.all([
        running.length === 0 ? new Map<bigint, bigint>() : repository.subscribedNow(db, running),
        repository.subscriptionsOf(
          db,
          memberId,
          rows.map((row) => row.launch_id),
        ),
      ])
      return toPage(
        rows,
        query.limit,
        (row) =>
          launchView(row, {
            at,
            subscribedMicros: BigInt(row.subscribed_micros ?? subscribed.get(row.launch_id) ?? 0n),
            own: own.get(row.launch_id),
          }),
        (row) => encodeCursor(row.launch_id),
      )
    },
  }
}

function launchWish({ name }: LaunchRow, { launchId, vcMicros }: Subscription): OneWayWish {
  return { kind: 'vc_subscription', launchId: `${launchId}`, launch: name, amount: formatMicros(vcMicros) }
}

const isPublic = ({ state }: LaunchRow) => state === 'Approved' || state === 'Allocated'

const phaseOf = (row: LaunchRow, at: Date) =>
  launchPhase(
    {
      isAllocated: row.state === 'Allocated',
      startsAtMs: row.starts_at.getTime(),
      endsAtMs: row.ends_at.getTime(),
    },
    at.getTime(),
  )

function launchView(
  row: LaunchRow,
  { at, subscribedMicros, own }: { at: Date; subscribedMicros: Micros; own: SubscriptionRow | undefined },
): Launch {
  const offer = { allocationMicros: row.allocation_micros, priceMicros: row.price_micros }
  return {
    launch_id: `${row.launch_id}`,
    name: row.name,
    introduction: row.introduction,
    allocation: formatMicros(offer.allocationMicros),
    price: formatMicros(offer.priceMicros),
    capacity: formatMicros(launchCapacity(offer)),
    subscribed: formatMicros(subscribedMicros),
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    phase: phaseOf(row, at),
    own: own === undefined ? null : ownView(own),
  }
}

function ownView(own: SubscriptionRow): NonNullable<Launch['own']> {
  const text = (micros: Micros | null) => (micros === null ? null : formatMicros(micros))
  return {
    vc: formatMicros(own.vc_micros),
    units: text(own.units_micros),
    spent: text(own.spent_micros),
    returned: text(own.returned_micros),
    updated_at: own.updated_at.toISOString(),
  }
}
