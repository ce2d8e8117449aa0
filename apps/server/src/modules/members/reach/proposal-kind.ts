import type { ProposalPayload } from '@rif/api-schema'
import { AppError } from '../../../lib/errors.ts'
import { change, type Kind, says } from '../../proposal-kind.ts'
import { isCountry, type ReachService } from './reach.service.ts'

/** Countries and wallets that are to be refused, or served again. */
export function reachKind({ reach }: { reach: ReachService }): Kind<ProposalPayload<'reach'>> {
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(db, payload) {
      const { list, action, level, reason } = payload
      const values = valuesOf(payload)
      const entryByValue = new Map((await reach.entries(db, list)).map((entry) => [entry.value, entry]))
      const textOf = (entry: { level: string; reason: string } | undefined) =>
        entry === undefined ? 'served' : `${entry.level}: ${entry.reason}`
      const after = action === 'serve' ? undefined : { level, reason }
      const difference = values
        .map((value) => change('service', textOf(entryByValue.get(value)), textOf(after), value))
        .filter((item) => item.before !== item.after)
      const names = values.length > 3 ? `${values.slice(0, 3).join(', ')} ...` : values.join(', ')
      return {
        subject: `reach/${list}`,
        summary: `${action === 'serve' ? 'Serve again' : `Refuse (${level})`} ${values.length} ${list}: ${names}`,
        headline: says(action === 'serve' ? 'reach_served' : 'reach_refused', { list: names }),
        difference,
      }
    },
    apply: (dbTx, payload, { decidedBy }) =>
      reach.change(dbTx, { ...payload, values: valuesOf(payload), approvedBy: decidedBy }),
  }
}

/** Returns the values in their stored form. Throws VALIDATION_FAILED for an invalid country or wallet. */
function valuesOf({ list, values }: ProposalPayload<'reach'>): string[] {
  const stored = values.map((value) => (list === 'countries' ? value.toUpperCase() : value.toLowerCase()))
  const isValid = (value: string) =>
    list === 'countries' ? isCountry(value) : /^0x[0-9a-f]{40}$/.test(value)
  const wrong = stored.find((value) => !isValid(value))
  if (wrong !== undefined) throw new AppError('VALIDATION_FAILED', { field: 'values', problem: wrong })
  return [...new Set(stored)].sort()
}
