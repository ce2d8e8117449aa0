import { PAUSE_AREAS, type ProposalPayload } from '@rif/api-schema'
import { change, type Kind, says } from '../../proposal-kind.ts'
import type { OpeningService } from './opening.service.ts'

/** Opens a product on a real chain, once all first steps are done. Decision 11. */
export function openingKind({ opening }: { opening: OpeningService }): Kind<ProposalPayload<'opening'>> {
  return {
    prepare: 'owner',
    decide: 'owner',
    people: 2,
    async preview(db, payload) {
      await opening.requireReady(db, payload)
      const { backup, terms } = payload
      return {
        subject: 'opening',
        summary: `Open the product: members may sign up and pay from now on. Restored backup: ${backup}. Terms read: ${terms}`,
        headline: says('opening', {}),
        difference: [
          ...PAUSE_AREAS.map((area) => change('state', 'paused', 'running', area)),
          change('backup', null, backup),
          change('terms', null, terms),
        ],
      }
    },
    apply: (dbTx, payload, actors) => opening.open(dbTx, payload, actors),
  }
}
