import { addDays, type Day, type PaymentAsset } from '@rif/rules'
import type { DemoPurchase } from '../cast.ts'

const [DAY_MS, HOUR_MS, MINUTE_MS] = [86_400_000, 3_600_000, 60_000]

/** The assets with a published price. */
export type PriceAsset = 'AMC' | 'RIF'

/** A purchase and its time, in ms after the beginning of the first day. */
export interface DatedPurchase extends DemoPurchase {
  readonly day: number
  readonly atMs: number
}

/** An event, with amounts as members choose them: a share of their balance, in millionths. */
export type Happening =
  | { readonly do: 'join'; readonly name: string }
  | { readonly do: 'order'; readonly purchase: DatedPurchase }
  | { readonly do: 'price'; readonly asset: PriceAsset; readonly price: string }
  | {
      readonly do: 'revenue'
      readonly pool: Pool
      readonly asset: PaymentAsset
      readonly amount: string
      readonly source: string
    }
  | {
      readonly do: 'save'
      readonly member: string
      readonly asset: PaymentAsset
      readonly sharePpm: bigint
      readonly direction: 'in' | 'out'
    }
  | {
      readonly do: 'withdraw'
      readonly member: string
      readonly sharePpm: bigint
      readonly outcome: 'claim' | 'reject'
    }
  | { readonly do: 'transfer'; readonly from: string; readonly to: string; readonly sharePpm: bigint }
  | { readonly do: 'exchange'; readonly member: string; readonly to: 'DIV' | 'VC'; readonly rif: string }
  | { readonly do: 'pause' | 'resume' }
  | FundHappening

export type FundHappening =
  | { readonly do: 'openProducts' | 'listCustodian' | 'acceptCustodian' | 'sellSome' }
  | { readonly do: 'announce'; readonly product: number }
  | { readonly do: 'execute' }
  | { readonly do: 'value'; readonly changesPpm: readonly bigint[] }
  | { readonly do: 'buyUnits'; readonly member: string; readonly product: number; readonly sharePpm: bigint }
  | { readonly do: 'redeem'; readonly member: string; readonly product: number; readonly sharePpm: bigint }

export type Pool = 'yield_pool' | 'savings_pool' | 'dividend_pool'

/** An event at a time, in ms after the beginning of the first day. */
export type HistoryEvent = Happening & { readonly atMs: number }

/** The days of a history, counted from 0, and the special ones among them. */
export interface Frame {
  readonly days: number
  /** The day with number 0. */
  readonly firstDay: Day
  /** The day without sales of packages; -1 in a history without such a day. */
  readonly pausedDay: number
  /** The day of each member's sign-up, by name. */
  readonly joined: ReadonlyMap<string, number>
}

/** Returns a time of a day with a number. */
export const at = (day: number, hour: number, minute = 0) =>
  day * DAY_MS + hour * HOUR_MS + minute * MINUTE_MS

/** Returns the ISO weekday, 1 for Monday, of a day with a number. */
export function weekdayOf({ firstDay }: Pick<Frame, 'firstDay'>, day: number): number {
  return new Date(addDays(firstDay, day)).getUTCDay() || 7
}

/** Returns a day or, where it is on a weekend, on most of which nobody is active, one of the next days. */
export function workdayFrom(frame: Pick<Frame, 'firstDay'>, day: number): number {
  const weekday = weekdayOf(frame, day)
  return weekday > 5 ? day + 8 - weekday : day
}
