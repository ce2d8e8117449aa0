import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { TransferForm } from './transfer-page.tsx'

const FACTS = {
  available: { USDT: '253.000000', AMC: '0.000000' },
  ...{ minimum: '1.000000', remaining: '3000.000000', amcPrice: '0.500000' },
}
const LIMIT = {
  ...{ level: 3, limit: '3000.000000', used: '0.000000', remaining: '3000.000000', recent: '0.000000' },
  ...{ resets_at: '2026-12-01T00:00:00.000Z', available: FACTS.available, prices: { AMC: '0.500000' } },
  ...{ minimum_fee_usdt: '1.000000', fee_ppm: 10_000, audit_above_usdt: '1000.000000' },
  ...{ sign_above_usdt: '100.000000', usual_review_seconds: null },
}

function show() {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
      <TransferForm facts={FACTS} limit={LIMIT} ownAddress={`0x${'11'.repeat(20)}`} to="" />
    </QueryClientProvider>,
  )
}
const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } })

test('a transfer of 9,999 of 253 says while typing how much is too much, and offers what there is', async () => {
  show()
  type('Amount', '9999')
  expect(await screen.findByText(/9,746\.00 more than is available/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Use 253.00' }))
  expect((screen.getByLabelText('Amount') as HTMLInputElement).value).toBe('253')
  expect(screen.queryByText(/more than is available/)).toBeNull()
})

test('a transfer to "0x123" says while typing what is missing', async () => {
  show()
  type('Receiver', '0x123')
  expect(await screen.findByText(/Invalid address · 37 characters are missing/)).toBeTruthy()
})
