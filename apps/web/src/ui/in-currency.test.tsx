import { addDays, dayOf, RATE_HIDDEN_DAYS, RATE_OLD_DAYS } from '@rif/rules'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setCurrency, setOwnHidden } from '../lib/index.ts'
import { currencyText } from './currency-rates.ts'
import { InCurrency } from './in-currency.tsx'

const today = dayOf(Date.now())
const rateOf = (currency: string, rate: string, age = 0) => ({
  currency,
  rate,
  day: addDays(today, -age),
  source: 'ECB reference rate',
  published_at: new Date().toISOString(),
})

beforeEach(() => vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB']))
afterEach(() => {
  vi.restoreAllMocks()
  act(() => {
    setCurrency(null)
    setOwnHidden(false)
  })
})

/** Shows a sum to a member who chose a currency, with these rates. */
function show(items: ReturnType<typeof rateOf>[], { amount = '1234.567891', tap = false } = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  client.setQueryData(['displayRates', {}], { items })
  const { container } = render(
    <QueryClientProvider client={client}>
      <InCurrency amount={amount} tap={tap} />
      <p>drawn</p>
    </QueryClientProvider>,
  )
  return container
}

/** Waits until the line, which is loaded on demand, had time to appear. */
const settle = () => act(() => vi.dynamicImportSettled())

test('a sum is shown in the chosen currency, truncated to its decimals', async () => {
  setCurrency('EUR')
  show([rateOf('EUR', '0.92'), rateOf('JPY', '150.25')])
  expect(await screen.findByText('≈ €1,135.80')).toBeTruthy()
  act(() => setCurrency('JPY'))
  expect(await screen.findByText('≈ ¥185,493')).toBeTruthy()
})

test('nothing is shown without a choice, for a withdrawn currency, and while sums are hidden', async () => {
  const container = show([rateOf('EUR', '0.92')])
  await settle()
  expect(container.textContent).toBe('drawn')
  act(() => setCurrency('GBP'))
  await settle()
  expect(container.textContent).toBe('drawn')
  act(() => setCurrency('EUR'))
  expect(await screen.findByText(/€/)).toBeTruthy()
  act(() => setOwnHidden(true))
  expect(container.textContent).toBe('drawn')
})

test('an old rate is shown with its day, and a very old one is not shown', async () => {
  setCurrency('EUR')
  show([rateOf('EUR', '0.92', RATE_OLD_DAYS + 1)])
  expect(await screen.findByText(/≈ €1,135\.80 · rate of \d+ \w+/)).toBeTruthy()
  const container = show([rateOf('EUR', '0.92', RATE_HIDDEN_DAYS + 1)])
  await settle()
  expect(container.textContent).toBe('drawn')
})

test('where it can be tapped, it is a button with a matching name', async () => {
  setCurrency('EUR')
  show([rateOf('EUR', '0.921234')], { tap: true })
  expect(await screen.findByRole('button', { name: '≈ €1,137.32: how it is worked out' })).toBeTruthy()
})

test('the digits of a sum beyond the range of numbers are kept', () => {
  const text = currencyText(9_007_199_254_740_993_000_000n, { currency: 'EUR', rate: 1_000_000n })
  expect(text).toBe('€9,007,199,254,740,993.00')
})
