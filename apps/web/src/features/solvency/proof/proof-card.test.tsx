import type { AppConfig } from '@rif/api-schema'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { apiQuery, clearSession, saveToken, saveWallet } from '../../../lib/index.ts'
import { walletsStore } from '../../../wallet/discovery.ts'
import { RpcError } from '../../../wallet/provider.ts'
import ProofCard from './proof-card.tsx'

const MEMBER = `0x${'11'.repeat(20)}`
const BANK = `0x${'b0'.repeat(20)}`
const LAST_DAY_CALL = '0x375c0cd9'
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
const CONFIG = {
  chain: { id: 42161, name: 'Arbitrum One' },
  banks: [{ address: BANK }],
} as unknown as AppConfig

/** The wallet's answers by method; for calls of the bank by selector. An error is thrown. */
type Answers = Readonly<Record<string, unknown>>

const READY: Answers = {
  eth_accounts: [MEMBER],
  eth_chainId: '0xa4b1',
  [LAST_DAY_CALL]: word(20_778),
  // `coverOf` and `decimals`.
  '0x5e26ba91': `${word(1)}${word(1).slice(2)}`,
  '0x313ce567': word(6),
}

/**
 * Shows the card to the signed-in member, with a wallet that gives these answers; without answers there is no
 * wallet.
 */
function show(answers: Answers | null) {
  const requests: string[] = []
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    const [call] = (params ?? []) as { data?: string }[]
    const name = method === 'eth_call' ? call!.data!.slice(0, 10) : method
    requests.push(name)
    const answer = answers?.[name] ?? word(1)
    if (answer instanceof Error) throw answer
    return answer
  }
  walletsStore.setState(
    answers === null ? [] : [{ id: 'test.wallet', name: 'Test', icon: null, provider: { request } }],
    true,
  )
  saveToken('token', MEMBER)
  saveWallet('test.wallet', MEMBER, '0')
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  client.setQueryData(apiQuery('config').queryKey, CONFIG as never)
  render(
    <QueryClientProvider client={client}>
      <ProofCard latestDay="2026-11-21" />
    </QueryClientProvider>,
  )
  return requests
}

afterEach(async () => {
  // The connection outlives the card.
  const { disconnectWallet } = await import('../../../wallet/connection.ts')
  disconnectWallet()
  walletsStore.setState([], true)
  clearSession()
})

const userRefused = new RpcError(4001, 'User rejected the request.')
const nodeFails = new RpcError(-32_603, 'the node is away')

it.each([
  ['no wallet', null, 'No wallet is connected in this browser.', 'Sign in with the wallet again'],
  [
    'a locked wallet',
    { ...READY, eth_accounts: [] },
    'Your wallet is locked',
    'Sign in with the wallet again',
  ],
  [
    'another account',
    { ...READY, eth_accounts: [`0x${'22'.repeat(20)}`] },
    'The wallet shows another account than yours.',
    'Sign in with the wallet again',
  ],
  [
    'another chain',
    { ...READY, eth_chainId: '0x1' },
    'The wallet is on another chain than Arbitrum One',
    'Change',
  ],
  ['a refusal', { ...READY, eth_accounts: userRefused }, 'The wallet did not read the root', null],
  ['a failing node', { ...READY, [LAST_DAY_CALL]: nodeFails }, 'The wallet did not read the root', null],
  ['no bank there', { ...READY, [LAST_DAY_CALL]: '0x' }, 'The wallet finds no bank contract', null],
  ['no report on chain', { ...READY, [LAST_DAY_CALL]: word(0) }, 'No report is on chain yet.', null],
  ['no server', READY, 'The server was not reached.', null],
] as const)(
  'with %s nothing is checked, and the card says why and what to do',
  async (_name, answers, text, action) => {
    show(answers)
    await screen.findByText('Not checked.')
    expect(document.body.textContent).toContain(text)
    const buttons = screen.getAllByRole('button').map((button) => button.textContent)
    expect(buttons).toEqual([...(action === null ? [] : [action]), 'Check again', 'Save the proof'])
  },
)
