import type { ChangeKind } from '@rif/api-schema'
import type { QueryClient } from '@tanstack/react-query'
import { memberHeaders, routeOf, urlOf } from './api-routes.ts'
import { isConnectionLost, lostStore } from './connection.ts'
import { looking } from './follow.ts'
import { currentLocale } from './language.ts'
import { createRereads, isAwaited } from './live-reads.ts'
import { isSignedIn, sessionStore } from './session.ts'

/**
 * The pauses before a stream is opened again. They double, and each is shortened by a random part, so that
 * the tabs of a process that has ended do not reconnect at the same time.
 */
const FIRST_PAUSE_MS = 4_000
const LONGEST_PAUSE_MS = 60_000
/**
 * A stream that broke earlier counts as refused, because a proxy may prevent long streams, and each new one
 * reads missed data again.
 */
const STEADY_MS = 30_000
/** The server writes something every 20 s. */
const SILENCE_MS = 50_000
/**
 * A tab that is hidden for longer has no stream, because without HTTP/2 a browser has only six connections to
 * a server for all tabs.
 */
const HIDDEN_MS = 20_000
/** The pages poll again when the stream has been missing for this long. */
const AWAY_MS = 5_000
/** A page also polls at this interval, because a notification can be lost. */
const SAFETY_MS = 60_000

let isFollowing = false

/**
 * Keeps one stream open for this tab during a session, and reads the named data again. Can be called
 * repeatedly.
 */
export function follow(client: QueryClient): void {
  if (isFollowing) return
  isFollowing = true
  const rereads = createRereads(client)
  let stream: AbortController | undefined
  let owner = ''
  let wasOpen = false
  let isHiddenLong = document.visibilityState === 'hidden'
  let pauseMs = 0
  let openedAt = Number.NaN
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined
  let awayTimer: ReturnType<typeof setTimeout> | undefined

  /**
   * Reads what has changed since the page was opened. If the server cannot say that, it reads the data that the page waits for now, and
   * the rest soon if it may have changed without a stream.
   */
  function begin(kinds: readonly ChangeKind[]): void {
    clearTimeout(awayTimer)
    awayTimer = undefined
    openedAt = Date.now()
    looking.leastMs = SAFETY_MS
    if (!kinds.includes('refresh')) for (const kind of kinds) rereads.take(kind)
    else {
      rereads.read(isAwaited)
      if (wasOpen) rereads.take('refresh')
    }
    wasOpen = true
  }

  /** Makes the pages poll again soon, unless the stream returns first. */
  function setAway(): void {
    if (looking.leastMs === 0 || awayTimer !== undefined) return
    awayTimer = setTimeout(() => {
      awayTimer = undefined
      looking.leastMs = 0
      // Their next poll was planned a minute ahead.
      rereads.read(isAwaited)
    }, AWAY_MS)
  }

  function close(): void {
    clearTimeout(retryTimer)
    retryTimer = undefined
    stream?.abort()
    stream = undefined
    setAway()
  }

  /** Opens or closes the stream, as required now. */
  function settle(): void {
    const { token } = sessionStore.getState()
    if (token !== owner) {
      close()
      rereads.clear()
      owner = token
      wasOpen = false
      pauseMs = 0
    }
    if (!isSignedIn() || !navigator.onLine || isHiddenLong) close()
    // While the server cannot be reached, a single read at a time retries.
    else if (stream === undefined && retryTimer === undefined && !isConnectionLost()) void open()
  }

  /** Like `settle`, without waiting for the pause to end, because the device or its member is back. */
  function settleNow(): void {
    clearTimeout(retryTimer)
    retryTimer = undefined
    pauseMs = 0
    settle()
  }

  async function open(): Promise<void> {
    const own = new AbortController()
    stream = own
    openedAt = Number.NaN
    // A connection that breaks, or is silent, is opened again like a refused one.
    const retryAfterMs = await readStream(own).catch(() => 0)
    if (stream !== own) return
    stream = undefined
    setAway()
    if (Date.now() - openedAt > STEADY_MS) pauseMs = 0
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs === 0 ? FIRST_PAUSE_MS : pauseMs * 2)
    retryTimer = setTimeout(
      () => {
        retryTimer = undefined
        settle()
      },
      retryAfterMs + pauseMs * Math.random(),
    )
  }

  /**
   * Reads a stream to its end. Returns the pause that the server requests, in ms. Throws when the connection
   * breaks.
   */
  async function readStream(own: AbortController): Promise<number> {
    const { token, tokenAddress } = sessionStore.getState()
    const giveUp = () => own.abort()
    let silence = setTimeout(giveUp, SILENCE_MS)
    try {
      const response = await fetch(urlOf(routeOf('changes'), {}), {
        headers: {
          ...memberHeaders(currentLocale(), token, tokenAddress),
          // A later stream begins after a gap.
          ...(!wasOpen && { [PAGE_AGE_HEADER]: String(pageAgeMs()) }),
        },
        signal: own.signal,
      })
      // The next read detects the end of the session, as everywhere.
      if (response.status === 401) rereads.read(() => true)
      if (!response.ok || response.body === null)
        return 1_000 * Number(response.headers.get('retry-after') ?? 0)
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      let isFirst = true
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return 0
        clearTimeout(silence)
        silence = setTimeout(giveUp, SILENCE_MS)
        const frames = (text + value).split('\n\n')
        text = frames.pop() ?? ''
        for (const kinds of frames.filter(isEvent).map(kindsIn)) {
          if (isFirst) begin(kinds)
          else for (const kind of kinds) rereads.take(kind)
          isFirst = false
        }
      }
    } finally {
      clearTimeout(silence)
    }
  }

  function onVisibility(): void {
    clearTimeout(hiddenTimer)
    if (document.visibilityState === 'visible') {
      isHiddenLong = false
      settleNow()
      return
    }
    hiddenTimer = setTimeout(() => {
      isHiddenLong = true
      settle()
    }, HIDDEN_MS)
  }

  sessionStore.subscribe(settle)
  lostStore.subscribe(settle)
  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('online', settleNow)
  window.addEventListener('offline', settle)
  settle()
}

const DATA = 'data: '
/** `PAGE_AGE_HEADER` of `@rif/api-schema`, whose schemas the app does not load. */
const PAGE_AGE_HEADER = 'X-Page-Age'

/** Reports whether a frame is an event; others are heartbeats. */
const isEvent = (frame: string) => frame.startsWith(DATA)

/** Returns the kinds that an event names. */
const kindsIn = (event: string) => (JSON.parse(event.slice(DATA.length)) as { kinds: ChangeKind[] }).kinds

/** Returns the age of the page in ms, also on a device that slept meanwhile. */
const pageAgeMs = () => Math.ceil(Math.max(performance.now(), Date.now() - performance.timeOrigin))
