import type { AuditedDeparture } from '@rif/api-schema'
import type { Wanted } from '../proposals/use-proposals.tsx'

/** The maximum of one proposal. */
const MOST_TOGETHER = 200

/** A proposal of a bulk action, with its subjects. */
export interface PrepareStep {
  readonly items: readonly AuditedDeparture[]
  readonly wanted: Wanted
}

/**
 * Returns the proposals for a selection: small ones of a kind together, each large one separately, as the
 * rules require.
 */
export function prepareSteps(selection: readonly AuditedDeparture[], approve: boolean): PrepareStep[] {
  return (['withdrawal', 'transfer'] as const).flatMap((is) => {
    const alike = selection.filter((item) => item.is === is)
    const small = alike.filter(({ bulk }) => bulk)
    const groups = [
      ...Array.from({ length: Math.ceil(small.length / MOST_TOGETHER) }, (_, place) =>
        small.slice(place * MOST_TOGETHER, (place + 1) * MOST_TOGETHER),
      ),
      ...alike.filter(({ bulk }) => !bulk).map((item) => [item]),
    ]
    return groups.map((items) => ({ items, wanted: wantedOf(items, approve) }))
  })
}

/** Returns the proposal that decides on withdrawals, or on transfers. */
export function wantedOf(items: readonly AuditedDeparture[], approve: boolean): Wanted {
  if (items[0]?.is === 'transfer') {
    const transfers = items.map(({ member_id, id }) => ({ member_id, transfer_id: id }))
    return { kind: 'transfers', payload: { approve, transfers } }
  }
  const withdrawals = items.map(({ member_id, id }) => ({ member_id, withdraw_id: id }))
  return { kind: 'withdrawals', payload: { approve, withdrawals } }
}

/** Reports whether a departure waits for a prepared decision. */
export const isFree = ({ status, proposal_id: id }: AuditedDeparture) => status === 'Auditing' && id === null

/**
 * Returns the pending ones that are small enough to be decided together, and have no risk except a new
 * address.
 */
export const clearOnes = (items: readonly AuditedDeparture[]) =>
  items.filter(
    (item) => isFree(item) && item.bulk && item.reasons.every((reason) => reason === 'new_address'),
  )
