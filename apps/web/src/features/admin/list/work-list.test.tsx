import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { needAdminTexts } from '../../../lib/index.ts'
import type { ListRows, ListShape } from './list-rows.ts'
import { WorkList } from './work-list.tsx'

interface One {
  readonly id: string
  readonly isFree: boolean
}

const ITEMS: readonly One[] = [
  { id: '1', isFree: true },
  { id: '2', isFree: false },
  { id: '3', isFree: true },
]
const SHAPE: ListShape<One> = {
  keyOf: ({ id }) => id,
  nameOf: ({ id }) => `Thing ${id}`,
  columns: [
    { key: 'id', head: 'Number', cell: ({ id }) => `T-${id}` },
    { key: 'far', head: 'Far', isRoomy: true, cell: () => 'far' },
  ],
  line: ({ id }) => ({ title: `T-${id}` }),
  sums: (items) => [{ key: 'sum', label: `${items.length} shown`, cells: {} }],
}

let width = 1440
beforeAll(() => needAdminTexts())
beforeEach(() => {
  width = 1440
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: width >= Number(/(\d+(?:\.\d+)?)(rem|px)/.exec(query)![1]) * (query.includes('rem') ? 16 : 1),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
})
afterEach(() => vi.unstubAllGlobals())

function show(rows: Partial<ListRows<One>> = {}) {
  const more = vi.fn()
  render(
    <WorkList
      label="Things"
      rows={{ items: ITEMS, isError: false, retry: () => undefined, ...rows, ...(rows.more && { more }) }}
      shape={SHAPE}
      details={({ id }) => <p>All about {id}</p>}
      empty={<p>Nothing waits</p>}
      bulk={{
        can: ({ isFree }) => isFree,
        bar: (selection) => <output>{selection.map(({ id }) => id).join()}</output>,
      }}
    />,
  )
  return more
}

it('shows a table, and the details of a row beside it in fewer columns', async () => {
  show()
  expect(screen.getAllByRole('columnheader')).toHaveLength(3)
  await userEvent.click(screen.getByRole('button', { name: 'Thing 2' }))
  expect(within(screen.getByRole('region', { name: 'Thing 2' })).getByText('All about 2')).toBeTruthy()
  expect(screen.getAllByRole('columnheader')).toHaveLength(2)
})

it('moves by J and K, selects by X, and closes by Escape', async () => {
  show()
  await userEvent.keyboard('j')
  expect(screen.getByText('All about 1')).toBeTruthy()
  await userEvent.keyboard('jj')
  expect(document.activeElement?.id).toBe('row-3')
  await userEvent.keyboard('x')
  expect(screen.getByRole('status').textContent).toBe('3')
  await userEvent.keyboard('kx')
  // The second row cannot be selected.
  expect(screen.getByRole('status').textContent).toBe('3')
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByText(/^All about/)).toBeNull()
})

it('loads the next page when J is pressed at the last row', async () => {
  const more = show({ more: () => undefined })
  await userEvent.keyboard('jjj')
  expect(more).not.toHaveBeenCalled()
  await userEvent.keyboard('j')
  expect(more).toHaveBeenCalledOnce()
})

it('selects all selectable rows, and no hidden ones', async () => {
  show()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
  expect(screen.getByRole('status').textContent).toBe('1,3')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
  expect(screen.getByRole('status').textContent).toBe('')
})

it('is a list on a phone, with the details over it', async () => {
  width = 390
  show()
  expect(screen.queryByRole('table')).toBeNull()
  expect(screen.getAllByRole('listitem')).toHaveLength(3)
  await userEvent.click(screen.getByRole('button', { name: /T-2/ }))
  // The code of a sheet is loaded when one is first opened.
  expect(await screen.findByText('All about 2')).toBeTruthy()
})

it('shows that nothing is there', () => {
  show({ items: [] })
  expect(screen.getByText('Nothing waits')).toBeTruthy()
})
