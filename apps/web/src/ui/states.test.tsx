import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { apiQuery } from '../lib/index.ts'
import { Button } from './button.tsx'
import { Loaded } from './loaded.tsx'
import { ErrorState } from './states.tsx'

const PAUSES = { paused: [], paused_since: null, guard: [], guard_since: null, audited_at: null }

function setUp(pauses: object = PAUSES) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  client.setQueryData(apiQuery('pauses').queryKey, { ...PAUSES, ...pauses })
  return (children: ReactNode) =>
    render(<QueryClientProvider client={client}>{children}</QueryClientProvider>)
}

/** Disconnects the device, or reconnects it. */
function setOnline(isOnline: boolean) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  act(() => void window.dispatchEvent(new Event(isOnline ? 'online' : 'offline')))
}

afterEach(() => vi.restoreAllMocks())

it('a button that moves money waits while offline, keeps the focus, sends nothing, and is enabled again by itself', async () => {
  const onClick = vi.fn()
  const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
  setUp()(
    <form onSubmit={onSubmit}>
      <input aria-label="Amount" />
      <Button type="submit" moves="withdrawals" onClick={onClick}>
        Withdraw 12.50 USDT
      </Button>
    </form>,
  )
  const button = () => screen.getByRole('button', { name: /^Withdraw 12.50 USDT/ })
  button().focus()
  setOnline(false)
  expect(button().textContent).toContain('Waits for the connection')
  expect(button().getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(button())
  await userEvent.type(screen.getByLabelText('Amount'), '1{Enter}')
  expect([onClick.mock.calls.length, onSubmit.mock.calls.length]).toEqual([0, 0])
  setOnline(true)
  expect(button().textContent).toBe('Withdraw 12.50 USDT')
  await userEvent.click(button())
  expect([onClick.mock.calls.length, onSubmit.mock.calls.length]).toEqual([1, 1])
})

it.each([
  [{ guard: ['shortfall'] }, 'transfers', 'Waits for the guard'],
  [{ paused: ['transfers'] }, 'transfers', 'Paused for the moment'],
  [{ paused: ['transfers'] }, 'savings', null],
  // Signed before, so it can still be claimed.
  [{ guard: ['shortfall'] }, 'agreed', null],
] as const)('while %j, a button of %s says: %s', (pauses, moves, text) => {
  setUp(pauses)(<Button moves={moves}>Send</Button>)
  expect(screen.getByRole('button').textContent).toBe(text === null ? 'Send' : `Send ${text}`)
})

it('figures that could not be refreshed stay, with their time', () => {
  const at = new Date()
  at.setHours(11, 42)
  const query = { data: '5.00', isError: true, refetch: vi.fn(), dataUpdatedAt: at.getTime() }
  setUp()(<Loaded query={query as never}>{(text: string) => <p>{text}</p>}</Loaded>)
  expect(screen.getByText('5.00')).toBeTruthy()
  expect(screen.getByText(/This could not be updated. Figures of 11:42/)).toBeTruthy()
})

it('an error states what is safe and offers a retry', async () => {
  const onRetry = vi.fn()
  render(<ErrorState onRetry={onRetry} />)
  expect(screen.getByRole('alert').textContent).toContain('Could not loadNothing was changed.')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(onRetry).toHaveBeenCalledOnce()
})
