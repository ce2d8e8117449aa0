import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChangeKind } from '@rif/api-schema'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const WAIT = { timeout: 60_000, interval: 5 }

let session: typeof import('./session.ts')
let pages: typeof import('./follow.ts')
let follow: (client: QueryClient) => void
let server: Server
let client: QueryClient
/** The open streams of the server, and the tokens of all requests for streams. */
let streams: ServerResponse[]
let tokens: (string | undefined)[]
/** The ages of their pages in ms. */
let ages: (string | undefined)[]
/** The first event of each stream. */
let changed: ChangeKind[]
let status: number
/**
 * True if the server ends each stream after its first event, as a proxy that allows no long responses does.
 */
let isCut: boolean
let unobserve: (() => void)[]
let visibility: DocumentVisibilityState

beforeEach(async () => {
  ;[streams, tokens, ages, changed] = [[], [], [], ['refresh']]
  ;[status, isCut, unobserve, visibility] = [200, false, [], 'visible']
  server = createServer((request, response) => {
    tokens.push(request.headers.authorization?.slice('Bearer '.length))
    ages.push(request.headers['x-page-age'] as string | undefined)
    response.writeHead(status, { 'access-control-allow-origin': '*' })
    if (status !== 200) {
      response.end('{}')
      return
    }
    streams.push(response)
    response.on('close', () => streams.splice(streams.indexOf(response), 1))
    tell(response, ...changed)
    if (isCut) response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const real = fetch
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => real(`http://127.0.0.1:${port}${url}`, init))
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
  vi.spyOn(Math, 'random').mockReturnValue(0.01)
  vi.resetModules()
  ;[session, pages] = [await import('./session.ts'), await import('./follow.ts')]
  ;({ follow } = await import('./live.ts'))
  session.clearSession()
  client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } })
})
afterEach(async () => {
  session.clearSession()
  for (const stop of unobserve) stop()
  client.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function tell(response: ServerResponse, ...kinds: ChangeKind[]): void {
  response.write(`data: ${JSON.stringify({ kinds })}\n\n`)
}

/** Opens a page that reads a route. Returns the number of reads. */
function page(name: string): () => number {
  let reads = 0
  const queryFn = async () => ++reads
  unobserve.push(new QueryObserver(client, { queryKey: [name, {}], queryFn }).subscribe(() => undefined))
  return () => reads
}

const opened = async () => {
  await vi.waitUntil(() => streams.length === 1 && pages.looking.leastMs > 0, WAIT)
  return streams[0]!
}
function show(next: DocumentVisibilityState): void {
  visibility = next
  document.dispatchEvent(new Event('visibilitychange'))
}

it('opens one stream per session, and reads the named data again, once for a burst', async () => {
  follow(client)
  follow(client)
  expect(tokens).toEqual([])
  session.saveToken('t1', '0xann')
  const stream = await opened()
  expect(tokens).toEqual(['t1'])
  expect(pages.lookEvery(2_000)).toBe(60_000)
  const [me, order, names] = [page('me'), page('order'), page('names')]
  await vi.waitUntil(() => names() === 1, WAIT)
  for (let time = 0; time < 5; time++) tell(stream, 'order')
  stream.write(':\n\n')
  await vi.waitUntil(() => order() === 2, WAIT)
  await vi.waitUntil(() => order() === 3, WAIT)
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  expect([me(), order(), names()]).toEqual([1, 3, 1])
  tell(stream, 'balance')
  await vi.waitUntil(() => me() === 2, WAIT)
})

it('reads at first only what has changed since the page was opened', async () => {
  const [order, orders, me] = [page('order'), page('orders'), page('me')]
  await vi.waitUntil(() => order() + orders() + me() === 3, WAIT)
  changed = ['send']
  session.saveToken('t1', '0xann')
  follow(client)
  await opened()
  expect(Number(ages[0])).toBeGreaterThan(0)
  expect([order(), orders(), me()]).toEqual([1, 1, 1])
  session.clearSession()
  await vi.waitUntil(() => streams.length === 0, WAIT)

  changed = ['balance']
  session.saveToken('t2', '0xben')
  await vi.waitUntil(() => order() + orders() + me() === 6, WAIT)
  changed = ['refresh']
  streams[0]!.end()
  await vi.waitUntil(() => me() === 3, WAIT)
  expect(ages.slice(0, 2)).not.toContain(undefined)
  expect(ages[2]).toBeUndefined()
})

it('ends with the session, and starts again with the next one', async () => {
  session.saveToken('t1', '0xann')
  follow(client)
  await opened()
  session.saveToken('t2', '0xben')
  await vi.waitUntil(() => tokens.length === 2, WAIT)
  await opened()
  expect(tokens).toEqual(['t1', 't2'])
  session.clearSession()
  await vi.waitUntil(() => streams.length === 0, WAIT)
})

it('reads everything again after a gap, and polls while there is no stream', async () => {
  session.saveToken('t1', '0xann')
  follow(client)
  const stream = await opened()
  const me = page('me')
  await vi.waitUntil(() => me() === 1, WAIT)
  stream.end()
  await vi.waitUntil(() => me() === 2, WAIT)
  expect(pages.lookEvery(2_000)).toBe(60_000)
  const order = page('order')
  await vi.waitUntil(() => order() === 1, WAIT)
  status = 503
  streams[0]!.destroy()
  await vi.waitUntil(() => order() === 2, WAIT)
  expect(pages.lookEvery(2_000)).toBe(2_000)
})

it.each([503, 200])('retries less and less often when streams do not last (%i)', async (answered) => {
  ;[status, isCut] = [answered, true]
  session.saveToken('t1', '0xann')
  follow(client)
  await vi.waitUntil(() => tokens.length >= 4, WAIT)
  await new Promise((resolve) => setTimeout(resolve, 800))
  // Pauses of 40, 80, 160, 320 and 600 ms, of the random part of a hundredth.
  expect(tokens.length).toBeLessThan(8)
})

it('closes in a tab that is hidden for long, and opens when the tab is shown', async () => {
  session.saveToken('t1', '0xann')
  follow(client)
  await opened()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  show('hidden')
  vi.advanceTimersByTime(19_000)
  show('visible')
  vi.advanceTimersByTime(19_000)
  expect(tokens).toHaveLength(1)
  show('hidden')
  vi.advanceTimersByTime(20_000)
  vi.useRealTimers()
  await vi.waitUntil(() => streams.length === 0, WAIT)
  show('visible')
  await vi.waitUntil(() => streams.length === 1, WAIT)
  expect(tokens).toHaveLength(2)
})

it('leaves the detection of an ended session to the next read', async () => {
  const me = page('me')
  await vi.waitUntil(() => me() === 1, WAIT)
  status = 401
  session.saveToken('t1', '0xann')
  follow(client)
  await vi.waitUntil(() => me() === 2, WAIT)
})
