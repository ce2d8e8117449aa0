import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { startServiceWorker } from './app/banners.tsx'
import { firstPage, firstPath, firstReads, LOGIN_PATH } from './app/guard.ts'
import { router } from './app/router.tsx'
import {
  createQueryClient,
  inTime,
  isConnectionLost,
  isSignedIn,
  needAllTexts,
  readAhead,
  sessionStore,
  setOwnTypeface,
  startI18n,
  t,
  whenLost,
} from './lib/index.ts'

/** Describes how often the end of the page's reads is looked for. */
const QUIET_MS = 1_000

/**
 * Draws the app once its first page and the texts have loaded. Rejects where these could not be loaded. It is no code of the module
 * itself, because the files of the pages import the one that this module is in.
 */
export async function startApp(): Promise<void> {
  const container = document.getElementById('root')
  if (container === null) throw new Error('index.html has no #root')
  const client = createQueryClient()
  watchSession(client)

  // What is answered meanwhile, the first drawing of the page already shows.
  for (const read of firstReads) readAhead(client, read)
  firstPage
    ?.load()
    .then((page) => page.readAhead?.(client))
    .catch(() => undefined)

  // The page's code and the texts load side by side; the first paint needs both.
  const loading = router.load()
  await inTime(Promise.all([startI18n(), Promise.race([loading, whenLost()])]))
  if (isConnectionLost()) container.replaceChildren(lostLine())
  await loading
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
  void loadOtherTexts(client).then(setOwnTypeface)
}

/** Forgets what one member loaded before another signs in. */
function watchSession(client: QueryClient) {
  let owner = sessionStore.getState().token
  sessionStore.subscribe(() => {
    const { token } = sessionStore.getState()
    if (token === owner) return
    client.clear()
    owner = token
    void loadOtherTexts(client)
  })
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
async function loadOtherTexts(client: QueryClient): Promise<void> {
  await pageIsRead(client)
  // Those who do not sign in may never need them.
  if (firstPath !== LOGIN_PATH || isSignedIn()) await needAllTexts().catch(() => undefined)
}

/** Waits until nothing is being read, however the reads ended. */
function pageIsRead(client: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const ask = () => setTimeout(() => (client.isFetching() === 0 ? resolve() : ask()), QUIET_MS)
    ask()
  })
}
