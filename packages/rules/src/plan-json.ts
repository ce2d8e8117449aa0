import { formatMicros, isMicrosText, parseMicros } from './money.ts'
import { defaultPlan, type ManagementRank, type PackageTerms, type Plan } from './plan.ts'
import { type PlanProblem, type PlanRefusal, problem, refusePlan } from './plan-problems.ts'
import { validatePlan } from './plan-validation.ts'

/** Reads and writes one kind of value. Reports values that it cannot read as problems at their path. */
interface Codec<T> {
  read(json: unknown, path: string, problems: PlanProblem[]): T
  write(value: T): unknown
}

const money: Codec<bigint> = {
  read(json, path, problems) {
    if (typeof json === 'string' && isMicrosText(json)) return parseMicros(json)
    problems.push(problem(path, 'not_amount'))
    return 0n
  },
  write: formatMicros,
}

const integer: Codec<number> = {
  read(json, path, problems) {
    if (Number.isSafeInteger(json)) return json as number
    problems.push(problem(path, 'not_integer'))
    return 0
  },
  write: (value) => value,
}

const text: Codec<string> = {
  read(json, path, problems) {
    if (typeof json === 'string') return json
    problems.push(problem(path, 'not_text'))
    return ''
  },
  write: (value) => value,
}

function list<T>(item: Codec<T>): Codec<readonly T[]> {
  return {
    read(json, path, problems) {
      if (Array.isArray(json))
        return json.map((entry, index) => item.read(entry, `${path}[${index}]`, problems))
      problems.push(problem(path, 'not_list'))
      return []
    },
    write: (value) => value.map(item.write),
  }
}

/** Creates the codec of an object with exactly these fields. JSON has amounts in whole units, under names without `Micros`. */
function record<T extends object>(fields: { readonly [Key in keyof T & string]: Codec<T[Key]> }): Codec<T> {
  const keys = Object.keys(fields) as (keyof T & string)[]
  const jsonName = (key: string) => key.replace(/Micros$/, '')
  return {
    read(json, path, problems) {
      const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
      if (!isObject) problems.push(problem(path || 'plan', 'not_object'))
      const source = new Map<string, unknown>(isObject ? Object.entries(json) : [])
      const at = (name: string) => (path === '' ? name : `${path}.${name}`)
      const knownNames = new Set(keys.map(jsonName))
      for (const name of source.keys()) if (!knownNames.has(name)) problems.push(problem(at(name), 'unknown'))
      const entries = keys.map((key) => [
        key,
        fields[key].read(source.get(jsonName(key)), at(jsonName(key)), problems),
      ])
      return Object.fromEntries(entries) as T
    },
    write: (value) => Object.fromEntries(keys.map((key) => [jsonName(key), fields[key].write(value[key])])),
  }
}

/** Adds a default to a section or a figure that plans of earlier releases do not have. */
function withDefault<T>(part: Codec<T>, ifAbsent: T): Codec<T> {
  return {
    read: (json, path, problems) => (json === undefined ? ifAbsent : part.read(json, path, problems)),
    write: part.write,
  }
}

const packageTerms = record<PackageTerms>({
  name: text,
  level: integer,
  priceMicros: money,
  copies: integer,
  referralPpm: integer,
  organisationPpm: integer,
  staticPpm: integer,
  pairingPpm: integer,
  pairingDayCapMicros: money,
})

const planCodec = record<Plan>({
  packages: list(packageTerms),
  order: record<Plan['order']>({
    hashRatePpm: integer,
    usdtSharePpm: integer,
    quoteValidityMs: integer,
    commissionSharePpm: integer,
  }),
  reward: record<Plan['reward']>({ usdtSharePpm: integer, releaseParts: integer, staticCapPpm: integer }),
  management: record<Plan['management']>({
    generationPpm: list(integer),
    ranks: list(record<ManagementRank>({ fromMicros: money, ratePpm: integer })),
  }),
  withdrawal: record<Plan['withdrawal']>({
    feePpm: integer,
    minimumFeeMicros: money,
    auditAboveMicros: money,
    dayLimitMicros: list(money),
  }),
  savings: withDefault(
    record<Plan['savings']>({
      usdtRatePpm: integer,
      amcRatePpm: integer,
      fastUpToMicros: money,
      fastDelayMs: integer,
      slowDelayMs: integer,
    }),
    defaultPlan.savings,
  ),
  transfer: withDefault(record<Plan['transfer']>({ minimumMicros: money }), defaultPlan.transfer),
  leaving: withDefault(
    record<Plan['leaving']>({
      signAboveMicros: money,
      savingsFreeMicros: withDefault(money, defaultPlan.leaving.savingsFreeMicros),
      reviewNewAboveMicros: withDefault(money, defaultPlan.leaving.reviewNewAboveMicros),
      savedDelayMs: integer,
    }),
    defaultPlan.leaving,
  ),
  approval: withDefault(
    record<Plan['approval']>({ severalAboveMicros: money, approvers: integer }),
    defaultPlan.approval,
  ),
  fund: withDefault(
    record<Plan['fund']>({ incomePpm: integer, navMaxAgeMs: integer, payoutDelayMs: integer }),
    defaultPlan.fund,
  ),
})

/** A plan as JSON, as stored and exchanged: amounts are decimal texts, rates are integers in ppm. */
export type PlanJson = { readonly [section: string]: unknown }

/** Writes a plan as JSON. */
export function serialisePlan(plan: Plan): PlanJson {
  return planCodec.write(plan) as PlanJson
}

/** Reads and validates a plan from JSON; refuses with INVALID_PLAN and all problems. */
export function parsePlan(json: unknown): { readonly ok: true; readonly plan: Plan } | PlanRefusal {
  const problems: PlanProblem[] = []
  const plan = planCodec.read(json, '', problems)
  if (problems.length > 0) return refusePlan(problems)
  const valid = validatePlan(plan)
  return valid.ok ? { ok: true, plan } : valid
}
