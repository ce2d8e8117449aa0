import {
  type Micros,
  mul,
  PAYMENT_ASSETS,
  type PaymentAsset,
  type Plan,
  type Ppm,
  savingsDue,
  savingsPrincipal,
  savingsRatePpm,
} from '@rif/rules'
import { addRow, createRows, type DayColumn, firstOf, type Rows } from './columns.ts'

/** A member's savings of one asset at the end of the day before, and the amount transferred out on the day. */
export interface Saved {
  readonly member: number
  readonly asset: PaymentAsset
  readonly savedMicros: Micros
  readonly outMicros: Micros
}

/** The members with interest due of one asset, in the order of joining. */
type InterestRows = Rows<{ member: Int32Array; principal: BigInt64Array; due: BigInt64Array }>

/** The interest due by asset. */
export type Interest = Readonly<Record<PaymentAsset, InterestRows>>

export function createInterest(): Interest {
  const rows = () =>
    createRows({ member: new Int32Array(), principal: new BigInt64Array(), due: new BigInt64Array() })
  return { USDT: rows(), AMC: rows() }
}

/** Adds a day's interest on a member's savings, unless none is due. Rules, section 9. */
export function addInterest(interest: Interest, { member, asset, ...saved }: Saved, plan: Plan): void {
  const principalMicros = savingsPrincipal(saved)
  const dueMicros = savingsDue(principalMicros, savingsRatePpm(asset, plan))
  if (dueMicros === 0n) return
  const rows = interest[asset]
  const place = addRow(rows)
  rows.member[place] = member
  rows.principal[place] = principalMicros
  rows.due[place] = dueMicros
}

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

/** Pays a day's savings interest by asset; assets without interest due are left out. Rules, section 9. */
export function interestOf(interest: Interest, plan: Plan, cover: CoverInterest): InterestWork[] {
  return PAYMENT_ASSETS.flatMap((asset): InterestWork[] => {
    const { count, member, principal, due } = interest[asset]
    if (count === 0) return []
    const used = <C extends DayColumn>(column: C) => firstOf(column, count)
    const dues = {
      asset,
      ratePpm: savingsRatePpm(asset, plan),
      member: used(member),
      principal: used(principal),
      due: used(due),
    }
    const coveragePpm = cover(dues)
    return [{ ...dues, paid: dues.due.map((dueMicros) => mul(dueMicros, coveragePpm)) }]
  })
}
