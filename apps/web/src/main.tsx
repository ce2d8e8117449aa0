import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { startServiceWorker } from './app/banners.tsx'
import { firstReads } from './app/guard.ts'
import { router } from './app/router.tsx'
import {
  createQueryClient,
  inTime,
  isConnectionLost,
  readAhead,
  sessionStore,
  setOwnTypeface,
  startI18n,
  t,
  whenLost,
} from './lib/index.ts'

/** Describes how often the end of the page's reads is looked for. */
const QUIET_MS = 1_000

const queryClient = createQueryClient()

// What one member loaded is not shown to the next.
let owner = sessionStore.getState().token
sessionStore.subscribe(() => {
  const { token } = sessionStore.getState()
  if (token !== owner) queryClient.clear()
  owner = token
})

const container = document.getElementById('root')
if (container === null) throw new Error('index.html has no #root')

// What it answers meanwhile, the first drawing of the page already shows.
for (const read of firstReads) readAhead(queryClient, read)

// The page's code and the texts load side by side; the first paint needs both.
const loading = router.load()
await inTime(Promise.all([startI18n(), Promise.race([loading, whenLost()])]))
// A page that waits for an answer before it is drawn says so.
const line = document.createElement('p')
line.role = 'status'
line.className = 'splash'
line.textContent = t('common.connectionLost')
if (isConnectionLost()) container.replaceChildren(line)
await loading
// Drawn in pieces: a phone answers taps meanwhile.
startTransition(() =>
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  ),
)
startServiceWorker()
// What the page reads comes before the typeface.
void pageIsRead(queryClient).then(setOwnTypeface)

/** Waits until nothing is being read, however the reads ended. */
function pageIsRead(client: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const ask = () => setTimeout(() => (client.isFetching() === 0 ? resolve() : ask()), QUIET_MS)
    ask()
  })
}
