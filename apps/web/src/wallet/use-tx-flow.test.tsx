import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { StrictMode, useState } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { clearSession, saveToken } from '../lib/index.ts'
import { BANK, FAKE_CONFIG, fakeChain } from '../testing/fake-bank.ts'
import { FAKE_ACCOUNT, type FakeWallet } from '../testing/fake-wallet.ts'
import { recordedServer } from '../testing/recorded-server.ts'
import { connectWallet, disconnectWallet } from './connection.ts'
import { useRevoke, useStartOnArrival } from './use-tx-flow.ts'

const server = recordedServer()
beforeEach(() => saveToken('token', FAKE_ACCOUNT))
afterEach(() => {
  disconnectWallet()
  clearSession()
})

const REVOKED = { token: 'usdt', spenderAddress: BANK } as const

/** A page that starts a flow by itself, once, if its reader has wished it. */
function Page({ wishes }: { wishes: { count: number } }) {
  const flow = useRevoke(REVOKED)
  const [isOpen, setOpen] = useState(true)
  useStartOnArrival(flow, () => wishes.count-- > 0)
  return (
    <button type="button" onClick={() => setOpen(!isOpen)}>
      {flow.state.phase} {flow.state.problem}
    </button>
  )
}

/** Shows the page as `npm run dev` does: StrictMode runs every effect twice. */
async function show(provider: FakeWallet, count: number) {
  await connectWallet({ id: 'test', name: 'Test', icon: null, provider }, FAKE_CONFIG)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  server.recorded = { 'GET config': FAKE_CONFIG }
  const wishes = { count }
  render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Page wishes={wishes} />
      </QueryClientProvider>
    </StrictMode>,
  )
  return wishes
}

it('a flow that starts by itself reaches its end under StrictMode, and asks the wallet once', async () => {
  const { wallet, usdt } = fakeChain()
  usdt.allowance = 5n
  const wishes = await show(wallet, 1)
  await screen.findByText('done')
  expect(usdt.allowance).toBe(0n)
  expect(wallet.sent).toHaveLength(1)
  expect(wishes.count).toBe(0)
})

it('a flow that nobody wished does not start', async () => {
  const { wallet } = fakeChain()
  await show(wallet, 0)
  await new Promise((resolve) => setTimeout(resolve))
  expect(screen.getByText('idle')).toBeDefined()
  expect(wallet.sent).toEqual([])
})

it('a flow that cannot read the chain says why, with its detail', async () => {
  const { wallet, usdt } = fakeChain()
  usdt.allowance = 5n
  wallet.accounts = [BANK]
  await show(wallet, 1)
  await screen.findByText('stopped wrongAccount')
  expect(wallet.sent).toEqual([])
})
