import { type Micros, mul, type Ppm } from './money.ts'
import type { Plan } from './plan.ts'

/** The amount that a paid pairing reward adds to the management base of one member. */
export interface ManagementContribution<Id> {
  readonly memberId: Id
  readonly amountMicros: Micros
}

/** The management settlement of a member for a month. A positive `valueMicros` is recorded as a reward. */
export interface ManagementSettlement {
  readonly rank: number
  readonly ratioPpm: Ppm
  readonly valueMicros: Micros
  readonly nextBaseMicros: Micros
}

/**
 * Returns the amounts that one pairing reward adds to the management bases of the receiver's sponsor line. `sponsors` is that
 * line at the end of the day, nearest first. An invalid member gets nothing but counts as a generation. Rules, section 5.5.
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

/** Returns the rank of a base (`manage_level`, 0 below M1) and its rate. Rules, section 5.5. */
export function managementRank(baseMicros: Micros, plan: Plan): { rank: number; ratePpm: Ppm } {
  const { ranks } = plan.management
  const rank = ranks.filter((candidate) => baseMicros >= candidate.fromMicros).length
  return { rank, ratePpm: ranks[rank - 1]?.ratePpm ?? 0 }
}

/** Settles the month of a member: a paused member keeps the base; any other is due the rate and restarts at 0. Rules, section 5.5. */
export function settleManagement(baseMicros: Micros, paused: boolean, plan: Plan): ManagementSettlement {
  const { rank, ratePpm } = managementRank(baseMicros, plan)
  if (paused) return { rank, ratioPpm: ratePpm, valueMicros: 0n, nextBaseMicros: baseMicros }
  return { rank, ratioPpm: ratePpm, valueMicros: mul(baseMicros, ratePpm), nextBaseMicros: 0n }
}
