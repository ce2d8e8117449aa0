import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import { needAdminTexts } from '../../../lib/index.ts'
import type { Wanted } from '../proposals/use-proposals.tsx'
import { PayoutSheet, type PayoutSheetProps } from './payout-sheet.tsx'

const ADDRESS = `0x${'ab'.repeat(20)}` as const
const HASH = `0x${'1f'.repeat(32)}`

const asset = (name: 'USDT' | 'AMC') => ({
  asset: name,
  amount: '900',
  limited_by: 'books',
  revenue: '800',
  fees: '100',
})
const DATA = {
  assets: [asset('USDT'), asset('AMC')],
  destinations: [{ address: ADDRESS, state: 'listed', approved: { name: 'Company', purpose: 'costs' } }],
} as unknown as Pick<PayoutSheetProps, 'assets' | 'destinations'>

async function open(onSubmit: PayoutSheetProps['onSubmit']) {
  const view = render(<PayoutSheet {...DATA} onSubmit={onSubmit} onClose={() => undefined} />)
  await screen.findByLabelText('Amount')
  return view
}

const fields = () =>
  ['Amount', 'Purpose', 'SHA-256 of the attesting paper'].map((name) => screen.getByLabelText(name))
const texts = () => fields().map((field) => (field as HTMLInputElement).value)

beforeAll(() => needAdminTexts())

it('keeps typed text until the payout is prepared', async () => {
  const sent: { wanted: Wanted; onDone: () => void }[] = []
  const first = await open((wanted, onDone) => sent.push({ wanted, onDone }))
  const typed = ['12.5', 'audit of 2026', HASH]
  for (const [index, field] of fields().entries())
    fireEvent.change(field, { target: { value: typed[index] } })
  fireEvent.click(screen.getByRole('button', { name: 'See what changes' }))
  await expect.poll(() => sent.map(({ wanted }) => wanted.kind)).toEqual(['treasury_payout'])
  // The sheet of the reason is closed, or the session ends: the payout form is opened again.
  first.unmount()
  const second = await open(() => undefined)
  expect(texts()).toEqual(['12.50', ...typed.slice(1)])
  act(() => sent[0]!.onDone())
  second.unmount()
  await open(() => undefined)
  expect(texts()).toEqual(['', '', ''])
})
