import { type Micros, mul, type Ppm } from './money.ts'
import type { Plan } from './plan.ts'

/** What a paid pairing reward adds to one member's management base. */
export interface ManagementContribution<Id> {
  readonly memberId: Id
  readonly amountMicros: Micros
}

/** A member's month of management. There is a reward record where `valueMicros` is positive; `nextBaseMicros` is the base afterwards. */
export interface ManagementSettlement {
  readonly rank: number
  readonly ratioPpm: Ppm
  readonly valueMicros: Micros
  readonly nextBaseMicros: Micros
}

/**
 * What one pairing reward adds to the management bases above its receiver. `sponsors` is the receiver's sponsor line,
 * nearest first, as of the end of the day; an invalid member gets nothing but is a generation all the same. Rules, section 5.5.
 */
export function managementContributions<Id>(
  paidMicros: Micros,
  sponsors: readonly { readonly memberId: Id; readonly valid: boolean }[],
  plan: Plan,
): ManagementContribution<Id>[] {
  return plan.management.generationPpm.flatMap((sharePpm, generation) => {
    const sponsor = sponsors[generation]
    const amountMicros = mul(paidMicros, sharePpm)
    return sponsor?.valid && amountMicros > 0n ? [{ memberId: sponsor.memberId, amountMicros }] : []
  })
}

/** The rank that a base reaches, 0 below M1 (`manage_level`), and its rate. Rules, section 5.5. */
export function managementRank(baseMicros: Micros, plan: Plan): { rank: number; ratePpm: Ppm } {
  const { ranks } = plan.management
  const rank = ranks.filter((candidate) => baseMicros >= candidate.fromMicros).length
  return { rank, ratePpm: ranks[rank - 1]?.ratePpm ?? 0 }
}

/** Settles a member's month: a paused member keeps the base, any other is due the rank's rate and starts again. Rules, section 5.5. */
export function settleManagement(baseMicros: Micros, paused: boolean, plan: Plan): ManagementSettlement {
  const { rank, ratePpm } = managementRank(baseMicros, plan)
  if (paused) return { rank, ratioPpm: ratePpm, valueMicros: 0n, nextBaseMicros: baseMicros }
  return { rank, ratioPpm: ratePpm, valueMicros: mul(baseMicros, ratePpm), nextBaseMicros: 0n }
}
