import { type ReactNode, startTransition, useEffect, useState } from 'react'
import { history } from '../lib/index.ts'

/** Parts of the first page that have not been drawn, in the order in which they asked. */
const waiting: (() => void)[] = []
let isFirstPage = true

let isFollowing = false

/**
 * From the first rendering on, and not earlier, because the router follows redirects itself while nothing
 * listens to the history.
 */
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
 * Defers a part that is not visible at first. On the first page of a visit each such part is rendered
 * separately when the phone is idle, so that taps are handled meanwhile. On later pages nothing is deferred,
 * so scroll positions are restored.
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
