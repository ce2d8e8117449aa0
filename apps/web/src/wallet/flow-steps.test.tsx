import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { apiQuery } from '../lib/index.ts'
import { FlowSteps } from './flow-steps.tsx'
import { type FlowState, idleFlow } from './tx-flow/flow-state.ts'

// No request is answered, because a failed read would show the connection as lost.
beforeEach(() => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => new Promise(() => undefined))
})

const PAUSES = { paused: [], paused_since: null, guard: [], guard_since: null, audited_at: null }

/** Renders the steps of a payment in a state; returns the mock that its button calls. */
function setUp(state: Partial<FlowState>) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  client.setQueryData(apiQuery('pauses').queryKey, PAUSES)
  const start = vi.fn()
  const isRunning = state.phase === 'asking' || state.phase === 'mining'
  const flow = { state: { ...idleFlow, ...state }, start, forget: vi.fn(), isRunning }
  render(
    <QueryClientProvider client={client}>
      <FlowSteps flow={flow} startLabel="Pay 70.00 USDT" />
    </QueryClientProvider>,
  )
  return start
}

const TWO_STEPS = ['approveUsdt', 'pay'] as const

it.each([
  ['approveUsdt', [], 'Confirm in your wallet (1 of 2)'],
  ['pay', ['approveUsdt'], 'Confirm in your wallet (2 of 2)'],
] as const)('while the wallet asks for %s, the step counts the confirmations', (current, finished, text) => {
  setUp({ phase: 'asking', steps: TWO_STEPS, current, finished })
  expect(screen.getByText(text).closest('li')?.getAttribute('aria-current')).toBe('step')
  expect(screen.getByRole('button').textContent).toBe('Waiting for your wallet')
})

it('a payment in one step is confirmed without a count', () => {
  setUp({ phase: 'asking', steps: ['batch'], current: 'batch' })
  expect(screen.getByText('Confirm in your wallet')).toBeDefined()
})

it('the button cannot be clicked while the wallet waits for the member', async () => {
  const start = setUp({ phase: 'asking', steps: TWO_STEPS, current: 'approveUsdt' })
  await userEvent.click(screen.getByRole('button'))
  expect(start).not.toHaveBeenCalled()
})

it('a refusal in the wallet is reported as such, and the payment continues with a tap', async () => {
  const start = setUp({ phase: 'stopped', steps: TWO_STEPS, current: 'approveUsdt', problem: 'rejected' })
  expect(screen.getByRole('alert').textContent).toContain('You refused in the wallet. Nothing was done.')
  await userEvent.click(screen.getByRole('button', { name: 'Go on' }))
  expect(start).toHaveBeenCalledTimes(1)
})

it('the step shows the hash while the chain has a transaction', () => {
  setUp({
    phase: 'mining',
    steps: TWO_STEPS,
    finished: ['approveUsdt'],
    current: 'pay',
    hash: `0x${'ab'.repeat(32)}`,
  })
  expect(screen.getByText('Waiting for the chain')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Working…' })).toBeDefined()
})
