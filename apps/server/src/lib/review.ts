import { AppError } from './errors.ts'

/** What one admin prepared and another decides on. Rules, section 12. */
export interface Prepared {
  readonly state: string
  readonly preparedBy: string
}

/** An admin's decision; whoever prepared it may reject it, and never approve it. */
export interface Review {
  readonly approve: boolean
  readonly actor: string
}

/**
 * Whether an admin may decide on something, whose row is locked. Throws NOT_FOUND, NOTHING_TO_REVIEW when it was decided
 * before, and FORBIDDEN when whoever prepared it approves it.
 */
export function requireReviewable<Row extends Prepared>(
  row: Row | undefined,
  { approve, actor }: Review,
): asserts row is Row {
  if (row === undefined) throw new AppError('NOT_FOUND')
  if (row.state !== 'Prepared') throw new AppError('NOTHING_TO_REVIEW')
  if (approve && row.preparedBy === actor) throw new AppError('FORBIDDEN')
}
