import { useEffect, useState } from 'react'

/** Reports whether a time has passed, and renders again when it does; never without a time. */
export function useHasEnded(until: string | null): boolean {
  const [ended, setEnded] = useState<string | null>(null)
  useEffect(() => {
    if (until === null) return
    const timer = setTimeout(() => setEnded(until), Math.max(0, Date.parse(until) - Date.now()))
    return () => clearTimeout(timer)
  }, [until])
  return until !== null && (ended === until || Date.parse(until) <= Date.now())
}
