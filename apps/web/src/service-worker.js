// Keeps the members' shell: the document, its scripts, styles and texts, so that it opens without a connection and an
// open session keeps the files it began with when a new version is released. The operator's pages are not among them.
// What the API or the chain answer is never kept here. The build fills in the two constants (vite.config.ts).
const VERSION = '__VERSION__'
const FILES = __FILES__

const CACHE = `shell-${VERSION}`
const DOCUMENT = '/'
/** After this long on a bad line the kept document is shown. */
const DOCUMENT_WAIT_MS = 3000

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([DOCUMENT, ...FILES])))
})

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
