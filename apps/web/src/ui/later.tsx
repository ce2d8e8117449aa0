import { type ReactNode, startTransition, useEffect, useState } from 'react'

/** Whether the first page of this visit has been drawn whole: from then on nothing is put off, and places are found again. */
let isDrawn = false

/** What stands below the first screen of a page. On the first page of a visit it is drawn after that, in pieces between which taps are answered. */
export function Later({ children }: { children: ReactNode }) {
  const [isTime, setTime] = useState(isDrawn)
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      isDrawn = true
      startTransition(() => setTime(true))
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return isTime ? children : null
}
