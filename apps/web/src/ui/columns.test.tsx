import { render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { DesktopOnly, ListColumns } from './columns.tsx'
import { FormColumns } from './form-columns.tsx'

/** Gives the window a width in px for all queries of the form (min-width: …rem). */
function beWide(px: number) {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: px >= Number(/([\d.]+)rem/.exec(query)?.[1]) * 16,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
}

afterEach(() => vi.unstubAllGlobals())

/** Counts its renderings, because a part that is not rendered reads nothing. */
function Counted({ onDraw }: { onDraw: () => void }) {
  onDraw()
  return <p>history</p>
}

it.each([
  [390, false, false],
  [1023, false, false],
  [1024, true, false],
  [1280, true, true],
])('at %i px draws what needs a desktop: %s, and the column beside a table: %s', (px, desktop, beside) => {
  beWide(px)
  const onDraw = vi.fn()
  const onSide = vi.fn()
  render(
    <ListColumns side={<Counted onDraw={onSide} />}>
      <DesktopOnly>
        <Counted onDraw={onDraw} />
      </DesktopOnly>
      <p>list</p>
    </ListColumns>,
  )
  expect(screen.getByText('list')).toBeDefined()
  expect([onDraw.mock.calls.length > 0, onSide.mock.calls.length > 0]).toEqual([desktop, beside])
})

it.each([
  [1023, ['fields', 'outcome', 'button']],
  [1024, ['fields', 'button', 'outcome']],
])('at %i px the parts of a form follow each other as they are seen: %s', (px, order) => {
  beWide(px)
  render(
    <FormColumns side={<p>outcome</p>} action={<p>button</p>}>
      <p>fields</p>
    </FormColumns>,
  )
  expect(screen.getAllByText(/fields|outcome|button/).map((part) => part.textContent)).toEqual(order)
})
