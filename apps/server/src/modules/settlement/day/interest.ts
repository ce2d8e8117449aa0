import {
  mul,
  PAYMENT_ASSETS,
  type PaymentAsset,
  type Plan,
  type Ppm,
  savingsDue,
  savingsPrincipal,
  savingsRatePpm,
} from '@rif/rules'
import { createRows, type Rows } from './columns.ts'

/** The savings of one asset at the end of the day before, and the amounts transferred out on the day. */
export type Saved = Rows<{ member: Int32Array; saved: BigInt64Array; out: BigInt64Array }>

export function createSaved(): Saved {
  return createRows({ member: new Int32Array(), saved: new BigInt64Array(), out: new BigInt64Array() })
}

/** Savings by asset, members in the order of joining. */
export type Savings = Readonly<Record<PaymentAsset, Saved>>

/** The interest due of one asset as columns; each place is a member. Values are positive, in micro-units. */
export interface InterestDues {
  readonly asset: PaymentAsset
  readonly ratePpm: Ppm
  readonly member: Int32Array
  readonly principal: BigInt64Array
  readonly due: BigInt64Array
}

/** A day's computed interest of one asset; payments are in the order of the amounts due. */
export interface InterestWork extends InterestDues {
  readonly paid: BigInt64Array
}

/** Returns the coverage of an asset's interest by its pool. */
export type CoverInterest = (dues: InterestDues) => Ppm

/** Computes a day's savings interest by asset; assets without interest due are left out. Rules, section 9. */
export function interestOf(savings: Savings, plan: Plan, cover: CoverInterest): InterestWork[] {
  return PAYMENT_ASSETS.flatMap((asset): InterestWork[] => {
    const dues = interestDues(asset, savings[asset], savingsRatePpm(asset, plan))
    if (dues.member.length === 0) return []
    const coveragePpm = cover(dues)
    return [{ ...dues, paid: dues.due.map((dueMicros) => mul(dueMicros, coveragePpm)) }]
  })
}

function interestDues(asset: PaymentAsset, savings: Saved, ratePpm: Ppm): InterestDues {
  const member = new Int32Array(savings.count)
  const [principal, due] = [new BigInt64Array(savings.count), new BigInt64Array(savings.count)]
  let count = 0
  for (let place = 0; place < savings.count; place++) {
    const principalMicros = savingsPrincipal({
      savedMicros: savings.saved[place]!,
      outMicros: savings.out[place]!,
    })
    const dueMicros = savingsDue(principalMicros, ratePpm)
    if (dueMicros === 0n) continue
    member[count] = savings.member[place]!
    principal[count] = principalMicros
    due[count++] = dueMicros
  }
  const used = <C extends Int32Array | BigInt64Array>(column: C) => column.subarray(0, count) as C
  return { asset, ratePpm, member: used(member), principal: used(principal), due: used(due) }
}
