import { MEMBER_ACCOUNTS } from '@rif/rules'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient, sessionStore } from '../../lib/index.ts'
import { usePortfolio, useTotalTime } from './use-portfolio.ts'

const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const AMOUNTS = Object.fromEntries(MEMBER_ACCOUNTS.map((account) => [account, '1.000000']))
const ME = { balances: { USDT: AMOUNTS, AMC: AMOUNTS } } as never

afterEach(() => vi.useRealTimers())

test('a read of the same amounts leaves the portfolio as it is, and only moves its time', async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  const client = createQueryClient()
  sessionStore.setState({ tokenAddress: OWNER })
  const readAll = (value: string) => {
    client.setQueryData(['config', {}], { chain: {} })
    client.setQueryData(['fundHoldings', {}], { market_value: value })
    client.setQueryData(['tokenPrice', {}], { price: '2', valid_from: null })
    client.setQueryData(['walletBalances', OWNER], { ETH: '0', USDT: '3', AMC: '4' })
  }
  readAll('5')
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const view = renderHook(() => usePortfolio(ME), { wrapper })
  const time = renderHook(() => useTotalTime(), { wrapper })
  const first = view.result.current
  expect(first?.holdings.fund).toBe(5_000_000n)
  expect(time.result.current).toBe(1_000_000)

  vi.setSystemTime(1_002_000)
  await act(async () => readAll('5'))
  view.rerender()
  expect(view.result.current).toBe(first)
  expect(time.result.current).toBe(1_002_000)

  await act(async () => readAll('6'))
  expect(view.result.current?.holdings.fund).toBe(6_000_000n)
})
