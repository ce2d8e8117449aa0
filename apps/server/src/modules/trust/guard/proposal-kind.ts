import type { ProposalPayload } from '@rif/api-schema'
import { AppError } from '../../../lib/errors.ts'
import { change, type Kind, says } from '../../proposal-kind.ts'
import type { Guard } from './guard.service.ts'

/** Clears the differences that keep the gate closed, as shown to both admins. Rules, section 13. */
export function guardClearKind({ guard }: { guard: Guard }): Kind<ProposalPayload<'guard_clear'>> {
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(db) {
      const differences = await guard.openDifferences(db)
      if (differences.length === 0) throw new AppError('NOTHING_TO_REVIEW')
      return {
        subject: 'guard/difference',
        summary: `Clear ${differences.length} difference(s) of the books, so that money moves again`,
        headline: says('guard_clear', { count: `${differences.length}` }),
        difference: differences.map(({ check, subject, expected, actual }) =>
          change(check, `expected ${expected}`, `is ${actual}`, subject),
        ),
      }
    },
    apply: (dbTx, _payload, actors) => guard.clear(dbTx, actors),
  }
}
