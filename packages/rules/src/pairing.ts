import { type Micros, min, mul, type Ppm } from './money.ts'
import { type Plan, termsOfLevel } from './plan.ts'

/** A member's pairing at the end of a day: the carries of both sides, the level then, and a lower cap of the member's own if set. */
export interface PairingInput {
  readonly carryLeftMicros: Micros
  readonly carryRightMicros: Micros
  readonly level: number
  readonly ownDayCapMicros: Micros | null
}

/** A member's day of pairing. There is a reward record where `valueMicros` is positive; the carries change in any case. */
export interface Pairing {
  readonly matchedMicros: Micros
  readonly ratioPpm: Ppm
  readonly valueMicros: Micros
  readonly flushedMicros: Micros
  readonly carryLeftMicros: Micros
  readonly carryRightMicros: Micros
}

/** The pairing cap per day that applies to a member (`day_top_profit`): the level's, or the member's own if lower; 0 at level 0. Rules, section 5. */
export function pairingDayCap(level: number, ownDayCapMicros: Micros | null, plan: Plan): Micros {
  const capMicros = termsOfLevel(plan, level)?.pairingDayCapMicros ?? 0n
  return ownDayCapMicros === null ? capMicros : min(capMicros, ownDayCapMicros)
}

/** Matches both sides, caps the reward and says what was flushed. Rules, section 5.3. */
export function settlePairing(input: PairingInput, plan: Plan): Pairing {
  const matchedMicros = min(input.carryLeftMicros, input.carryRightMicros)
  const ratioPpm = termsOfLevel(plan, input.level)?.pairingPpm ?? 0
  const grossMicros = mul(matchedMicros, ratioPpm)
  const valueMicros = min(grossMicros, pairingDayCap(input.level, input.ownDayCapMicros, plan))
  return {
    matchedMicros,
    ratioPpm,
    valueMicros,
    flushedMicros: grossMicros - valueMicros,
    carryLeftMicros: input.carryLeftMicros - matchedMicros,
    carryRightMicros: input.carryRightMicros - matchedMicros,
  }
}
