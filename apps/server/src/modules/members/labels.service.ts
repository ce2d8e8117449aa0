import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { PlacementService } from '../placement/placement.service.ts'
import type { Label } from './labels.repository.ts'
import * as repository from './labels.repository.ts'

export type { Label }

/** So many labels and pins a member may have: the app reads all of them at once. */
export const MAX_LABELS = 500

/** A member's private names and pins for members of the own team. They change nothing about anybody's place. */
export function createLabelsService({ now, placement }: { now: Now; placement: PlacementService }) {
  async function requireInTree(db: Db, memberId: bigint, aboutId: bigint): Promise<void> {
    if (aboutId === memberId) return
    if ((await placement.sideBelow(db, memberId, aboutId)) === undefined) {
      throw new AppError('MEMBER_NOT_FOUND')
    }
  }

  return {
    /** All of a member's labels, pins first. */
    all(db: Db, memberId: bigint): Promise<Label[]> {
      return repository.all(db, memberId)
    },

    /** The members in whose labels a text stands, in any case of letters. */
    containing(db: Db, memberId: bigint, text: string): Promise<bigint[]> {
      return repository.containing(db, memberId, text)
    },

    /**
     * Notes something about a member of the own team or oneself; neither a name nor a pin is as good as none. Throws
     * MEMBER_NOT_FOUND for anybody else, TOO_MANY_LABELS above `MAX_LABELS`.
     */
    async set(db: Db, memberId: bigint, note: Label): Promise<void> {
      await requireInTree(db, memberId, note.aboutId)
      if (note.label === '' && !note.pinned) return repository.remove(db, memberId, note.aboutId)
      // Two at once may pass together and exceed the limit by one: it only keeps an answer small.
      if ((await repository.count(db, memberId)) >= MAX_LABELS) {
        const known = await repository.all(db, memberId)
        if (!known.some(({ aboutId }) => aboutId === note.aboutId)) throw new AppError('TOO_MANY_LABELS')
      }
      await repository.put(db, memberId, note, now())
    },

    /** Deletes a label with its pin; one that is not there is deleted all the same. The own node keeps its (FORBIDDEN). */
    async delete(db: Db, memberId: bigint, aboutId: bigint): Promise<void> {
      if (aboutId === memberId) throw new AppError('FORBIDDEN')
      await repository.remove(db, memberId, aboutId)
    },
  }
}
