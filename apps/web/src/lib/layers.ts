import { useEffect, useRef } from 'react'

/**
 * Lets "back" close what lies over a page, as in an app of the phone. While anything is open, one more entry of the browser's
 * history stands on top of the page's: the guard. The router does not know it. It sees the history through `browser`, in which
 * opening a page takes the guard's place, so that no guard is ever left below a page.
 */
interface Layer {
  /** Null while it must not be closed: back then changes nothing. */
  close: (() => void) | null
}

/** The state of an entry of the history. The router counts its entries in it. */
type State = Record<string, unknown> | null

const MARK = 'guard'
/** A browser goes back or forward within this time. */
const TRAVEL_MS = 500

const { history, location } = window
const layers: Layer[] = []
const isGuard = (state: State) => state?.[MARK] === true
const indexOf = (state: State) => state?.__TSR_index

/** True while the guard is the current entry. After a reload it still is. */
let isGuarded = isGuard(history.state)
/** True while the guard is the next entry: back has just left it. */
let isAhead = false
/** The page's entry as the router knows it, while the guard stands on top. */
let page = { state: history.state as State, href: location.href }
/** Ends the way to another entry. Null unless the browser is on it. */
let arrive: ((event?: PopStateEvent) => void) | null = null
/** The wishes of the router meanwhile. */
const waiting: (() => void)[] = []
let tellRouter: (event: PopStateEvent) => void = () => undefined

/** Gives the page's entry what the router wrote while the guard stood on top. */
function restorePage() {
  const { [MARK]: _, ...state } = page.state ?? {}
  if (location.href !== page.href || history.state?.__TSR_key !== state.__TSR_key)
    history.replaceState(state, '', page.href)
}

/** Goes to another entry. What the router asks for meanwhile waits, as does the guard. */
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

/** Arrives on the page's entry or on its guard; if somebody was faster, the router is told where the browser went instead. */
function arriveOnPage(event?: PopStateEvent) {
  if (indexOf(history.state) !== indexOf(page.state)) toRouter(event)
  else if (isGuarded) writePage(page.state, page.href)
  else restorePage()
}

/** Puts the guard where something is open, and takes it away where nothing is. */
function settle() {
  const isWanted = layers.length > 0
  if (arrive !== null || isWanted === isGuarded) return
  if (isGuarded) return travel(-1, arriveOnPage)
  page = { state: history.state, href: location.href }
  // A browser skips entries that were added without a tap; this one is there.
  if (isAhead) return travel(1, arriveOnPage)
  history.pushState({ ...page.state, [MARK]: true }, '')
  isGuarded = true
}

/** Settles when all has been said: one sheet often closes at the moment at which the next one opens, or a page does. */
const settleSoon = () => void setTimeout(settle)

/** Keeps the page's entry, and gives its address to the guard on top of it. */
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
    // It has just been closed, and the guard would have gone next.
    if (top === undefined) return travel(-1, toRouter)
    top.close?.()
  }
  settleSoon()
}

declare global {
  interface Window {
    /** Ends the listening of the copy of this module that was loaded before, as after a change of its source. */
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

/** The window as the router sees it: without the guard. */
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

/** Has "back" call `close` while a sheet or a dialog is open. Of several, the one that opened last is closed. */
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
