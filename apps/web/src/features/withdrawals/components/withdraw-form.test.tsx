import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { WithdrawLimit } from '../withdraw-draft.ts'
import { WithdrawForm } from './withdraw-form.tsx'

const LIMIT: WithdrawLimit = {
  level: 3,
  limit: '3000.000000',
  used: '0.000000',
  remaining: '3000.000000',
  recent: '0.000000',
  resets_at: '2026-12-01T00:00:00.000Z',
  available: { USDT: '253.000000', AMC: '0.000000' },
  free_refunds: { USDT: '0.000000', AMC: '0.000000' },
  minimum_fee_usdt: '1.000000',
  fee_ppm: 10_000,
  audit_above_usdt: '1000.000000',
  unsigned: '0.000000',
  sign_above_usdt: '100.000000',
  prices: { AMC: '0.500000' },
  usual_review_seconds: null,
}

function show(limit = LIMIT) {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
      <WithdrawForm limit={limit} ownAddress={`0x${'11'.repeat(20)}`} />
    </QueryClientProvider>,
  )
}
const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } })

test('a withdrawal of 9,999 of 253 shows the excess while typing, and offers the balance', async () => {
  show()
  type('Amount', '9999')
  expect(await screen.findByText(/9,746\.00 more than is available/)).toBeTruthy()
  expect((screen.getByRole('button', { name: /^Amount is too high/ }) as HTMLButtonElement).disabled).toBe(
    true,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Use 253.00' }))
  expect((screen.getByLabelText('Amount') as HTMLInputElement).value).toBe('253.00')
  expect(screen.queryByText(/more than is available/)).toBeNull()
})

test('a withdrawal to "0x123" shows the problem while typing', async () => {
  show()
  fireEvent.click(screen.getByRole('button', { name: 'Another address' }))
  type('To', '0x123')
  expect(await screen.findByText(/Invalid address · 37 characters are missing/)).toBeTruthy()
})

test('a withdrawal that needs a review shows the usual review time', async () => {
  const rich = { ...LIMIT, available: { USDT: '2000.000000', AMC: '0.000000' } }
  show({ ...rich, usual_review_seconds: 10_800 })
  type('Amount', '1500')
  expect(await screen.findByText(/A review usually takes 3 hours/)).toBeTruthy()
})

test('the preview shows what is free as a refund and the fee on the rest, only to the own wallet', async () => {
  show({ ...LIMIT, free_refunds: { USDT: '50.000000', AMC: '0.000000' } })
  expect(screen.getByText('Refunds: 50.00 USDT can go to your own wallet without a fee.')).toBeTruthy()
  const facts = (label: string | RegExp) => screen.getByText(label).parentElement!.textContent
  type('Amount', '200')
  await screen.findByText('Of it free, as a refund')
  expect(facts('Of it free, as a refund')).toContain('50.00 USDT')
  expect(facts(/^Fee on the rest, 1% and at least 1.00/)).toContain('1.50 USDT')
  expect(facts('Arrives')).toContain('198.50 USDT')
  type('Amount', '50')
  await waitFor(() => expect(facts('Arrives')).toContain('50.00 USDT'))
  type('Amount', '51')
  fireEvent.submit(screen.getByRole('form', { name: 'Withdraw' }))
  expect(await screen.findByText(/^50.00 USDT of it is free, as a refund. The rest/)).toBeTruthy()
  type('Amount', '200')
  fireEvent.click(screen.getByRole('button', { name: 'Another address' }))
  await waitFor(() => expect(facts('Arrives')).toContain('198.00 USDT'))
  expect(screen.queryByText('Of it free, as a refund')).toBeNull()
})
