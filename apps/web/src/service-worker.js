// Keeps the members' shell: the document, its scripts, styles and texts, so that it opens without a connection and an
// open session keeps the files it began with when a new version is released. The operator's pages are not among them.
// What the API or the chain answer is never kept here. The build fills in the two constants (vite.config.ts).
const VERSION = '__VERSION__'
const FILES = __FILES__

const CACHE = `shell-${VERSION}`
const DOCUMENT = '/'
/** After this long on a bad line the kept document is shown. */
const DOCUMENT_WAIT_MS = 3000
/** Between two files that the first visit keeps. */
const PAUSE_MS = 20

self.addEventListener('install', (event) => {
  event.waitUntil(keepShell())
})

/** Fetches one file after the other, with pauses: two hundred at once delay what the page draws and reads meanwhile. */
async function keepShell() {
  const cache = await caches.open(CACHE)
  for (const file of [DOCUMENT, ...FILES]) {
    await cache.add(file)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

// A new version waits until no page of the older one is open; only then are the older files dropped.
self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names
            .filter((name) => name.startsWith('shell-') && name !== CACHE)
            .map((name) => caches.delete(name)),
        ),
      ),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (isPage(url.pathname)) event.respondWith(documentOf(request))
  } else if (FILES.includes(url.pathname)) {
    // The names of built files change with their content; the few others are as old as the document that asks for them.
    event.respondWith(caches.match(request, { ignoreVary: true }).then((kept) => kept ?? fetch(request)))
  }
})

// A push says what happened, in the member's language. A repeated one has the same tag and replaces itself.
self.addEventListener('push', (event) => {
  const { title, body, path, tag, lang } = event.data.json()
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag,
      lang,
      icon: '/icons/icon-192.png',
      data: { path },
    }),
  )
})

// A tap opens a page of the app, never another address; the page asks to sign in as always.
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = new URL(event.notification.data?.path ?? '/', self.location.origin)
  const target = url.origin === self.location.origin && isPage(url.pathname) ? url.href : self.location.origin
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then(async (pages) => {
      const open = pages.find((page) => 'navigate' in page)
      if (open === undefined) return self.clients.openWindow(target)
      await open.focus()
      return open.navigate(target)
    }),
  )
})

/** Paths of pages; the API, its documentation, the chain and the probes are none. */
const isPage = (path) => path === '/' || path.startsWith('/pages/') || path === '/testWallet'

/** The document from the network, so that a release is seen at once; the kept one without a network or on a bad line. */
async function documentOf(request) {
  const kept = await caches.match(DOCUMENT, { cacheName: CACHE, ignoreVary: true })
  const fresh = fetch(request)
  if (kept === undefined) return fresh
  const late = new Promise((resolve) => setTimeout(() => resolve(kept), DOCUMENT_WAIT_MS))
  return Promise.race([fresh.catch(() => kept), late])
}
