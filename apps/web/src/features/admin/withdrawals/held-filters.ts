import {
  type DepartureState,
  departureState,
  type RiskReason,
  type RouteInput,
  riskReason,
} from '@rif/api-schema'

const SORTS = ['all', 'withdrawal', 'transfer'] as const
const ASSETS = ['all', 'USDT', 'AMC'] as const
const ORDERS = ['oldest', 'newest', 'largest'] as const

/** The filters of the list of withdrawals and transfers; empty texts and null narrow nothing. */
export interface HeldFilters {
  readonly state: DepartureState
  readonly is: (typeof SORTS)[number]
  readonly asset: (typeof ASSETS)[number]
  readonly risk: RiskReason | null
  readonly order: (typeof ORDERS)[number]
  /** The smallest USDT worth. */
  readonly least: string
  /** UTC days of the request, both included. */
  readonly from: string
  readonly to: string
  /** A number, or the start of a member's or a receiver's address. */
  readonly text: string
}

export const ALL_HELD: HeldFilters = {
  ...{ state: 'open', is: 'all', asset: 'all', risk: null, order: 'newest' },
  ...{ least: '', from: '', to: '', text: '' },
}

const NARROWING = ['is', 'asset', 'risk', 'least', 'from', 'to'] as const

const has = (options: readonly string[], value: unknown) => options.some((option) => option === value)

/** Checks filters that were kept by the browser. */
export function isHeldFilters(value: unknown): value is HeldFilters {
  if (typeof value !== 'object' || value === null) return false
  const one = value as Readonly<Record<keyof HeldFilters, unknown>>
  return (
    has(departureState.options, one.state) &&
    has(SORTS, one.is) &&
    has(ASSETS, one.asset) &&
    (one.risk === null || has(riskReason.options, one.risk)) &&
    has(ORDERS, one.order) &&
    [one.least, one.from, one.to, one.text].every((text) => typeof text === 'string')
  )
}

const AMOUNT = /^[0-9]{1,12}(\.[0-9]{1,6})?$/

/** Returns the query of the list. An amount that is still being typed narrows nothing. */
export function queryOf(filters: HeldFilters): RouteInput<'auditQueue'>['query'] {
  const { state, is, asset, risk, order, least, from, to, text } = filters
  return {
    ...{ state, order },
    ...(is !== 'all' && { is }),
    ...(asset !== 'all' && { asset }),
    ...(risk !== null && { risk }),
    ...(AMOUNT.test(least) && { least }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
    ...(text.trim() !== '' && { q: text.trim() }),
  }
}

/** Returns the number of filters that narrow the list beside state and search text. */
export const countFilters = (filters: HeldFilters) =>
  NARROWING.filter((name) => filters[name] !== ALL_HELD[name]).length
