import {
  type ManagementContribution,
  type Micros,
  managementContributions,
  type Plan,
  settleManagement,
  settlePairing,
  staticDue,
  termsOfLevel,
} from '@rif/rules'
import { addRow, createRows, type Rows } from './columns.ts'
import { NOBODY, type TreeMembers } from './tree.ts'

/** The amounts due of one class as columns; each place is a reward. Values are positive, in micro-units. */
export type Dues = Rows<{
  member: Int32Array
  /** The order of the package, or 0. */
  orderId: BigInt64Array
  level: Uint8Array
  base: BigInt64Array
  ratioPpm: Int32Array
  value: BigInt64Array
  flushed: BigInt64Array
}>

export function createDues(): Dues {
  const micros = () => new BigInt64Array()
  return createRows({
    member: new Int32Array(),
    orderId: micros(),
    level: new Uint8Array(),
    base: micros(),
    ratioPpm: new Int32Array(),
    value: micros(),
    flushed: micros(),
  })
}

/** A paid package; `paidSoFarMicros` are the static rewards that were paid on it. */
export interface Package {
  readonly member: number
  readonly orderId: bigint
  readonly level: number
  readonly priceMicros: Micros
  readonly paidSoFarMicros: Micros
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
  const place = addRow(dues)
  dues.member[place] = due.member
  if (due.orderId !== undefined) dues.orderId[place] = due.orderId
  dues.level[place] = due.level
  dues.base[place] = due.baseMicros
  dues.ratioPpm[place] = due.ratioPpm
  dues.value[place] = due.valueMicros
  if (due.flushedMicros !== undefined) dues.flushed[place] = due.flushedMicros
}

/**
 * Computes a day's pairing and deducts matched amounts from the carries. `ownDayCaps` are members' own caps
 * besides their level's. Rules, section 5.3.
 */
export function pairingDues(
  { count, level, carryLeft, carryRight, isWritten }: TreeMembers,
  ownDayCaps: ReadonlyMap<number, Micros>,
  plan: Plan,
): Dues {
  const dues = createDues()
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
    isWritten[member] = 1
    if (pairing.valueMicros > 0n) {
      push(dues, { ...pairing, member, level: level[member]!, baseMicros: pairing.matchedMicros })
    }
  }
  return dues
}

/** Adds the share of a member's paid pairing reward to the management bases above. Rules, section 5.5. */
export function addManagementBases(
  { sponsor, level, manageBase, isWritten }: TreeMembers,
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
    isWritten[memberId] = 1
  }
}

/** Computes a month's management; the bases of members who have not paused restart. Rules, section 5.5. */
export function managementDues(
  { count, level, manageBase, isWritten }: TreeMembers,
  paused: ReadonlySet<number>,
  plan: Plan,
): Dues {
  const dues = createDues()
  for (let member = 0; member < count; member++) {
    const baseMicros = manageBase[member]!
    if (baseMicros === 0n) continue
    const settled = settleManagement(baseMicros, paused.has(member), plan)
    manageBase[member] = settled.nextBaseMicros
    isWritten[member] = 1
    if (settled.valueMicros > 0n) push(dues, { ...settled, member, level: level[member]!, baseMicros })
  }
  return dues
}

/** Adds the static reward of a day on a package that was paid before it, unless nothing is due. Rules, section 5.4. */
export function addStaticDue(dues: Dues, paid: Package, plan: Plan): void {
  const { member, orderId, level, priceMicros, paidSoFarMicros } = paid
  const { staticPpm } = termsOfLevel(plan, level)!
  const valueMicros = staticDue({ priceMicros, staticPpm, paidSoFarMicros }, plan)
  if (valueMicros === 0n) return
  push(dues, { member, orderId, level, baseMicros: priceMicros, ratioPpm: staticPpm, valueMicros })
}
