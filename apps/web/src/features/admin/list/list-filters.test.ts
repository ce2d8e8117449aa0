import { beforeEach, describe, expect, it } from 'vitest'
import { fieldValue, kept, readAmount, sessionStore } from '../../../lib/index.ts'
import { areValues, countChanged, type Field, furtherFields, initialValues, queryOf } from './list-filters.ts'
import { readViews } from './saved-views.tsx'

const FIELDS: readonly Field[] = [
  {
    name: 'state',
    label: 'State',
    as: 'tabs',
    initial: 'open',
    options: [
      ['open', 'Open'],
      ['done', 'Done'],
    ],
  },
  { name: 'q', label: 'Search', as: 'search' },
  {
    name: 'risk',
    label: 'Risk',
    as: 'choice',
    options: [
      ['', 'All'],
      ['frozen', 'Frozen'],
    ],
  },
  { name: 'least', label: 'At least', as: 'amount' },
  { name: 'from', label: 'From', as: 'day' },
]
const ALL = initialValues(FIELDS)

describe('filters of a list', () => {
  it.each([
    [{}, { state: 'open' }],
    [
      { state: 'done', risk: 'frozen' },
      { state: 'done', risk: 'frozen' },
    ],
    [{ least: '12.5' }, { state: 'open', least: '12.5' }],
    [{ from: '2026-01-01' }, { state: 'open', from: '2026-01-01' }],
    [{ q: ' W-2 ' }, { state: 'open', q: 'W-2' }],
  ])('%j asks for %j', (values, query) => {
    expect(queryOf(FIELDS, { ...ALL, ...(values as object) })).toEqual(query)
  })

  it('ignores an amount that the field refuses', () => {
    const least = fieldValue('1,500', readAmount('1,500', 'en'))
    expect(queryOf(FIELDS, { ...ALL, least })).not.toHaveProperty('least')
  })

  it('counts the active filters behind the button', () => {
    const further = furtherFields(FIELDS)
    expect(countChanged(further, { ...ALL, state: 'done', q: 'x' })).toBe(0)
    expect(countChanged(further, { ...ALL, risk: 'frozen', from: '2026-01-01' })).toBe(2)
  })

  it('accepts only valid values of the fields', () => {
    expect(areValues(FIELDS, ALL)).toBe(true)
    const wrong = [null, 3, {}, { ...ALL, state: 'lost' }, { ...ALL, q: 1 }, { ...ALL, risk: 'none' }]
    for (const values of wrong) expect(areValues(FIELDS, values)).toBe(false)
  })
})

describe('saved views', () => {
  const KEY = 'ops_views:audit:0xab'
  beforeEach(() => sessionStore.setState({ tokenAddress: '0xAB' }))

  it.each(['', 'no list', '{}', '[1, null]'])('reads %j as no views', (stored) => {
    kept.set(KEY, stored)
    expect(readViews({ page: 'audit', fields: FIELDS })).toEqual([])
  })

  it('drops a view that the list no longer supports, and keeps the others', () => {
    const good = { name: 'Frozen', filters: { ...ALL, risk: 'frozen' } }
    kept.set(KEY, JSON.stringify([good, { name: 'Old', filters: { ...ALL, risk: 'gone' } }]))
    expect(readViews({ page: 'audit', fields: FIELDS })).toEqual([good])
  })
})
