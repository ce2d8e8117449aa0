import type { BankFacts } from '@rif/api-schema'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { beforeAll, expect, test, vi } from 'vitest'
import { createQueryClient, saveToken } from '../../../lib/index.ts'
import { loadOperatorSide } from '../is-admin.ts'
import EmergencyPage from './emergency-page.tsx'

const router = createRouter({ routeTree: createRootRoute() })
const [BANK, FORMER] = [`0x${'ba'.repeat(20)}`, `0x${'fb'.repeat(20)}`]
const FACTS = {
  chain: { id: 42161, name: 'Arbitrum One', rpc_url: '/rpc', explorer_url: null, confirmations: 1 },
  wallet_connect: null,
  contracts: { bank: BANK, usdt: BANK, amc: BANK, transfer: BANK },
  former_banks: [FORMER],
} as unknown as BankFacts

beforeAll(() => loadOperatorSide())

/** Shows the page while each call of the API is refused so. */
function show(status: number, error: string): void {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) =>
    `${url}`.endsWith('/bank.json')
      ? Response.json(FACTS)
      : Response.json({ code: status, msg: error, data: { error, details: {} } }, { status }),
  )
  render(
    <RouterContextProvider router={router}>
      <QueryClientProvider client={createQueryClient()}>
        <EmergencyPage />
      </QueryClientProvider>
    </RouterContextProvider>,
  )
}

/** Expects what a wallet needs: the chain, each bank, and the button that connects it. */
async function expectsWallet(): Promise<void> {
  expect(await screen.findByText('Arbitrum One (42161)')).toBeTruthy()
  expect(screen.getAllByText('Bank contract')).toHaveLength(2)
  expect(screen.getByRole('button', { name: 'Connect wallet' })).toBeTruthy()
}

test('a visitor without a session gets the bank contracts, and a way to sign in', async () => {
  show(401, 'UNAUTHORIZED')
  await expectsWallet()
  expect(screen.getByText('You are not signed in.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Sign in' })).toBeTruthy()
})

test('an admin gets them while the database is away', async () => {
  saveToken('t', '0xaa', false)
  show(503, 'UNAVAILABLE')
  await expectsWallet()
  expect(screen.getByText('The product or its database does not answer now.')).toBeTruthy()
})

test('a wallet without a role gets them too, and no data of the product', async () => {
  saveToken('t', '0xaa')
  show(403, 'FORBIDDEN')
  await expectsWallet()
  expect(screen.getByText('Your wallet has no role in this product.')).toBeTruthy()
  expect(screen.queryByText('Chain nodes')).toBeNull()
})
