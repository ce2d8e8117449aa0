import type { Withdrawal } from '@rif/api-schema'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { apiQuery, clearSession, saveToken, saveWallet } from '../../../lib/index.ts'
import { wishClaim } from '../../../wallet/claim-wish.ts'
import { walletsStore } from '../../../wallet/discovery.ts'
import { ClaimStep } from './claim-step.tsx'

// Problems link to the articles of the help.
const router = createRouter({ routeTree: createRootRoute() })
const OWN = `0x${'11'.repeat(20)}`
const READY = {
  withdraw_id: '7',
  status: 'Withdrawable',
  asset: 'USDT',
  receives: '39.000000',
  address: OWN,
  claim_expires_at: null,
  claim_wait: null,
  tx_hash: null,
  refusal: null,
  key_change: null,
} as unknown as Withdrawal

// Loaded when a claim begins; on a busy machine loading takes longer than a test waits.
beforeAll(() => import('../../../wallet/tx-flow/claim-run.ts'), 60_000)
afterEach(async () => {
  // The connection outlives its requester.
  const { disconnectWallet } = await import('../../../wallet/connection.ts')
  disconnectWallet()
  vi.restoreAllMocks()
  walletsStore.setState([], true)
  clearSession()
})

/** Shows the step to the signed-in member. Returns the requests to the wallet. */
function show(withdrawal: Withdrawal): string[] {
  const requests: string[] = []
  const request = ({ method }: { method: string }) => {
    requests.push(method)
    return new Promise<never>(() => undefined)
  }
  walletsStore.setState([{ id: 'test.wallet', name: 'Test', icon: null, provider: { request } }], true)
  saveToken('token', OWN)
  saveWallet('test.wallet', OWN, '0')
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  const config = { chain: { id: 42161, name: 'Arbitrum One' }, banks: [] }
  client.setQueryData(apiQuery('config').queryKey, config as never)
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () =>
    Response.json({ code: 200, msg: '', data: config }),
  )
  render(
    <RouterContextProvider router={router}>
      <QueryClientProvider client={client}>
        <ClaimStep withdrawal={withdrawal} />
      </QueryClientProvider>
    </RouterContextProvider>,
  )
  return requests
}

test('a claim requested on home begins with the page, and needs no second tap', async () => {
  wishClaim('7')
  const requests = show(READY)
  await waitFor(() => expect(requests).toContain('eth_chainId'))
})

test('a page opened in any other way claims nothing by itself', async () => {
  wishClaim('8')
  const requests = show(READY)
  await new Promise((done) => setTimeout(done, 50))
  expect(screen.getByRole('button', { name: /^Claim 39/ })).toBeTruthy()
  expect(requests).not.toContain('eth_chainId')
})

test('a claim that waits for the chain is not started', async () => {
  wishClaim('7')
  const claim_wait = { block: '5', l1_final_block: null, expected_at: null, usual_seconds: null }
  show({ ...READY, claim_wait } as unknown as Withdrawal)
  expect(await screen.findByText(/not known yet/)).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

test('a claim that the signer refused says that it waits for a second approval, and is not started again', async () => {
  wishClaim('7')
  const refusal = { reason: 'not_reviewed', at: '2026-01-31T09:45:00.000Z' }
  const requests = show({ ...READY, refusal } as unknown as Withdrawal)
  expect(await screen.findByText(/waits for a second approval/)).toBeTruthy()
  await new Promise((done) => setTimeout(done, 50))
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  expect(requests).not.toContain('eth_chainId')
})

test('during a change of the claim key there is no claim, but the time', async () => {
  wishClaim('7')
  const key_change = { executable_at: '2026-01-31T09:45:00.000Z' }
  const requests = show({ ...READY, key_change } as unknown as Withdrawal)
  expect(await screen.findByText(/Claims go on from/)).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
  expect(requests).not.toContain('eth_chainId')
})
