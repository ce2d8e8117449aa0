import type { Me, Withdrawal } from '@rif/api-schema'
import { createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { NextStep } from './next-step.tsx'

const router = createRouter({ routeTree: createRootRoute() })
const ME = { balances: { USDT: { savings_leaving: '0' }, AMC: { savings_leaving: '0' } } } as unknown as Me
const READY = {
  withdraw_id: '7',
  status: 'Withdrawable',
  asset: 'USDT',
  receives: '39.000000',
  address: `0x${'11'.repeat(20)}`,
  claim_wait: null,
  refusal: null,
  key_change: null,
} as unknown as Withdrawal

function show(change: Partial<Withdrawal>): void {
  render(
    <RouterContextProvider router={router}>
      <NextStep
        me={ME}
        orders={[]}
        fundOrders={[]}
        award={undefined}
        withdrawals={[{ ...READY, ...change }]}
      />
    </RouterContextProvider>,
  )
}
const claim = () => screen.queryByRole('link', { name: /^Claim/ })

test('home offers a claim that is ready', () => {
  show({})
  expect(claim()).not.toBeNull()
})

test('home says from when a claim can be paid while the claim key changes, and offers none', () => {
  show({ key_change: { executable_at: '2026-01-31T09:45:00.000Z' } })
  expect(screen.getByText(/^Claims wait for a new key, until .*31/)).toBeTruthy()
  expect(claim()).toBeNull()
})

test('home says so when no new claim key is announced yet', () => {
  show({ key_change: { executable_at: null } })
  expect(screen.getByText('Claims wait for a new key')).toBeTruthy()
  expect(claim()).toBeNull()
})

test('home says that a refused claim waits for a second approval, and offers no loop', () => {
  show({ refusal: { reason: 'not_reviewed' } } as Partial<Withdrawal>)
  expect(screen.getByText('Waits for a second approval')).toBeTruthy()
  expect(claim()).toBeNull()
})
