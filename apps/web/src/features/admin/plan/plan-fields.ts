import { formatMicros, isMicrosText, type PlanProblem, parseMicros } from '@rif/rules'
import { formatDecimal, formatExact, type Translate } from '../../../lib/index.ts'

/** A plan in the JSON form of `@rif/rules`, possibly with texts that are not valid figures yet. */
export type Figures = Readonly<Record<string, unknown>>

/** The unit of a figure. */
type FigureUnit = 'percent' | 'usdt' | 'token' | 'count' | 'minutes' | 'hours' | 'text'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const MILLIS_OF = { minutes: MINUTE_MS, hours: HOUR_MS } as const
const IN_HOURS = ['savings.slowDelayMs', 'fund.navMaxAgeMs', 'fund.payoutDelayMs', 'leaving.savedDelayMs']

/** Returns the unit in which a figure is shown and typed, by its path: `packages[0].referralPpm`. */
export function unitOf(path: string): FigureUnit {
  const name = path.replace(/\[\d+\]$/, '')
  if (name.endsWith('Ppm')) return 'percent'
  if (name.endsWith('Ms')) return IN_HOURS.includes(name) ? 'hours' : 'minutes'
  if (name.endsWith('.name')) return 'text'
  if (/\.(copies|level|releaseParts|approvers)$/.test(name)) return 'count'
  return path === 'transfer.minimum' ? 'token' : 'usdt'
}

/** Reports whether figures of a unit are amounts of money. */
export const isMoney = (unit: FigureUnit) => unit === 'usdt' || unit === 'token'

/**
 * Returns a figure as the value of its field: `100000` ppm are "10", `1800000` ms are "30". An invalid figure
 * is unchanged.
 */
export function planFieldText(path: string, value: unknown): string {
  const unit = unitOf(path)
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    if (unit === 'percent') return plain(formatMicros(BigInt(value) * 100n))
    if (unit === 'minutes' || unit === 'hours') {
      return plain(formatMicros((BigInt(value) * 1_000_000n) / BigInt(MILLIS_OF[unit])))
    }
  }
  if (typeof value === 'string' && unit !== 'text' && isMicrosText(value)) return plain(value)
  return String(value)
}

/** Reads a figure from the value of its field; a refused one stays a text, and the rules report its problem. */
export function figureOf(path: string, text: string): unknown {
  const unit = unitOf(path)
  if (unit === 'text') return text
  if (!isMicrosText(text)) return text
  if (unit === 'usdt' || unit === 'token') return formatMicros(parseMicros(text))
  return wholeOf(parseMicros(text) * FACTORS[unit]) ?? text
}

const FACTORS = { percent: 10_000n, minutes: BigInt(MINUTE_MS), hours: BigInt(HOUR_MS), count: 1n } as const

/** Returns micro-units as a whole number; null for fractions. */
function wholeOf(micros: bigint): number | null {
  return micros % 1_000_000n === 0n ? Number(micros / 1_000_000n) : null
}

/** Returns a decimal without trailing zeros. */
const plain = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** Returns every figure of a plan by its path, in the order of the plan. */
export function leavesOf(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map([[path, value]])
  const nameOf = (name: string) => {
    if (Array.isArray(value)) return `${path}[${name}]`
    return path === '' ? name : `${path}.${name}`
  }
  return new Map(Object.entries(value).flatMap(([name, part]) => [...leavesOf(part, nameOf(name))]))
}

/** Returns the plan with another figure at a path. */
export function withFigure(figures: Figures, path: string, value: unknown): Figures {
  return change(figures, stepsOf(path), () => value) as Figures
}

/** Returns the plan with a longer or a shorter list at a path. */
export function withList(
  figures: Figures,
  path: string,
  edit: (list: readonly unknown[]) => unknown[],
): Figures {
  return change(figures, stepsOf(path), (list) => edit(Array.isArray(list) ? list : [])) as Figures
}

const stepsOf = (path: string) => path.split(/[.[\]]+/).filter((step) => step !== '')

function change(
  value: unknown,
  [step, ...rest]: readonly string[],
  edit: (value: unknown) => unknown,
): unknown {
  if (step === undefined) return edit(value)
  if (Array.isArray(value)) {
    return value.map((part, index) => (index === Number(step) ? change(part, rest, edit) : part))
  }
  const record = value as Record<string, unknown>
  return { ...record, [step]: change(record[step], rest, edit) }
}

/** Returns the paths at which two plans differ: those of the second, then those that only the first has. */
export function changedPaths(before: Figures, after: Figures): string[] {
  const [old, next] = [leavesOf(before), leavesOf(after)]
  const paths = [...new Set([...next.keys(), ...old.keys()])]
  return paths.filter((path) => old.get(path) !== next.get(path))
}

const FIGURES = [
  ...(['name', 'level', 'price', 'copies', 'referralPpm', 'organisationPpm'] as const),
  ...(['staticPpm', 'pairingPpm', 'pairingDayCap', 'hashRatePpm', 'usdtSharePpm'] as const),
  ...(['quoteValidityMs', 'commissionSharePpm', 'releaseParts', 'staticCapPpm', 'generationPpm'] as const),
  ...(['from', 'ratePpm', 'feePpm', 'minimumFee', 'auditAbove', 'dayLimit', 'usdtRatePpm'] as const),
  ...(['amcRatePpm', 'fastUpTo', 'fastDelayMs', 'slowDelayMs', 'minimum', 'incomePpm'] as const),
  ...(['navMaxAgeMs', 'payoutDelayMs', 'signAbove', 'savingsFree', 'reviewNewAbove'] as const),
  ...(['savedDelayMs', 'severalAbove', 'approvers'] as const),
] as const

/** The sections of the plan, in the order of the page. */
export const SECTIONS = [
  ...(['packages', 'order', 'reward', 'management', 'withdrawal', 'savings', 'transfer'] as const),
  ...(['leaving', 'approval', 'fund'] as const),
] as const
export type PlanSection = (typeof SECTIONS)[number]

const PATH = /^([a-zA-Z]+)(?:\[(\d+)\])?\.?([a-zA-Z]*)(?:\[(\d+)\])?\.?([a-zA-Z]*)$/

/** Returns the name of a figure; null for a path outside the plan. */
export function figureName(t: Translate, path: string): string | null {
  const [, section, first, name, second, last] = PATH.exec(path) ?? []
  const figureKey = FIGURES.find((figure) => figure === (last || name))
  if (figureKey === undefined || !SECTIONS.some((item) => item === section)) return null
  const index = first ?? second
  const text = t(`adminPlan.figure.${figureKey}`)
  if (index === undefined) return text
  const place = Number(index)
  if (figureKey === 'dayLimit') return t('adminPlan.ofLevel', { name: text, level: place })
  if (section === 'packages') return t('adminPlan.ofLevel', { name: text, level: place + 1 })
  if (figureKey === 'generationPpm') return t('adminPlan.ofGeneration', { name: text, number: place + 1 })
  return t('adminPlan.ofRank', { name: text, rank: `M${place + 1}` })
}

/** Returns the section of the page that holds a figure. */
export const sectionOf = (path: string): PlanSection | undefined =>
  SECTIONS.find(
    (section) => path === section || path.startsWith(`${section}.`) || path.startsWith(`${section}[`),
  )

/** Returns the unit to show behind a figure; empty if it has none. */
export function unitText(t: Translate, path: string): string {
  const unit = unitOf(path)
  if (unit === 'percent') return '%'
  if (unit === 'usdt') return 'USDT'
  if (unit === 'minutes' || unit === 'hours') return t(`adminPlan.unit.${unit}`)
  return ''
}

/** Returns a figure with its unit, "10 %" or "1,500.00 USDT". */
export function figureText(t: Translate, path: string, value: unknown): string {
  const unit = unitText(t, path)
  const isAmount = isMoney(unitOf(path)) && typeof value === 'string' && isMicrosText(value)
  const text = isAmount ? formatExact(value) : formatDecimal(planFieldText(path, value))
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

/** Returns the text of a figure's problem. */
export function planProblemText(t: Translate, { code, values, path }: PlanProblem): string {
  if (code === 'pool_share') {
    return t('adminPlan.problem.pool_share', {
      missing: formatDecimal(planFieldText('order.commissionSharePpm', values.missing)),
    })
  }
  if (code in ALIKE) return t(`adminPlan.problem.${ALIKE[code as keyof typeof ALIKE]}`, { path })
  return t(`adminPlan.problem.${code as Exclude<typeof code, keyof typeof ALIKE | 'pool_share'>}`, values)
}
