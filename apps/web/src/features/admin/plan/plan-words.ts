import type { PlanProblem } from '@rif/rules'
import type { Translate } from '../../../lib/index.ts'
import { textOf, unitOf } from './plan-fields.ts'

const FIGURES = [
  ...(['name', 'level', 'price', 'copies', 'referralPpm', 'organisationPpm'] as const),
  ...(['staticPpm', 'pairingPpm', 'pairingDayCap', 'hashRatePpm', 'usdtSharePpm'] as const),
  ...(['quoteValidityMs', 'commissionSharePpm', 'releaseParts', 'staticCapPpm', 'generationPpm'] as const),
  ...(['from', 'ratePpm', 'feePpm', 'minimumFee', 'auditAbove', 'dayLimit', 'usdtRatePpm'] as const),
  ...(['amcRatePpm', 'fastUpTo', 'fastDelayMs', 'slowDelayMs', 'minimum', 'incomePpm'] as const),
  ...(['navMaxAgeMs', 'payoutDelayMs'] as const),
] as const

/** The sections of the plan, in the order of the page. */
export const SECTIONS = [
  ...(['packages', 'order', 'reward', 'management', 'withdrawal', 'savings', 'transfer', 'fund'] as const),
] as const
export type PlanSection = (typeof SECTIONS)[number]

const PATH = /^([a-zA-Z]+)(?:\[(\d+)\])?\.?([a-zA-Z]*)(?:\[(\d+)\])?\.?([a-zA-Z]*)$/

/** What a figure is called; null for a path that is none of the plan. */
export function figureName(t: Translate, path: string): string | null {
  const [, section, first, name, second, last] = PATH.exec(path) ?? []
  const known = FIGURES.find((figure) => figure === (last || name))
  if (known === undefined || !SECTIONS.some((one) => one === section)) return null
  const index = first ?? second
  const text = t(`adminPlan.figure.${known}`)
  if (index === undefined) return text
  const place = Number(index)
  if (known === 'dayLimit') return t('adminPlan.ofLevel', { name: text, level: place })
  if (section === 'packages') return t('adminPlan.ofLevel', { name: text, level: place + 1 })
  if (known === 'generationPpm') return t('adminPlan.ofGeneration', { name: text, number: place + 1 })
  return t('adminPlan.ofRank', { name: text, rank: `M${place + 1}` })
}

/** Where a figure stands on the page: its section. */
export const sectionOf = (path: string): PlanSection | undefined =>
  SECTIONS.find(
    (section) => path === section || path.startsWith(`${section}.`) || path.startsWith(`${section}[`),
  )

/** The unit of a figure behind its number; empty where it has none. */
export function unitText(t: Translate, path: string): string {
  const unit = unitOf(path)
  if (unit === 'percent') return '%'
  if (unit === 'usdt') return 'USDT'
  if (unit === 'minutes' || unit === 'hours') return t(`adminPlan.unit.${unit}`)
  return ''
}

/** A figure with its unit, "10 %". */
export function figureText(t: Translate, path: string, value: unknown): string {
  const unit = unitText(t, path)
  const text = textOf(path, value)
  return unit === '' ? text : `${text} ${unit}`
}

const ALIKE = {
  not_amount: 'not_a_number',
  not_integer: 'not_a_number',
  not_text: 'empty',
  not_list: 'unreadable',
  not_object: 'unreadable',
  unknown: 'unreadable',
} as const

/** What is wrong with a figure, in words. */
export function problemText(t: Translate, { code, values, path }: PlanProblem): string {
  if (code === 'pool_share') {
    return t('adminPlan.problem.pool_share', { missing: textOf('order.commissionSharePpm', values.missing) })
  }
  if (code in ALIKE) return t(`adminPlan.problem.${ALIKE[code as keyof typeof ALIKE]}`, { path })
  return t(`adminPlan.problem.${code as Exclude<typeof code, keyof typeof ALIKE | 'pool_share'>}`, values)
}
