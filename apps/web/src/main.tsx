import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { startServiceWorker } from './app/banners.tsx'
import { type FirstVisit, LOGIN_PATH } from './app/guard.ts'
import { router } from './app/router.tsx'
import {
  createQueryClient,
  inTime,
  isConnectionLost,
  isSignedIn,
  kept,
  needAllTexts,
  onOtherTab,
  readAhead,
  SESSION_KEYS,
  sessionStore,
  setOwnTypeface,
  startI18n,
  t,
  whenLost,
} from './lib/index.ts'

/** The interval at which the end of the page's reads is checked. */
const QUIET_MS = 1_000

/**
 * The first rendering waits this long for the page's reads, most of which are answered meanwhile, because
 * React renders the responses that arrive during a rendering again, all at once.
 */
const READS_MS = 150

/**
 * Renders the app once its first page and the texts have loaded. Rejects when these could not be loaded. It
 * is a function and not code of the module, because the files of the pages import the file of this module.
 */
export async function startApp({ path, page, reads }: FirstVisit): Promise<void> {
  const container = document.getElementById('root')
  if (container === null) throw new Error('index.html has no #root')
  const client = createQueryClient()
  // The page's data is loaded before the other texts, and these before the typeface. Only a session has changes to follow.
  const loadRest = () =>
    loadOtherTexts(client, path)
      .then(setOwnTypeface)
      .then(async () => isSignedIn() && (await import('./lib/live.ts')).follow(client))
      .catch(() => undefined)
  watchSession(client, loadRest)
  watchLock()

  // Responses that arrive meanwhile are part of the first rendering of the page.
  const firstReads = Promise.all([
    ...reads.map((read) => readAhead(client, read)),
    page?.load().then((module) => module.readAhead?.(client)),
  ]).catch(() => undefined)

  // The page's code and the texts load in parallel; the first paint needs both.
  const loading = router.load()
  const texts = startI18n(path === LOGIN_PATH ? 'first' : 'tabs')
  await inTime(Promise.all([texts, Promise.race([loading, whenLost()])]))
  if (isConnectionLost()) container.replaceChildren(lostLine())
  await loading
  await Promise.race([firstReads, new Promise((resolve) => setTimeout(resolve, READS_MS))])
  // Rendered in parts, so that a phone handles taps meanwhile.
  startTransition(() =>
    createRoot(container).render(
      <StrictMode>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StrictMode>,
    ),
  )
  startServiceWorker()
  void loadRest()
}

/** Deletes the data that one member loaded before another signs in. */
function watchSession(client: QueryClient, loadRest: () => Promise<unknown>) {
  let owner = sessionStore.getState().token
  sessionStore.subscribe(() => {
    const { token } = sessionStore.getState()
    if (token === owner) return
    client.clear()
    owner = token
    void loadRest()
  })
}

/** Activates the lock of the app where there is one, also when another tab sets it. */
function watchLock() {
  const watch = () => {
    if (kept.get(SESSION_KEYS.lock) === null) return
    import('./features/auth/lock/watch.ts')
      .then(({ followActivity }) => followActivity())
      .catch(() => undefined)
  }
  watch()
  onOtherTab(SESSION_KEYS.lock, watch)
}

/** Returns the line of a page that waits for a response before it is rendered. */
function lostLine(): HTMLElement {
  const line = document.createElement('p')
  line.role = 'status'
  line.className = 'splash'
  line.textContent = t('common.connectionLost')
  return line
}

/**
 * Loads the texts that the first page does not need after the page has loaded, so that the next one finds
 * them.
 */
async function loadOtherTexts(client: QueryClient, path: string): Promise<void> {
  await pageIsRead(client)
  // Visitors who do not sign in may never need them.
  if (path !== LOGIN_PATH || isSignedIn()) await needAllTexts().catch(() => undefined)
}

/** Waits until no read is pending, whether the reads succeeded or failed. */
function pageIsRead(client: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const ask = () => setTimeout(() => (client.isFetching() === 0 ? resolve() : ask()), QUIET_MS)
    ask()
  })
}
