import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { formatClock } from '../lib/index.ts'
import { OfflineBanner } from './banners.tsx'

afterEach(() => vi.restoreAllMocks())

const newClient = () =>
  new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } } })

function setOnline(isOnline: boolean) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  act(() => void window.dispatchEvent(new Event(isOnline ? 'online' : 'offline')))
}

const Figure = ({ name }: { name: string }) => {
  const { data } = useQuery({ queryKey: [name], queryFn: () => 'never asked' })
  return <p>{String(data)}</p>
}

it('offline, a bar shows the time of the oldest figures on the page, until the connection is back', () => {
  const client = newClient()
  const today = new Date()
  const at = (hour: number, minute: number) => today.setHours(hour, minute, 0)
  client.setQueryData(['me'], '412.60', { updatedAt: at(0, 2) })
  client.setQueryData(['orders'], '3', { updatedAt: at(0, 4) })
  // Not on the page, and not figures.
  client.setQueryData(['withdrawals'], '1', { updatedAt: at(0, 1) })
  client.setQueryData(['config'], 'chain', { updatedAt: at(0, 0) })
  render(
    <QueryClientProvider client={client}>
      <OfflineBanner />
      <Figure name="me" />
      <Figure name="orders" />
      <Figure name="config" />
    </QueryClientProvider>,
  )
  expect(screen.queryByRole('status')).toBeNull()
  setOnline(false)
  expect(screen.getByRole('status').textContent).toBe(`No connection. Figures of ${formatClock(at(0, 2))}.`)
  expect(screen.getByText('412.60')).toBeTruthy()
  setOnline(true)
  expect(screen.queryByRole('status')).toBeNull()
})
