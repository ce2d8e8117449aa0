import { type Micros, min, mul, type Ppm } from './money.ts'
import { type Plan, termsOfLevel } from './plan.ts'

/** The carries and the level of a member at the end of a day, and the member's own lower cap if set. */
export interface PairingInput {
  readonly carryLeftMicros: Micros
  readonly carryRightMicros: Micros
  readonly level: number
  readonly ownDayCapMicros: Micros | null
}

/** The pairing settlement of a member for a day. A positive `valueMicros` is recorded as a reward; the carries always change. */
export interface Pairing {
  readonly matchedMicros: Micros
  readonly ratioPpm: Ppm
  readonly valueMicros: Micros
  readonly flushedMicros: Micros
  readonly carryLeftMicros: Micros
  readonly carryRightMicros: Micros
}

/** Returns the daily pairing cap of a member (`day_top_profit`): that of the level, or the member's own if lower; 0 at level 0. Rules, section 5. */
export function pairingDayCap(level: number, ownDayCapMicros: Micros | null, plan: Plan): Micros {
  const capMicros = termsOfLevel(plan, level)?.pairingDayCapMicros ?? 0n
  return ownDayCapMicros === null ? capMicros : min(capMicros, ownDayCapMicros)
}

/** Matches both sides and caps the reward; the excess is flushed. Rules, section 5.3. */
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
