import { ONE_PPM } from './money.ts'
import type { Refusal } from './refusal.ts'

/** The problems of a figure, with an English text for readers of plan files. The screens have their own texts. */
const TEXTS = {
  rate: `0 to ${ONE_PPM}`,
  below_whole: 'below 100%',
  count: 'at least 1',
  range: 'out of range',
  packages_count: 'exactly {count}, one per level',
  names_repeat: 'names repeat',
  empty: 'empty',
  level: 'must be {level}',
  price_rising: 'prices are positive and rise with the level',
  too_large: 'too large',
  pool_share: 'less than the highest referral and organisation rates together, by {missing} ppm',
  ranks_count: 'at most {count}',
  rising: 'positive and rising',
  limits_count: 'one for each level 0 to {level}',
  limit_rising: 'in range and not below the limit of a lower level',
  below_fast: 'not below fastDelayMs',
  delay_long: 'at most {days} days',
  positive: 'positive and in range',
  not_amount: 'must be a decimal text such as "100.5"',
  not_integer: 'must be an integer',
  not_text: 'must be a text',
  not_list: 'must be a list',
  not_object: 'must be an object',
  approvers: '1 to {count}',
  unknown: 'unknown',
} as const

export type PlanProblemCode = keyof typeof TEXTS

/** A problem of a plan. */
export interface PlanProblem {
  /** The path in the JSON form of the plan, such as `packages[0].referralPpm`. */
  readonly path: string
  readonly code: PlanProblemCode
  readonly values: Readonly<Record<string, number>>
}

/** The refusal of a plan, with its problems as texts and as data. */
export interface PlanRefusal extends Refusal<'INVALID_PLAN'> {
  readonly problems: readonly string[]
  readonly details: readonly PlanProblem[]
}

export function problem(
  path: string,
  code: PlanProblemCode,
  values: Readonly<Record<string, number>> = {},
): PlanProblem {
  return { path, code, values }
}

export function refusePlan(details: readonly PlanProblem[]): PlanRefusal {
  return { ok: false, code: 'INVALID_PLAN', problems: details.map(textOf), details }
}

function textOf({ path, code, values }: PlanProblem): string {
  return `${path}: ${TEXTS[code].replace(/\{(\w+)\}/g, (_all, name: string) => `${values[name]}`)}`
}
