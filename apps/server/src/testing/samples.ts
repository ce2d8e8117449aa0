import type { z } from 'zod'

/** The way to a value inside another: names of fields, and numbers of items. */
type Step = string | number

interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly options?: readonly z.ZodType[]
  readonly element?: z.ZodType
  readonly innerType?: z.ZodType
  readonly keyType?: z.ZodType
  readonly valueType?: z.ZodType
  readonly in?: z.ZodType
  readonly getter?: () => z.ZodType
}

/** Plain values of which every schema of the API takes at least one. */
const SAMPLES: readonly unknown[] = [
  '1',
  '20',
  1,
  0,
  5,
  1_800_000_000,
  true,
  'Somebody',
  'AMC',
  'EUR',
  'abcdefgh',
  '123456',
  'x'.repeat(40),
  `0x${'3'.repeat(40)}`,
  `0x${'4'.repeat(64)}`,
  `0x${'5'.repeat(130)}`,
  'c'.repeat(32),
  'd'.repeat(64),
  '2026-01-30',
  '2026-01',
  '2026-01-30T00:00:00Z',
  'aGVsbG8=',
  'a@example.org',
  'https://example.org/x',
  'x'.repeat(87),
  'x'.repeat(22),
  null,
]

/**
 * Returns valid values of a schema with all optional fields: one for each option of its unions. Throws for a
 * schema of which no sample is known.
 */
function valuesOf(schema: z.ZodType, path: string): unknown[] {
  const def = schema._zod.def as unknown as Definition
  if (def.shape !== undefined) return objectsOf(def.shape, path)
  if (def.options !== undefined) return def.options.flatMap((option) => valuesOf(option, path))
  if (def.element !== undefined) return valuesOf(def.element, path).map((item) => [item])
  if (def.keyType !== undefined) return [{}]
  const inner = def.innerType ?? def.in ?? def.getter?.()
  if (inner !== undefined) return valuesOf(inner, path)
  const choices = Object.values((def as { entries?: object }).entries ?? {})
  const literals = (def as { values?: readonly unknown[] }).values ?? []
  const sample = [...choices, ...literals, ...SAMPLES].find((value) => schema.safeParse(value).success)
  if (sample === undefined) throw new Error(`${path} has no sample`)
  return [sample]
}

/** Returns objects in which every value of every field occurs at least once. */
function objectsOf(shape: Readonly<Record<string, z.ZodType>>, path: string): Sample[] {
  const fields = Object.entries(shape).map(
    ([name, schema]) => [name, valuesOf(schema, `${path}.${name}`)] as const,
  )
  const count = Math.max(1, ...fields.map(([, values]) => values.length))
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(fields.map(([name, values]) => [name, values[index % values.length]])),
  )
}

/** A request: a value for each part that has a schema. */
export type Sample = Record<string, unknown>

/** Returns whole requests with valid parts. */
export function samplesOf(parts: Readonly<Record<string, z.ZodType | undefined>>): Sample[] {
  const shape = Object.entries(parts).filter((part): part is [string, z.ZodType] => part[1] !== undefined)
  return objectsOf(Object.fromEntries(shape), '')
}

/** Returns the ways to all texts inside a value. */
export function leavesOf(value: unknown, steps: readonly Step[] = []): (readonly Step[])[] {
  if (typeof value === 'string') return [steps]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    leavesOf(inner, [...steps, Array.isArray(value) ? Number(name) : name]),
  )
}

/** Returns a copy of an object in which the value at a way is another. */
export function replaced(whole: Sample, steps: readonly Step[], value: unknown): Sample {
  const copy = structuredClone(whole)
  let at: Record<Step, unknown> = copy
  for (const step of steps.slice(0, -1)) at = at[step] as Record<Step, unknown>
  at[steps.at(-1)!] = value
  return copy
}
