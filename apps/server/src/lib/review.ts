import { AppError } from './errors.ts'

/** A record that one admin prepared and another decides on. Rules, section 12. */
export interface Prepared {
  readonly state: string
  readonly preparedBy: string
}

/** An admin's decision. The admin who prepared the record may reject it but not approve it. */
export interface Review {
  readonly approve: boolean
  readonly actor: string
}

/**
 * Checks that an admin may decide on a record whose row is locked. Throws NOT_FOUND, NOTHING_TO_REVIEW if it
 * is already decided, and FORBIDDEN if the preparing admin approves it.
 */
export function requireReviewable<Row extends Prepared>(
  row: Row | undefined,
  { approve, actor }: Review,
): asserts row is Row {
  if (row === undefined) throw new AppError('NOT_FOUND')
  if (row.state !== 'Prepared') throw new AppError('NOTHING_TO_REVIEW')
  if (approve && row.preparedBy === actor) throw new AppError('FORBIDDEN')
}
