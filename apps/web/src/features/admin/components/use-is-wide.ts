import { useSyncExternalStore } from 'react'

const WIDE = window.matchMedia('(min-width: 64rem)')

function subscribe(changed: () => void) {
  WIDE.addEventListener('change', changed)
  return () => WIDE.removeEventListener('change', changed)
}

/** Reports whether the window has room for tables and side navigation. */
export const useIsWide = () => useSyncExternalStore(subscribe, () => WIDE.matches)
