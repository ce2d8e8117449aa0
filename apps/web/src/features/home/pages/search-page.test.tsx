import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isConnectionLost, writeSearch } from '../../../lib/index.ts'
import { recentSearches, rememberSearch } from '../search/recent-searches.ts'
import SearchPage from './search-page.tsx'

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const NONE = { items: [], more: false }
const FOUND = {
  activity: { ...NONE, more: false },
  orders: {
    items: [
      {
        kind: 'package',
        order_id: '17',
        name: 'Launch 500',
        status: 'Paid',
        amount: '500.000000',
        at: '2026-11-01T10:00:00.000Z',
      },
      {
        kind: 'fund',
        order_id: '4',
        name: 'Harbour bonds',
        status: 'Redeemed',
        amount: '20.200000',
        at: '2026-10-01T10:00:00.000Z',
      },
    ],
    more: true,
  },
  addresses: {
    items: [{ address: ADDRESS, name: 'Cousin', note: 'Met in Osaka', member_id: '9' }],
    more: false,
  },
}

let answer: () => Promise<Response>
let requests: string[]
beforeEach(() => {
  requests = []
  answer = async () => Response.json({ code: 200, msg: '', data: FOUND })
  vi.spyOn(globalThis, 'fetch').mockImplementation((url) => {
    requests.push(`${url}`)
    return answer()
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  sessionStorage.clear()
})

/** Shows the page at its address with its router. */
async function open(q = '') {
  const root = createRootRoute()
  const page = createRoute({
    getParentRoute: () => root,
    path: '/pages/search',
    component: SearchPage,
    validateSearch: (search: { q?: string }) => search,
  })
  const router = createRouter({
    routeTree: root.addChildren([page]),
    stringifySearch: writeSearch,
    history: createMemoryHistory({ initialEntries: [`/pages/search${q === '' ? '' : `?q=${q}`}`] }),
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await screen.findByRole('searchbox')
}

test('before typing, it shows the lists, common questions and the last searches of this member', async () => {
  rememberSearch('harbour')
  await open()
  expect(screen.getByRole('link', { name: 'Orders' })).toBeTruthy()
  expect(await screen.findByText('Often asked')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'harbour' })).toBeTruthy()
  expect(requests).toEqual([])
})

test('the results are in groups, link to their pages, and state when there are more', async () => {
  await open('launch')
  const order = await screen.findByRole('link', { name: /Launch 500/ })
  expect(order.getAttribute('href')).toBe('/pages/shop/shopOrderDetail?order_id=17')
  expect(screen.getByRole('link', { name: /Harbour bonds/ }).getAttribute('href')).toBe(
    '/pages/found/order_detail?order_id=4',
  )
  const cousin = screen.getByRole('link', { name: /Cousin.*Met in Osaka/ })
  expect(cousin.getAttribute('href')).toBe('/pages/my/invite/inviteTree?member=9')
  expect(screen.getByRole('link', { name: 'All' }).getAttribute('href')).toBe('/pages/shop/orderList')
  expect(requests).toHaveLength(1)
  expect(requests[0]).toContain('q=launch')
})

test("a search also requests the kinds of transactions whose names in the member's language contain the text", async () => {
  await open('referral')
  await waitFor(() => expect(requests).toHaveLength(1))
  expect(new URL(requests[0]!, 'http://localhost').searchParams.get('kinds')).toContain('commission')
})

test('without results it says so, and the search can be cleared', async () => {
  answer = async () =>
    Response.json({ code: 200, msg: '', data: { activity: NONE, orders: NONE, addresses: NONE } })
  await open('xylophone')
  expect(await screen.findByText('Nothing found for “xylophone”')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Clear the search' }))
  expect(await screen.findByText('Often asked')).toBeTruthy()
})

test('a failure offers a retry, and the help is still searched', async () => {
  answer = async () =>
    Response.json({ code: 500, msg: 'broken', data: { error: 'INTERNAL', details: {} } }, { status: 500 })
  await open('stuck')
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
  expect(await screen.findByRole('link', { name: /stuck|pending/i })).toBeTruthy()
})

test('without a connection it states that only the help is searched, and searches it', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  answer = () => Promise.reject(new TypeError('offline'))
  await open('stuck')
  expect(await screen.findByText(/Only the help can be searched/)).toBeTruthy()
  expect(await screen.findByRole('link', { name: /stuck|pending/i })).toBeTruthy()
  // The state of the connection outlives the page.
  answer = async () => Response.json({ code: 200, msg: '', data: {} })
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(isConnectionLost()).toBe(false))
})

test('a successful search is kept in the tab, five at most, and none of another member', () => {
  for (const text of ['a', 'b', 'c', 'd', 'e', 'f', 'b', ' ']) rememberSearch(text)
  expect(recentSearches()).toEqual(['b', 'f', 'e', 'd', 'c'])
  sessionStorage.setItem('searches', JSON.stringify({ address: 'somebody else', texts: ['theirs'] }))
  expect(recentSearches()).toEqual([])
  sessionStorage.setItem('searches', '{broken')
  expect(recentSearches()).toEqual([])
})
