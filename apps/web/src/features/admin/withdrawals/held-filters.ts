import type { AuditedDeparture, RiskReason } from '@rif/api-schema'
import { parseMicros } from '@rif/rules'

const SORTS = ['all', 'withdrawal', 'transfer'] as const
const STATES = ['all', 'toCheck', 'proposed'] as const
const ORDERS = ['oldest', 'largest'] as const

/** The filters of the queue of withdrawals and transfers. */
export interface HeldFilters {
  readonly is: (typeof SORTS)[number]
  readonly state: (typeof STATES)[number]
  readonly asset: 'all' | 'USDT' | 'AMC'
  /** Only those with this risk; null for all. */
  readonly risk: RiskReason | null
  readonly order: (typeof ORDERS)[number]
  /** A number, or the start of a member's or a receiver's address. */
  readonly text: string
}

export const ALL_HELD: HeldFilters = {
  ...{ is: 'all', state: 'all', asset: 'all', risk: null, order: 'oldest', text: '' },
}

/** Checks filters that were kept by the browser. */
export function isHeldFilters(value: unknown): value is HeldFilters {
  if (typeof value !== 'object' || value === null) return false
  const one = value as Record<string, unknown>
  return (
    SORTS.some((name) => name === one['is']) &&
    STATES.some((name) => name === one['state']) &&
    ['all', 'USDT', 'AMC'].some((name) => name === one['asset']) &&
    (one['risk'] === null || typeof one['risk'] === 'string') &&
    ORDERS.some((name) => name === one['order']) &&
    typeof one['text'] === 'string'
  )
}

/** Returns the entries that match, in the chosen order. */
export function filterHeld(items: readonly AuditedDeparture[], filters: HeldFilters): AuditedDeparture[] {
  const found = items.filter(
    (one) =>
      (filters.is === 'all' || one.is === filters.is) &&
      (filters.state === 'all' || (one.proposal_id !== null) === (filters.state === 'proposed')) &&
      (filters.asset === 'all' || one.asset === filters.asset) &&
      (filters.risk === null || one.reasons.includes(filters.risk)) &&
      matches(one, filters.text.trim().toLowerCase()),
  )
  return filters.order === 'oldest'
    ? found
    : found.toSorted((a, b) => (parseMicros(b.worth_usdt) > parseMicros(a.worth_usdt) ? 1 : -1))
}

function matches({ id, member_id, member_address, to }: AuditedDeparture, text: string): boolean {
  if (text === '') return true
  const names = [id, `#${id}`, `w-${id}`, member_id, member_address, to]
  return names.some((name) => name.toLowerCase().startsWith(text))
}
