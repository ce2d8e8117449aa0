import { useState } from 'react'
import { useSettled } from '../../../lib/index.ts'

/** A filter of a list, named like the parameter of its route. An empty text does not filter. */
export type FilterField<Query> = {
  [Name in keyof Query & string]: {
    readonly name: Name
    readonly label: string
    /**
     * `tabs` are always visible, `search` is the search field; the others are behind one button: `choice` one
     * of its options, `amount` a typed number, `day` a UTC day.
     */
    readonly as: 'tabs' | 'search' | 'choice' | 'amount' | 'day'
    /** The values of `tabs` and `choice` with their names; the empty value stands for all. */
    readonly options?: readonly FilterOption<Query[Name]>[]
    /** The initial and reset value; empty by default. */
    readonly initial?: string
  }
}[keyof Query & string]

export type FilterOption<Value> = readonly [value: (NonNullable<Value> & string) | '', label: string]

/** The values of all filters of a list by name. */
export type FilterValues = Readonly<Record<string, string>>

/** The parts of a field that do not depend on its route. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly as: 'tabs' | 'search' | 'choice' | 'amount' | 'day'
  readonly options?: readonly (readonly [value: string, label: string])[]
  readonly initial?: string
}

export interface ListFilters {
  /** The name under which views of this list are stored. */
  readonly page: string
  readonly fields: readonly Field[]
  readonly values: FilterValues
  readonly change: (values: FilterValues) => void
  /** True if filters restrict the list. */
  readonly isNarrowed: boolean
}

const AMOUNT = /^[0-9]{1,12}(\.[0-9]{1,6})?$/

/** Returns the values of an unfiltered list. */
export const initialValues = (fields: readonly Field[]): FilterValues =>
  Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial]))

/** Returns the query of a list. An amount that the field refuses is ignored. */
export function queryOf(fields: readonly Field[], values: FilterValues): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fields.flatMap(({ name, as }) => {
      const value = (values[name] ?? '').trim()
      return value === '' || (as === 'amount' && !AMOUNT.test(value)) ? [] : [[name, value]]
    }),
  )
}

/** Validates values stored by the browser. */
export function areValues(fields: readonly Field[], values: unknown): values is FilterValues {
  if (typeof values !== 'object' || values === null) return false
  const record = values as Readonly<Record<string, unknown>>
  return fields.every(({ name, options }) => {
    const value = record[name]
    return typeof value === 'string' && (options?.some(([option]) => option === value) ?? true)
  })
}

/** Returns the fields behind the button. */
export const furtherFields = (fields: readonly Field[]) =>
  fields.filter(({ as }) => as !== 'tabs' && as !== 'search')

/** Returns the number of fields that differ from their initial values. */
export const countChanged = (fields: readonly Field[], values: FilterValues): number =>
  fields.filter(({ name, initial = '' }) => values[name] !== initial).length

/**
 * Holds the filters of a list, and returns them with the query of its route. Texts enter the query once
 * typing pauses. `urlValues` come from the URL.
 */
export function useListFilters<Query>(
  page: string,
  fields: readonly FilterField<Query>[],
  urlValues: FilterValues = {},
): ListFilters & { readonly query: Partial<Query> } {
  const plain = fields as readonly Field[]
  const [values, change] = useState(() => ({ ...initialValues(plain), ...urlValues }))
  const typed = plain.filter(({ as }) => as === 'search' || as === 'amount').map(({ name }) => values[name])
  const settled = JSON.parse(useSettled(JSON.stringify(typed))) as readonly string[]
  const names = plain.filter(({ as }) => as === 'search' || as === 'amount').map(({ name }) => name)
  const used = { ...values, ...Object.fromEntries(names.map((name, place) => [name, settled[place]!])) }
  const tabs = plain.filter(({ as }) => as === 'tabs')
  return {
    page,
    fields: plain,
    values,
    change,
    isNarrowed: countChanged(plain, used) - countChanged(tabs, used) > 0,
    query: queryOf(plain, used) as Partial<Query>,
  }
}
