import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { apiQuery, clearSession, refusalStore } from '../../lib/index.ts'
import RefusedPage from './refused-page.tsx'

/** Shows the page to a visitor with this configuration. */
function show(refused: object | null) {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  client.setQueryData(apiQuery('config').queryKey, { refused, contact: 'help@rifund.example' } as never)
  const router = createRouter({
    routeTree: createRootRoute({ component: RefusedPage }),
    history: createMemoryHistory(),
  })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}

// Another file's member may still be signed in.
beforeEach(() => clearSession())

const KP = { by: 'country', value: 'KP', reason: 'Regulation 1' }

it('states the country, the reason, the contact, and that members can withdraw their money', async () => {
  show({ ...KP, level: 'may_leave' })
  expect(await screen.findByText(/country you are connecting from \(KP\)/)).toBeTruthy()
  expect(screen.getByText(/Reason: Regulation 1/)).toBeTruthy()
  expect(screen.getByText(/you can sign in and withdraw, redeem and claim what is yours/)).toBeTruthy()
  expect(screen.getByText('help@rifund.example')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toContain('/pages/login/index')
})

it('offers no withdrawal where the law forbids it, and states that balances stay in the books', async () => {
  show({ ...KP, level: 'no_service' })
  expect(await screen.findByText(/Your balances stay in the books/)).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull()
})

it('names the wallet when the country is served', async () => {
  show(null)
  expect(await screen.findByText('The operator may not offer this to your wallet.')).toBeTruthy()
})

it('states why the last call was refused to the wallet', async () => {
  refusalStore.setState({ by: 'address', value: '0xaa', reason: 'Regulation 2', level: 'may_leave' }, true)
  show(null)
  expect(await screen.findByText(/not offer this to your wallet. Reason: Regulation 2/)).toBeTruthy()
})
