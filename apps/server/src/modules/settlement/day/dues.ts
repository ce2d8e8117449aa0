import {
  type ManagementContribution,
  type Micros,
  managementContributions,
  type Plan,
  releasePart,
  settleManagement,
  settlePairing,
  staticDue,
  termsOfLevel,
} from '@rif/rules'
import { createRows, type Rows } from './columns.ts'
import { type Members, NOBODY } from './tree.ts'

/** The amounts due of one class as columns; each place is a reward. Values are positive, in micro-units. */
export interface Dues {
  count: number
  readonly member: Int32Array
  /** The order of the package, or 0. */
  readonly orderId: BigInt64Array
  readonly level: Uint8Array
  readonly base: BigInt64Array
  readonly ratioPpm: Int32Array
  readonly value: BigInt64Array
  readonly flushed: BigInt64Array
}

/** Paid packages, by member and then in the order of payment. */
export type Packages = Rows<{
  member: Int32Array
  orderId: BigInt64Array
  level: Uint8Array
  price: BigInt64Array
  paidSoFar: BigInt64Array
}>

export function createPackages(): Packages {
  const micros = () => new BigInt64Array()
  const member = new Int32Array()
  return createRows({
    ...{ member, orderId: micros(), level: new Uint8Array(), price: micros(), paidSoFar: micros() },
  })
}

function createDues(capacity: number): Dues {
  const micros = () => new BigInt64Array(capacity)
  return {
    ...{ count: 0, member: new Int32Array(capacity), orderId: micros(), level: new Uint8Array(capacity) },
    ...{ base: micros(), ratioPpm: new Int32Array(capacity), value: micros(), flushed: micros() },
  }
}

interface Due {
  readonly member: number
  readonly orderId?: bigint
  readonly level: number
  readonly baseMicros: bigint
  readonly ratioPpm: number
  readonly valueMicros: bigint
  readonly flushedMicros?: bigint
}

function push(dues: Dues, due: Due): void {
  const place = dues.count++
  dues.member[place] = due.member
  dues.orderId[place] = due.orderId ?? 0n
  dues.level[place] = due.level
  dues.base[place] = due.baseMicros
  dues.ratioPpm[place] = due.ratioPpm
  dues.value[place] = due.valueMicros
  dues.flushed[place] = due.flushedMicros ?? 0n
}

/**
 * Computes a day's pairing and deducts matched amounts from the carries. `ownDayCaps` are members' own caps
 * besides their level's. Rules, section 5.3.
 */
export function pairingDues(
  { count, level, carryLeft, carryRight }: Members,
  ownDayCaps: ReadonlyMap<number, Micros>,
  plan: Plan,
): Dues {
  const dues = createDues(count)
  for (let member = 0; member < count; member++) {
    if (carryLeft[member] === 0n || carryRight[member] === 0n) continue
    const pairing = settlePairing(
      {
        carryLeftMicros: carryLeft[member]!,
        carryRightMicros: carryRight[member]!,
        level: level[member]!,
        ownDayCapMicros: ownDayCaps.get(member) ?? null,
      },
      plan,
    )
    carryLeft[member] = pairing.carryLeftMicros
    carryRight[member] = pairing.carryRightMicros
    if (pairing.valueMicros > 0n) {
      push(dues, { ...pairing, member, level: level[member]!, baseMicros: pairing.matchedMicros })
    }
  }
  return dues
}

/** Adds the share of a member's paid pairing reward to the management bases above. Rules, section 5.5. */
export function addManagementBases(
  { sponsor, level, manageBase }: Members,
  member: number,
  paidMicros: bigint,
  plan: Plan,
): void {
  const sponsors: { memberId: number; valid: boolean }[] = []
  let above = sponsor[member]!
  while (above !== NOBODY && sponsors.length < plan.management.generationPpm.length) {
    sponsors.push({ memberId: above, valid: level[above]! > 0 })
    above = sponsor[above]!
  }
  const contributions: ManagementContribution<number>[] = managementContributions(paidMicros, sponsors, plan)
  for (const { memberId, amountMicros } of contributions) {
    manageBase[memberId] = manageBase[memberId]! + amountMicros
  }
}

/** Computes a month's management; the bases of members who have not paused restart. Rules, section 5.5. */
export function managementDues(
  { count, level, manageBase }: Members,
  paused: ReadonlySet<number>,
  plan: Plan,
): Dues {
  const dues = createDues(count)
  for (let member = 0; member < count; member++) {
    const baseMicros = manageBase[member]!
    if (baseMicros === 0n) continue
    const settled = settleManagement(baseMicros, paused.has(member), plan)
    manageBase[member] = settled.nextBaseMicros
    if (settled.valueMicros > 0n) push(dues, { ...settled, member, level: level[member]!, baseMicros })
  }
  return dues
}

/** Computes a day's static rewards on packages paid before it, one for each. Rules, section 5.4. */
export function staticDues(packages: Packages, plan: Plan): Dues {
  const dues = createDues(packages.count)
  for (let place = 0; place < packages.count; place++) {
    const level = packages.level[place]!
    const priceMicros = packages.price[place]!
    const staticPpm = termsOfLevel(plan, level)!.staticPpm
    const valueMicros = staticDue(
      { priceMicros, staticPpm, paidSoFarMicros: packages.paidSoFar[place]! },
      plan,
    )
    if (valueMicros === 0n) continue
    push(dues, {
      ...{ member: packages.member[place]!, orderId: packages.orderId[place]!, level },
      ...{ baseMicros: priceMicros, ratioPpm: staticPpm, valueMicros },
    })
  }
  return dues
}

/** The locked AMC of rewards, of which a part is released every day. */
export type Locked = Rows<{ member: Int32Array; amc: BigInt64Array; parts: Int32Array }>

export const createLocked = (): Locked =>
  createRows({ member: new Int32Array(), amc: new BigInt64Array(), parts: new Int32Array() })

/**
 * Returns the release of a day by member: an equal part of every reward under release, and the remainder of
 * those that end. `begun` are the rewards of the previous day, `ending` those whose last part is due; all in
 * between are in `release`, which is updated. Rules, section 6.
 */
export function settleReleases({ count, release }: Members, begun: Locked, ending: Locked): BigInt64Array {
  for (let place = 0; place < begun.count; place++) {
    const [member, parts] = [begun.member[place]!, begun.parts[place]!]
    if (parts > 1) release[member] = release[member]! + releasePart(begun.amc[place]!, 1, parts)
  }
  const released = new BigInt64Array(count)
  for (let place = 0; place < ending.count; place++) {
    const [member, parts] = [ending.member[place]!, ending.parts[place]!]
    const amcMicros = ending.amc[place]!
    if (parts > 1) release[member] = release[member]! - releasePart(amcMicros, 1, parts)
    released[member] = released[member]! + releasePart(amcMicros, parts, parts)
  }
  for (let member = 0; member < count; member++) released[member] = released[member]! + release[member]!
  return released
}
