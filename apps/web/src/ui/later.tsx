import { type ReactNode, startTransition, useEffect, useState } from 'react'
import { history } from '../lib/index.ts'

/** Parts of the first page that have not been drawn, in the order in which they asked. */
const waiting: (() => void)[] = []
let isFirstPage = true

let isFollowing = false

/** From the first drawing on, not before: as long as nobody listens to the history, the router follows redirects itself. */
function followHistory() {
  if (isFollowing) return
  isFollowing = true
  history.subscribe(() => {
    isFirstPage = false
  })
}

/** A phone that is never idle draws the next part after this long all the same. */
const PATIENCE_MS = 500
// Safari has no idle callbacks.
const whenIdle = (work: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(work, { timeout: PATIENCE_MS }) : setTimeout(work, 20)

function drawNext() {
  const draw = waiting.shift()
  if (draw === undefined) return
  startTransition(draw)
  if (waiting.length > 0) whenIdle(drawNext)
}

/**
 * What is not seen at first: below the first screen, or nothing as long as all is well. On the first page of a visit
 * each of these parts is drawn for itself when the phone is idle, so that it answers taps meanwhile. On later pages
 * nothing is put off, and places are found again.
 */
export function Later({ children }: { children: ReactNode }) {
  const [isTime, setTime] = useState(!isFirstPage)
  useEffect(() => {
    followHistory()
    const draw = () => setTime(true)
    if (waiting.push(draw) === 1) whenIdle(drawNext)
    return () => {
      if (waiting.includes(draw)) waiting.splice(waiting.indexOf(draw), 1)
    }
  }, [])
  return isTime ? children : null
}
