import { isDay, isMicrosText, parseMicros } from '@rif/rules'
import { z } from 'zod'

/** A line that is not an event of the format. The run stops before any event is carried out. */
export class ScenarioError extends Error {
  /** `line` counts from 1, blank lines included. */
  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`)
  }
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/
const INTEGER = /^-?\d+$/
const ADDRESS = /^0x[0-9a-fA-F]{40}$/

const time = z
  .string()
  .refine(isTime, 'must be an ISO time in UTC with at most milliseconds, such as "2026-01-30T08:00:00.001Z"')
  .transform((text) => new Date(text))
const day = z.string().refine(isDay, 'must be a day such as "2026-01-30"')
const amount = z
  .string()
  .refine(isMicrosText, 'must be a decimal text with at most 6 decimals, such as "12.5"')
  .transform(parseMicros)
const asset = z.enum(['USDT', 'AMC', 'RIF', 'VC', 'DIV'])
const name = z.string().min(1)
/** Of any size: the rules refuse amounts out of range. A bigint is an integer that a number would round. */
const integer = z.custom<number | bigint>(
  (value) => typeof value === 'bigint' || Number.isInteger(value),
  'must be an integer',
)
const units = integer.transform((value) => BigInt(value))
const count = integer.transform(Number)
const decision = z.enum(['approve', 'reject'])

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), at: time, ...shape })

/** The events of the format. Further fields are ignored. */
const anyEvent = z.discriminatedUnion('type', [
  event('price', { asset, usdt: amount }),
  event('join', { member: name, sponsor: name.nullable(), side: z.enum(['left', 'right', 'auto']) }),
  event('order', { member: name, package: z.string(), hash_power: z.boolean() }),
  event('grant', { member: name, asset, amount }),
  event('attest', { pool: z.enum(['yield_pool', 'savings_pool', 'dividend_pool']), asset, amount }),
  event('management', { member: name, action: z.enum(['pause', 'resume']) }),
  event('transfer', { from: name, to: name, asset, amount }),
  event('withdraw', { member: name, asset, amount, to: z.string().nullish() }),
  event('withdraw_review', { member: name, decision }),
  event('withdraw_cancel', { member: name }),
  event('claim', { member: name }),
  event('savings', { member: name, asset, amount, direction: z.enum(['in', 'out']) }),
  event('exchange', { member: name, to: asset, amount }),
  event('fund_product', {
    name,
    nav: amount,
    minimum_usd: amount,
    lock_days: count,
    subscription_ppm: count,
    redemption_ppm: count,
    management_ppm: count,
  }),
  event('fund_invest', { product: name, amount }),
  event('fund_valuation', { product: name, value: amount }),
  event('fund_divest', { product: name, amount, left: amount }),
  event('treasury', { from: z.enum(['revenue', 'fees']), asset, amount }),
  event('fund_buy', { member: name, product: name, units }),
  event('fund_redeem', { member: name, product: name, units }),
  event('fund_review', { member: name, product: name, decision }),
  event('fund_income_out', { member: name, amount }),
  event('close_day', { day }),
])

type AnyEvent = z.infer<typeof anyEvent>

/** An event and the number of its line. */
export type ScenarioEvent = AnyEvent & { readonly line: number }
export type EventType = AnyEvent['type']
export type EventOf<Type extends EventType> = Extract<ScenarioEvent, { type: Type }>

/**
 * Parses a scenario with one JSON object per line, in time order. Throws ScenarioError at the first malformed
 * line.
 */
export function parseScenario(text: string): ScenarioEvent[] {
  const events: ScenarioEvent[] = []
  for (const [index, source] of text.split('\n').entries()) {
    if (source.trim() === '') continue
    const parsed = parseLine(index + 1, source)
    const last = events.at(-1)
    if (last !== undefined && parsed.at < last.at) {
      throw new ScenarioError(parsed.line, `at: lies before line ${last.line}`)
    }
    events.push(parsed)
  }
  checkReceivers(events)
  return events
}

function parseLine(line: number, source: string): ScenarioEvent {
  let json: unknown
  try {
    json = JSON.parse(source, exactInteger)
  } catch (error) {
    throw new ScenarioError(line, `no JSON: ${(error as Error).message}`)
  }
  const result = anyEvent.safeParse(withoutSideOfRoot(json))
  if (result.success) return { ...result.data, line }
  const { path, message } = result.error.issues[0]!
  throw new ScenarioError(line, path.length > 0 ? `${path.join('.')}: ${message}` : message)
}

/** Keeps an integer that a number would round. */
function exactInteger(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value)
  const source = context?.source ?? ''
  return isRounded && INTEGER.test(source) ? BigInt(source) : value
}

/** The root has no side, so its value is ignored. */
function withoutSideOfRoot(json: unknown): unknown {
  const isRoot = typeof json === 'object' && json !== null && 'sponsor' in json && json.sponsor === null
  return isRoot ? { ...json, side: 'auto' } : json
}

/** A withdrawal goes to an address, or to the member's own name. All names are known only at the end. */
function checkReceivers(events: readonly ScenarioEvent[]): void {
  const names = new Set(events.flatMap((event) => (event.type === 'join' ? event.member : [])))
  for (const event of events) {
    if (event.type !== 'withdraw' || event.to == null || event.to === event.member) continue
    if (names.has(event.to)) throw new ScenarioError(event.line, "to: must not be another member's name")
    if (!ADDRESS.test(event.to))
      throw new ScenarioError(event.line, 'to: must be an address, 0x and 40 hex digits')
  }
}

function isTime(text: string): boolean {
  if (!TIME.test(text)) return false
  const parsed = new Date(text)
  // An invalid day or hour would silently become a later one.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().slice(0, 19) === text.slice(0, 19)
}
