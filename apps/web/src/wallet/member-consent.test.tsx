import type { AppConfig, RouteData } from '@rif/api-schema'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { apiQuery, clearSession, saveToken } from '../lib/index.ts'
import { useSignedMutation } from './member-consent.ts'

const OWN = `0x${'11'.repeat(20)}`
const CONFIG = { chain: { id: 42161 }, contracts: { bank: OWN } } as unknown as AppConfig

afterEach(() => {
  vi.restoreAllMocks()
  clearSession()
})

/** The withdrawal page: a form while there is something to withdraw. */
function WithdrawalPage({ onSent }: { onSent: (sent: RouteData<'withdraw'>) => void }) {
  const available = useQuery<string>({ queryKey: ['me'] }).data
  if (available === '0') return <p>Nothing to withdraw yet</p>
  return <WithdrawEverything onSent={onSent} />
}

function WithdrawEverything({ onSent }: { onSent: (sent: RouteData<'withdraw'>) => void }) {
  const { send } = useSignedMutation('withdraw', { refresh: ['me'] })
  const figures = { amount: '30.000000', fee: '1.000000', arrives: '29.000000' }
  const wish = { kind: 'withdrawal', asset: 'USDT', to: OWN, ...figures } as const
  const body = { asset: 'USDT', amount: '30' } as const
  return (
    <button type="button" onClick={() => send({ body, wish, needed: false }, onSent)}>
      Withdraw
    </button>
  )
}

test('the callbacks run after a withdrawal of everything, although the new balance removes the form from the page', async () => {
  saveToken('token', OWN)
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () =>
    Response.json({ code: 200, msg: '', data: { withdraw_id: '7' } }),
  )
  let left = '30'
  const client = new QueryClient({ defaultOptions: { queries: { queryFn: async () => left, retry: false } } })
  client.setQueryData(apiQuery('config').queryKey, CONFIG as never)
  client.setQueryData(['me'], left)
  const onSent = vi.fn()
  render(
    <QueryClientProvider client={client}>
      <WithdrawalPage onSent={onSent} />
    </QueryClientProvider>,
  )
  left = '0'
  fireEvent.click(screen.getByRole('button', { name: 'Withdraw' }))
  expect(await screen.findByText('Nothing to withdraw yet')).toBeTruthy()
  await waitFor(() => expect(onSent).toHaveBeenCalledWith({ withdraw_id: '7' }))
})
