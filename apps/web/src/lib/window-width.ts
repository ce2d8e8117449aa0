import { useSyncExternalStore } from 'react'

/** `lg` of the class names. */
const WIDE = '(min-width: 64rem)'

/** Reports whether the window has room for the navigation beside the page, two columns and tables. */
export const isWideWindow = () => window.matchMedia?.(WIDE).matches ?? false

function subscribe(changed: () => void) {
  const media = window.matchMedia?.(WIDE)
  media?.addEventListener('change', changed)
  return () => media?.removeEventListener('change', changed)
}

/** Returns `isWideWindow`, and renders again when it changes. */
export const useIsWide = () => useSyncExternalStore(subscribe, isWideWindow)
