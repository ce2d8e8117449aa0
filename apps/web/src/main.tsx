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

/** Describes how often the end of the page's reads is looked for. */
const QUIET_MS = 1_000

/**
 * The first drawing waits this long for the page's reads, which most answer meanwhile: what is answered during a drawing React
 * draws again, all at once.
 */
const READS_MS = 150

/**
 * Draws the app once its first page and the texts have loaded. Rejects where these could not be loaded. It is no code of the module
 * itself, because the files of the pages import the one that this module is in.
 */
export async function startApp({ path, page, reads }: FirstVisit): Promise<void> {
  const container = document.getElementById('root')
  if (container === null) throw new Error('index.html has no #root')
  const client = createQueryClient()
  const readOtherTexts = () => loadOtherTexts(client, path)
  watchSession(client, readOtherTexts)
  watchLock()

  // What is answered meanwhile, the first drawing of the page already shows.
  const known = Promise.all([
    ...reads.map((read) => readAhead(client, read)),
    page?.load().then((module) => module.readAhead?.(client)),
  ]).catch(() => undefined)

  // The page's code and the texts load side by side; the first paint needs both.
  const loading = router.load()
  const texts = startI18n(path === LOGIN_PATH ? 'first' : 'tabs')
  await inTime(Promise.all([texts, Promise.race([loading, whenLost()])]))
  if (isConnectionLost()) container.replaceChildren(lostLine())
  await loading
  await Promise.race([known, new Promise((resolve) => setTimeout(resolve, READS_MS))])
  // Drawn in pieces: a phone answers taps meanwhile.
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
  // What the page reads comes before the other texts, and these before the typeface.
  void readOtherTexts()
    .then(setOwnTypeface)
    .then(async () => (await import('./lib/live.ts')).follow(client))
    .catch(() => undefined)
}

/** Forgets what one member loaded before another signs in. */
function watchSession(client: QueryClient, readOtherTexts: () => Promise<void>) {
  let owner = sessionStore.getState().token
  sessionStore.subscribe(() => {
    const { token } = sessionStore.getState()
    if (token === owner) return
    client.clear()
    owner = token
    void readOtherTexts()
  })
}

/** Follows the lock of the app where there is one, also when another tab puts it on. */
function watchLock() {
  const watch = () => {
    if (kept.get(SESSION_KEYS.lock) === null) return
    import('./features/auth/lock/watch.ts').then(({ follow }) => follow()).catch(() => undefined)
  }
  watch()
  onOtherTab(SESSION_KEYS.lock, watch)
}

/** Returns the line that a page shows which waits for an answer before it is drawn. */
function lostLine(): HTMLElement {
  const line = document.createElement('p')
  line.role = 'status'
  line.className = 'splash'
  line.textContent = t('common.connectionLost')
  return line
}

/** Loads the texts that no first page needs when the page has been read, so that the next one finds them. */
async function loadOtherTexts(client: QueryClient, path: string): Promise<void> {
  await pageIsRead(client)
  // Those who do not sign in may never need them.
  if (path !== LOGIN_PATH || isSignedIn()) await needAllTexts().catch(() => undefined)
}

/** Waits until nothing is being read, however the reads ended. */
function pageIsRead(client: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const ask = () => setTimeout(() => (client.isFetching() === 0 ? resolve() : ask()), QUIET_MS)
    ask()
  })
}
