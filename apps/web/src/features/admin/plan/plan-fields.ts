import { formatMicros, isMicrosText, parseMicros } from '@rif/rules'

/** A plan in the JSON form of `@rif/rules`, perhaps with texts in it that are no figures yet. */
export type Figures = Readonly<Record<string, unknown>>

/** What a figure is counted in. */
export type FigureUnit = 'percent' | 'usdt' | 'token' | 'count' | 'minutes' | 'hours' | 'text'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const MILLIS_OF = { minutes: MINUTE_MS, hours: HOUR_MS } as const
const IN_HOURS = ['savings.slowDelayMs', 'fund.navMaxAgeMs', 'fund.payoutDelayMs']

/** The unit in which a figure is shown and typed, by its path: `packages[0].referralPpm`. */
export function unitOf(path: string): FigureUnit {
  const name = path.replace(/\[\d+\]$/, '')
  if (name.endsWith('Ppm')) return 'percent'
  if (name.endsWith('Ms')) return IN_HOURS.includes(name) ? 'hours' : 'minutes'
  if (name.endsWith('.name')) return 'text'
  if (/\.(copies|level|releaseParts)$/.test(name)) return 'count'
  return path === 'transfer.minimum' ? 'token' : 'usdt'
}

/** A figure as it is typed: `100000` ppm are "10", `1800000` ms are "30". What is no figure stands as it is. */
export function textOf(path: string, value: unknown): string {
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

/** What a text comes to in the plan; a text that is none stays one, and the rules say what is wrong with it. */
export function figureOf(path: string, text: string): unknown {
  const unit = unitOf(path)
  if (unit === 'text') return text
  const typed = text.trim().replace(',', '.')
  if (!isMicrosText(typed)) return typed
  if (unit === 'usdt' || unit === 'token') return formatMicros(parseMicros(typed))
  return wholeOf(parseMicros(typed) * FACTORS[unit]) ?? typed
}

const FACTORS = { percent: 10_000n, minutes: BigInt(MINUTE_MS), hours: BigInt(HOUR_MS), count: 1n } as const

/** Micro-units as a whole number; null for a part of one. */
function wholeOf(micros: bigint): number | null {
  return micros % 1_000_000n === 0n ? Number(micros / 1_000_000n) : null
}

/** A decimal without the zeros at its end. */
const plain = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** Every figure of a plan by its path, in the order of the plan. */
export function leavesOf(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map([[path, value]])
  const nameOf = (name: string) => {
    if (Array.isArray(value)) return `${path}[${name}]`
    return path === '' ? name : `${path}.${name}`
  }
  return new Map(Object.entries(value).flatMap(([name, part]) => [...leavesOf(part, nameOf(name))]))
}

/** The plan with another figure at a path. */
export function withFigure(figures: Figures, path: string, value: unknown): Figures {
  return change(figures, stepsOf(path), () => value) as Figures
}

/** The plan with a longer or a shorter list at a path. */
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

/** The paths at which two plans differ: those of the second, then those that only the first has. */
export function changedPaths(before: Figures, after: Figures): string[] {
  const [old, next] = [leavesOf(before), leavesOf(after)]
  const paths = [...new Set([...next.keys(), ...old.keys()])]
  return paths.filter((path) => old.get(path) !== next.get(path))
}
