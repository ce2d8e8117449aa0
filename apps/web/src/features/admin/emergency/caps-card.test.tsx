import { QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { clearToken, createQueryClient, needAdminTexts, saveToken } from '../../../lib/index.ts'
import type { OnAsk } from './bank-sheet.tsx'
import { CapsCard } from './caps-card.tsx'

const BANK = `0x${'ba'.repeat(20)}`
const USDT = `0x${'0d'.repeat(20)}`
const STATE = {
  bank: BANK,
  caps: [{ asset: 'USDT', cap: '100.000000', remaining: '40.000000' }],
  you: { admin: true },
} as unknown as Parameters<typeof CapsCard>[0]['state']

function open(onAsk: OnAsk) {
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { enabled: false } })
  client.setQueryData(['config', {}], { contracts: { usdt: USDT, amc: BANK } })
  return render(
    <QueryClientProvider client={client}>
      <CapsCard state={STATE} labelOf={(text) => text} mayRaise onAsk={onAsk} />
    </QueryClientProvider>,
  )
}
const cap = () => screen.getByLabelText('New daily cap') as HTMLInputElement

beforeAll(() => needAdminTexts())
beforeEach(() => saveToken('t', '0xaa'))

it('keeps a cap over the end of a session, until its announcement is sent', async () => {
  const onAsk = vi.fn<OnAsk>()
  const first = open(onAsk)
  fireEvent.change(cap(), { target: { value: '150' } })
  clearToken()
  first.unmount()
  saveToken('another', '0xaa')
  open(onAsk)
  expect(cap().value).toBe('150.00')
  fireEvent.submit(screen.getByRole('form', { name: 'Announce the raise' }))
  await waitFor(() => expect(onAsk).toHaveBeenCalled())
  const [what, onSent] = onAsk.mock.calls[0]!
  expect(what).toEqual({ call: 'queueCapRaise', subject: USDT, bank: BANK, cap: '150.000000' })
  expect(cap().value).toBe('150.00')
  act(() => onSent?.())
  expect(cap().value).toBe('')
})
