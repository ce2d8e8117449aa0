import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { Note } from './notes.repository.ts'
import * as repository from './notes.repository.ts'

/** The maximum number of a member's notes. The app reads all of them at once. */
export const MAX_NOTES = 500

/**
 * Creates the service of a member's private notes about addresses. A note moves no money and hides no address, so the wallet
 * does not sign it.
 */
export function createNotesService({ now }: { now: Now }) {
  return {
    all: repository.allNotes,
    containing: repository.notesContaining,

    /**
     * Sets the note about an address in lower case, or deletes it when it is empty. Throws TOO_MANY_NOTES above `MAX_NOTES`.
     * Two concurrent calls may exceed the limit by one, which is harmless: it only keeps the response small.
     */
    async set(db: Db, memberId: bigint, { address, note }: Note): Promise<void> {
      if (note === '') return repository.removeNote(db, memberId, address)
      if (!(await repository.putNote(db, memberId, { address, note, at: now(), most: MAX_NOTES }))) {
        throw new AppError('TOO_MANY_NOTES', { limit: MAX_NOTES })
      }
    },
  }
}
