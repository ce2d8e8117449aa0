import { useEffect, useState } from 'react'

const SETTLE_MS = 300

/** A text that is typed, once typing pauses: what a search waits for. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
