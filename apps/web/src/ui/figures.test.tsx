import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Chip, Chips } from './figures.tsx'

const NAMES = ['All', 'Rewards', 'Orders', 'Savings']

// Chips of 100 px in a row of 150 px.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockImplementation(function (this: HTMLElement) {
    return 100 * NAMES.indexOf(this.textContent)
  })
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(100)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(150)
})
afterEach(() => {
  vi.restoreAllMocks()
  cleanup()
})

const Row = ({ pressed }: { pressed: string }) => (
  <Chips label="Kinds" inRow>
    {NAMES.map((name) => (
      <Chip key={name} pressed={name === pressed} onClick={() => undefined}>
        {name}
      </Chip>
    ))}
  </Chips>
)
const scrolled = () => screen.getByRole('group').scrollLeft

it('shows the pressed chip of a row, also after something else has pressed it, and stays where the reader scrolls', () => {
  const { rerender } = render(<Row pressed="Savings" />)
  expect(scrolled()).toBe(275)
  screen.getByRole('group').scrollLeft = 40
  rerender(<Row pressed="Savings" />)
  expect(scrolled()).toBe(40)
  rerender(<Row pressed="Orders" />)
  expect(scrolled()).toBe(175)
})

it('shows the chip of a row that the Tab key reaches', async () => {
  render(<Row pressed="All" />)
  for (const name of NAMES.slice(0, 3)) {
    await userEvent.tab()
    expect(document.activeElement?.textContent).toBe(name)
  }
  expect(scrolled()).toBe(175)
})
