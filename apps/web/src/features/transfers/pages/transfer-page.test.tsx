import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { PaymentRequest } from '../../../wallet/request/payment-request.ts'
import { TransferForm } from './transfer-page.tsx'

const FACTS = {
  available: { USDT: '253.000000', AMC: '0.000000' },
  minimum: '1.000000',
  remaining: '3000.000000',
  amcPrice: '0.500000',
}
const LIMIT = {
  level: 3,
  limit: '3000.000000',
  used: '0.000000',
  remaining: '3000.000000',
  recent: '0.000000',
  resets_at: '2026-12-01T00:00:00.000Z',
  available: FACTS.available,
  prices: { AMC: '0.500000' },
  free_refunds: { USDT: '0.000000', AMC: '0.000000' },
  minimum_fee_usdt: '1.000000',
  fee_ppm: 10_000,
  audit_above_usdt: '1000.000000',
  unsigned: '0.000000',
  sign_above_usdt: '100.000000',
  usual_review_seconds: null,
}

function show(request: PaymentRequest = {}) {
  sessionStorage.clear()
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
      <TransferForm facts={FACTS} limit={LIMIT} ownAddress={`0x${'11'.repeat(20)}`} request={request} />
    </QueryClientProvider>,
  )
}
const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } })

test('a transfer of 9,999 of 253 shows the excess while typing, and offers the balance', async () => {
  show()
  type('Amount', '9999')
  expect(await screen.findByText(/9,746\.00 more than is available/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Use 253.00' }))
  expect((screen.getByLabelText('Amount') as HTMLInputElement).value).toBe('253.00')
  expect(screen.queryByText(/more than is available/)).toBeNull()
})

test('a transfer to "0x123" shows the problem while typing', async () => {
  show()
  type('Receiver', '0x123')
  expect(await screen.findByText(/Invalid address · 37 characters are missing/)).toBeTruthy()
})

const FRIEND = `0x${'22'.repeat(20)}`
const typedIn = (label: string) => (screen.getByLabelText(label) as HTMLInputElement).value

test('a request fills the form, is labelled, shows its note as text, and sends nothing', async () => {
  const methods: (string | undefined)[] = []
  const original = globalThis.fetch
  globalThis.fetch = (url, init) => {
    methods.push(init?.method)
    return original(url, init)
  }
  show({ to: FRIEND, asset: 'AMC', amount: '12.5', note: '<img src=x onerror=alert(1)> <b>Cousin</b>' })
  expect(screen.getByText('A request. Check it before you send')).toBeTruthy()
  expect(screen.getByText(/<img src=x onerror=alert\(1\)> <b>Cousin<\/b>/)).toBeTruthy()
  expect(document.querySelector('img[src=x]')).toBeNull()
  expect([typedIn('Receiver'), typedIn('Amount')]).toEqual([FRIEND, '12.50'])
  expect((screen.getByRole('radio', { name: 'AMC' }) as HTMLInputElement).checked).toBe(true)
  // Every field can be changed.
  type('Amount', '3')
  expect(typedIn('Amount')).toBe('3')
  expect(screen.queryByRole('dialog')).toBeNull()
  // It looks up the receiver and does nothing else.
  expect(methods.filter((method) => method !== 'GET')).toEqual([])
  globalThis.fetch = original
})

test('a request that has expired fills nothing in', () => {
  show({ to: FRIEND, amount: '12.5', until: '2020-01-01' })
  expect(screen.getByText('This request has expired')).toBeTruthy()
  expect([typedIn('Receiver'), typedIn('Amount')]).toEqual(['', ''])
})

test('a pasted request fills the form, and is labelled', () => {
  show()
  const paste = (text: string) =>
    fireEvent.paste(screen.getByLabelText('Receiver'), { clipboardData: { getData: () => text } })
  paste(`${location.origin}/pages/transfer/index?to=${FRIEND}&asset=USDT&amount=7&note=lunch`)
  expect([typedIn('Receiver'), typedIn('Amount')]).toEqual([FRIEND, '7.00'])
  expect(screen.getByText(/lunch/)).toBeTruthy()
})
