import './styles.css'
import type { AppConfig } from '@rif/api-schema'
import { type FirstVisit, firstVisit, LOGIN_PATH } from './app/guard.ts'
import { memberHeaders, peekEarly, readEarly, routeOf, urlOf } from './lib/api-routes.ts'
import { kept, readToken, SESSION_KEYS } from './lib/storage.ts'
import { loadTexts, localeOf, readLanguage } from './lib/texts.ts'
import { balanceCalls, sendEarly } from './wallet/chain-calls.ts'

const PAINT_PATIENCE_MS = 100

const painted = firstPaint()

// A locked session is opened before any member data is read or drawn.
if (kept.get(SESSION_KEYS.sealed) === null) begin(firstVisit())
else {
  import('./features/auth/lock/lock-screen.tsx')
    .then(({ unlock }) => unlock())
    .then(() => begin(firstVisit()))
    .catch(showBootFailure)
}

/**
 * Runs first, and is small: it requests the page's data in parallel with the app, not afterwards, which saves
 * a distant phone three round trips. The app itself is already loading (preloadApp in vite.config.ts); it
 * runs after the first paint.
 */
function begin(visit: FirstVisit) {
  startApp(visit).catch(showBootFailure)

  const { path, page, reads } = visit
  const locale = localeOf(readLanguage())
  const address = kept.get(SESSION_KEYS.tokenAddress) ?? ''
  readEarly(reads, memberHeaders(locale, readToken() ?? '', address))

  // The app repeats failed requests and shows their errors.
  const ignore = () => undefined
  loadTexts(locale, path === LOGIN_PATH ? 'first' : 'tabs').catch(ignore)
  const files = pageFiles()[path]
  if (path === '/' && kept.get(SESSION_KEYS.walletId) === 'demo') readDemoWallet(address).catch(ignore)
  if (files === undefined) loadTexts(locale, 'rest').catch(ignore)
  preload(files ?? [])
  painted.then(() => page?.load()).catch(ignore)
}

/**
 * Runs React, the app's modules and the app in separate tasks, so that a phone responds to taps in between.
 */
async function startApp(visit: FirstVisit) {
  formatDatesSoon()
  await painted
  await prepareBrowser()
  await import('react-dom/client')
  await nextTask()
  const app = await import('./main.tsx')
  await nextTask()
  await app.startApp(visit)
}

/**
 * Creates the first date formatter of the process in a worker, because it is one long step. The worker's file comes before the
 * page's data, so that the worker is done before the page formats a date; a page that is earlier creates its own.
 */
function formatDatesSoon() {
  try {
    new Worker(new URL('./dates-worker.ts', import.meta.url))
  } catch {
    // Workers are blocked.
  }
}

/** Opens the storage of the tab, which is slow the first time, while waiting for the app. */
async function prepareBrowser() {
  try {
    sessionStorage.getItem('')
  } catch {
    // Storage is blocked.
  }
  await nextTask()
}

/** In the background, where timers are slow, no taps have to be handled. */
const nextTask = async () => {
  if (!document.hidden) await new Promise((resolve) => setTimeout(resolve))
}

/** Reads the balances of the demo wallet, which reads through the server, for the total on the home page. */
async function readDemoWallet(address: string) {
  const answer = await peekEarly(urlOf(routeOf('config'), {}))
  if (answer?.ok !== true) return
  const { data }: { data: AppConfig } = await answer.clone().json()
  sendEarly(data.chain.rpc_url, balanceCalls(data, address))
}

/** Returns the files of the first pages by path, as the build names them in the document (preloadApp in vite.config.ts). */
function pageFiles(): Readonly<Record<string, readonly string[]>> {
  const text = document.querySelector<HTMLMetaElement>('meta[name=pages]')?.content
  return text === undefined ? {} : JSON.parse(text)
}

function preload(files: readonly string[]) {
  for (const file of files) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = `/${file}`
    document.head.append(link)
  }
}

/** A page in the background paints nothing, so its paint is not awaited. */
function firstPaint(): Promise<unknown> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, PAINT_PATIENCE_MS)
  })
}

/**
 * Shown if the app, its texts or its first page could not be loaded, so that nothing can be drawn with them:
 * one plain button, in English, that retries.
 */
export function showBootFailure() {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'splash w-full'
  button.textContent = 'Load Failed. Tap to reload.'
  button.addEventListener('click', () => window.location.reload())
  document.getElementById('root')?.replaceChildren(button)
}
