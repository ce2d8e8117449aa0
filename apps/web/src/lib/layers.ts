import { useEffect, useRef } from 'react'

/**
 * Lets "back" close the layer over a page, as in an app of the phone. While a layer is open, the browser's
 * history has one more entry on top of the page's: the guard. The router does not see it, because it uses the
 * history through `browser`, in which an opened page replaces the guard, so that no guard ever remains below
 * a page.
 */
interface Layer {
  /** Null while it must not be closed; back then changes nothing. */
  close: (() => void) | null
}

/** The state of an entry of the history. The router counts its entries in it. */
type State = Record<string, unknown> | null

const MARK = 'guard'
/** The time within which a browser goes back or forward. */
const TRAVEL_MS = 500

const { history, location } = window
const layers: Layer[] = []
const isGuard = (state: State) => state?.[MARK] === true
const indexOf = (state: State) => state?.__TSR_index

/** True while the guard is the current entry. After a reload it still is. */
let isGuarded = isGuard(history.state)
/** True while the guard is the next entry, because back has just left it. */
let isAhead = false
/** The page's entry as seen by the router while the guard is on top. */
let page = { state: history.state as State, href: location.href }
/** Ends the way to another entry. Null unless the browser is on it. */
let arrive: ((event?: PopStateEvent) => void) | null = null
/** The requests of the router meanwhile. */
const waiting: (() => void)[] = []
let tellRouter: (event: PopStateEvent) => void = () => undefined

/** Applies to the page's entry the changes that the router made while the guard was on top. */
function restorePage() {
  const { [MARK]: _, ...state } = page.state ?? {}
  if (location.href !== page.href || history.state?.__TSR_key !== state.__TSR_key)
    history.replaceState(state, '', page.href)
}

/** Goes to another entry. Requests of the router and of the guard wait meanwhile. */
function travel(steps: number, then: (event?: PopStateEvent) => void) {
  const late = setTimeout(() => arrive?.(), TRAVEL_MS)
  arrive = (event) => {
    clearTimeout(late)
    arrive = null
    isGuarded = isGuard(history.state)
    isAhead = false
    then(event)
    for (const ask of waiting.splice(0)) ask()
    settleSoon()
  }
  history.go(steps)
}

const toRouter = (event?: PopStateEvent) => event && tellRouter(event)

/**
 * Handles the arrival on the page's entry or on its guard. If another navigation came first, the router is
 * notified of the browser's actual position.
 */
function arriveOnPage(event?: PopStateEvent) {
  if (indexOf(history.state) !== indexOf(page.state)) toRouter(event)
  else if (isGuarded) writePage(page.state, page.href)
  else restorePage()
}

/** Adds the guard while a layer is open, and removes it otherwise. */
function settle() {
  const isWanted = layers.length > 0
  if (arrive !== null || isWanted === isGuarded) return
  if (isGuarded) return travel(-1, arriveOnPage)
  page = { state: history.state, href: location.href }
  // A browser skips entries that were added without a tap; this one remains.
  if (isAhead) return travel(1, arriveOnPage)
  history.pushState({ ...page.state, [MARK]: true }, '')
  isGuarded = true
}

/**
 * Waits for all changes of the same moment, because a sheet often closes just when the next one, or a page,
 * opens.
 */
const settleSoon = () => void setTimeout(settle)

/** Stores the page's entry, and gives its address to the guard on top of it. */
function writePage(state: State, href?: string | null) {
  page = { state, href: new URL(href ?? '', location.href).href }
  history.replaceState({ ...state, [MARK]: true }, '', href)
}

function ask(work: () => void) {
  if (arrive === null) work()
  else waiting.push(work)
}

function onPopState(event: PopStateEvent) {
  if (arrive !== null) return arrive(event)
  const wasGuarded = isGuarded
  isGuarded = isGuard(history.state)
  const isBack = wasGuarded && !isGuarded && indexOf(history.state) === indexOf(page.state)
  isAhead = isBack
  if (!isBack) tellRouter(event)
  else {
    restorePage()
    const top = layers.at(-1)
    // The layer has just been closed, and the guard would have been removed next.
    if (top === undefined) return travel(-1, toRouter)
    top.close?.()
  }
  settleSoon()
}

declare global {
  interface Window {
    /**
     * Ends the listener of the copy of this module that was loaded before, as after a change of its source.
     */
    stopLayers?: () => void
  }
}

let isListening = false

/** Listens to the history from its first use: the router's or a layer's. */
function listen() {
  if (isListening) return
  isListening = true
  window.stopLayers?.()
  window.stopLayers = () => window.removeEventListener('popstate', onPopState)
  window.addEventListener('popstate', onPopState)
  // A page that was reloaded below an open sheet has none.
  settleSoon()
}

/** The window as seen by the router: without the guard. */
export const browser = {
  document,
  location,
  addEventListener(type: string, listener: (event: never) => void, options?: AddEventListenerOptions) {
    if (type === 'popstate') {
      tellRouter = listener as typeof tellRouter
      listen()
    } else window.addEventListener(type, listener as EventListener, options)
  },
  history: {
    get state(): State {
      return history.state
    },
    get length() {
      return history.length
    },
    pushState: (state: State, title: string, href?: string | null) =>
      ask(() => {
        if (isGuarded) history.replaceState(state, title, href)
        else history.pushState(state, title, href)
        isGuarded = false
        isAhead = false
      }),
    replaceState: (state: State, title: string, href?: string | null) =>
      ask(() => (isGuarded ? writePage(state, href) : history.replaceState(state, title, href))),
    go: (steps: number) => ask(() => travel(isGuarded && steps < 0 ? steps - 1 : steps, toRouter)),
    back: () => browser.history.go(-1),
    forward: () => browser.history.go(1),
  },
}

/** Makes "back" call `close` while a sheet or a dialog is open. Of several, the one opened last is closed. */
export function useLayer(isOpen: boolean, close: Layer['close']) {
  const layer = useRef<Layer>({ close })
  useEffect(() => {
    layer.current.close = close
  })
  useEffect(() => {
    if (!isOpen) return
    const own = layer.current
    layers.push(own)
    listen()
    settleSoon()
    return () => {
      layers.splice(layers.indexOf(own), 1)
      settleSoon()
    }
  }, [isOpen])
}
