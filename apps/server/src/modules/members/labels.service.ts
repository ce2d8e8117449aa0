import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { Label } from './labels.repository.ts'
import * as repository from './labels.repository.ts'
import type { PlacementService } from './placement/placement.service.ts'

export type { Label }

/** The maximum number of a member's labels and pins. The app reads all of them at once. */
export const MAX_LABELS = 500

/** Creates the service of a member's private names and pins for members of the own team. */
export function createLabelsService({ now, placement }: { now: Now; placement: PlacementService }) {
  async function requireInTree(db: Db, memberId: bigint, aboutId: bigint): Promise<void> {
    if (aboutId === memberId) return
    if ((await placement.sideBelow(db, memberId, aboutId)) === undefined) {
      throw new AppError('MEMBER_NOT_FOUND')
    }
  }

  return {
    all: repository.allLabels,
    containing: repository.labelsContaining,
    /** Returns a member's names for some members. */
    named: repository.labelsOf,

    /**
     * Sets the label of a member of the own team or of oneself, or deletes it when it has neither name nor pin. Throws
     * MEMBER_NOT_FOUND for other members, TOO_MANY_LABELS above `MAX_LABELS`.
     */
    async set(db: Db, memberId: bigint, note: Label): Promise<void> {
      await requireInTree(db, memberId, note.aboutId)
      if (note.label === '' && !note.pinned) return repository.removeLabel(db, memberId, note.aboutId)
      // Two concurrent calls may exceed the limit by one, which is harmless: it only keeps the response small.
      if ((await repository.count(db, memberId)) >= MAX_LABELS) {
        const labels = await repository.allLabels(db, memberId)
        if (!labels.some(({ aboutId }) => aboutId === note.aboutId)) throw new AppError('TOO_MANY_LABELS')
      }
      await repository.putLabel(db, memberId, note, now())
    },

    /** Deletes a label with its pin, if it exists. Throws FORBIDDEN for the own node. */
    async delete(db: Db, memberId: bigint, aboutId: bigint): Promise<void> {
      if (aboutId === memberId) throw new AppError('FORBIDDEN')
      await repository.removeLabel(db, memberId, aboutId)
    },
  }
}
