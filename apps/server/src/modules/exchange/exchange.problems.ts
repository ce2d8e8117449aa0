import type { OfferProblem, OfferProblems } from '@rif/rules'
import { AppError } from '../../lib/errors.ts'

const TEXTS: Readonly<Record<OfferProblem, string>> = {
  amount: 'is not an amount above zero',
  size: 'costs nothing, or more than can be stored',
  missing: 'is missing',
  past: 'has passed',
  order: 'is not after the start',
}

/** Throws what is wrong with an offer first, with its field: INVALID_AMOUNT or VALIDATION_FAILED. */
export function requireSound(problems: OfferProblems<string>): void {
  const [first] = Object.entries(problems) as [string, OfferProblem][]
  if (first === undefined) return
  const [field, problem] = first
  const isAmount = problem === 'amount' || problem === 'size'
  throw new AppError(isAmount ? 'INVALID_AMOUNT' : 'VALIDATION_FAILED', { field, problem: TEXTS[problem] })
}
