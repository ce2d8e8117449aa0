import type { Contact } from '@rif/api-schema'
import { expect, test } from 'vitest'
import { bookSizeOf, findIn, groupBook } from './address-book.ts'

const at = (digit: string) => `0x${digit.repeat(40)}`
const contact = (digit: string, rest: Partial<Contact>): Contact => ({
  address: at(digit),
  label: null,
  registered: false,
  last_sent_at: null,
  usable_from: null,
  ...rest,
})
const saved = [
  contact('1', { label: 'Cousin', registered: true }),
  contact('2', { label: 'Exchange', last_sent_at: '2026-11-01T00:00:00Z' }),
]
const recent = [
  contact('2', { label: 'Exchange', last_sent_at: '2026-11-01T00:00:00Z' }),
  contact('3', { last_sent_at: '2026-11-02T00:00:00Z' }),
]
const names = [
  { address: at('1'), name: 'Cousin', note: 'Osaka' },
  { address: at('3'), name: 'Ken', note: null },
  { address: at('4'), name: 'Aiko', note: null },
  { address: at('5'), name: null, note: 'met at the fair' },
]
const book = groupBook({ saved, recent }, names)
const digits = (entries: readonly { address: string }[]) => entries.map(({ address }) => address[2])

test('each address is in one part, with its name and note', () => {
  expect(digits(book.members)).toEqual(['1'])
  expect(digits(book.others)).toEqual(['2'])
  expect(digits(book.used)).toEqual(['3'])
  expect(digits(book.team)).toEqual(['4', '5'])
  expect(bookSizeOf(book)).toBe(5)
  expect(book.members[0]).toMatchObject({ label: 'Cousin', note: 'Osaka' })
  // Used without being saved: the name is that of the team.
  expect(book.used[0]).toMatchObject({ label: 'Ken', contact: { label: null } })
})

test('the search finds by name, note and address, and nothing else', () => {
  expect(digits(findIn(book, ' osaKA ').members)).toEqual(['1'])
  expect(digits(findIn(book, 'aik').team)).toEqual(['4'])
  expect(digits(findIn(book, at('2').slice(0, 9)).others)).toEqual(['2'])
  expect(bookSizeOf(findIn(book, 'nobody'))).toBe(0)
  expect(findIn(book, '  ')).toBe(book)
})
