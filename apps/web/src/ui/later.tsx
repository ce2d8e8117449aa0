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
 * Defers a part that is not visible at first. On the first page of a visit each such part is drawn on its own when the
 * phone is idle, so that taps are answered meanwhile. On later pages nothing is deferred, so scroll positions are restored.
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
