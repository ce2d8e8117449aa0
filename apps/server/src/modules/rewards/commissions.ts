import {
  beginCommissions,
  climbSponsorLine,
  dayOf,
  levelAfterPayment,
  MICRO,
  type Micros,
  type Plan,
  type SponsorLineMember,
} from '@rif/rules'
import type { Db } from '../../db/database.ts'
import type { MembersService, UplineMember } from '../members/members.service.ts'
import type { Batch, DueReward } from './batch.ts'

/** The facts of a paid order that its commissions depend on. */
export interface CommissionedOrder {
  readonly buyerId: bigint
  readonly orderId: bigint
  readonly baseMicros: Micros
  readonly amcPriceMicros: Micros
  readonly line: readonly SponsorLineMember<bigint>[]
  readonly plan: Plan
  readonly at: Date
  /** The key of the batch, unique for ever. */
  readonly batch: string
}

/** Returns the commissions of an order as a batch due. */
export function commissionsOf(order: CommissionedOrder): Batch {
  const walk = climbSponsorLine(beginCommissions<bigint>(order.baseMicros), order.line, order.plan)
  const levels = new Map(order.line.map((member) => [member.memberId, member.level]))
  return {
    class: 'commission',
    key: order.batch,
    cause: { type: 'order', id: `${order.orderId}` },
    amcPriceMicros: order.amcPriceMicros,
    plan: order.plan,
    day: dayOf(order.at.getTime()),
    at: order.at,
    rewards: walk.commissions.map(
      (commission): DueReward => ({
        type: commission.kind,
        memberId: commission.memberId,
        sourceMemberId: order.buyerId,
        orderId: order.orderId,
        level: levels.get(commission.memberId)!,
        baseMicros: order.baseMicros,
        ratioPpm: commission.ratioPpm,
        valueMicros: commission.valueMicros,
        flushedMicros: 0n,
      }),
    ),
  }
}

/**
 * The part of a sponsor line that an order's commissions depend on, nearest first, and the members that they
 * can reach.
 */
export interface CommissionLine {
  readonly members: readonly SponsorLineMember<bigint>[]
  readonly receiverIds: readonly bigint[]
}

/** The sponsor lines of many buyers, whose levels rise as their orders are collected one after the other. */
export interface CommissionLines {
  /** Returns a buyer's line as far up as commissions can reach. */
  of(dbTx: Db, buyerId: bigint): Promise<CommissionLine>
  /** Raises a buyer's level by a collected order. */
  raise(buyerId: bigint, packageLevel: number): void
  /** Returns the lines in their initial state. */
  afresh(): CommissionLines
}

/**
 * The number of sponsors read at once. Most members who receive a commission are among them; the rest of a
 * long line is read when needed.
 */
const STEPS = 12

/** Reads the sponsor lines of buyers. The caller holds the placement lock: levels and validity change only under it. */
export async function readCommissionLines(
  { upline }: Pick<MembersService, 'upline'>,
  dbTx: Db,
  buyerIds: readonly bigint[],
  plan: Plan,
): Promise<CommissionLines> {
  const uplineById = new Map<bigint, UplineMember>()
  const read = async (db: Db, ids: readonly bigint[]) => {
    for (const member of await upline(db, ids, STEPS)) uplineById.set(member.memberId, member)
  }
  await read(dbTx, [...new Set(buyerIds)])

  function afresh(): CommissionLines {
    const raised = new Map<bigint, UplineMember>()
    const now = (memberId: bigint) => raised.get(memberId) ?? uplineById.get(memberId)!
    return {
      afresh,
      async of(db, buyerId) {
        const line: UplineMember[] = []
        // The receivers do not depend on the base.
        let walk = beginCommissions<bigint>(MICRO)
        let next = now(buyerId).sponsorId
        while (next !== null && !walk.done) {
          if (!uplineById.has(next)) await read(db, [next])
          const member = now(next)
          walk = climbSponsorLine(walk, [member], plan)
          line.push(member)
          next = member.sponsorId
        }
        return { members: line, receiverIds: walk.commissions.map(({ memberId }) => memberId) }
      },
      raise(buyerId, packageLevel) {
        const buyer = now(buyerId)
        const level = levelAfterPayment(buyer.level, packageLevel)
        raised.set(buyerId, { ...buyer, level, valid: true })
      },
    }
  }
  return afresh()
}
