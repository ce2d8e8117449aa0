import { useSyncExternalStore } from 'react'

/** `lg` and `xl` of the class names. */
const WIDE = '(min-width: 64rem)'
const WIDEST = '(min-width: 80rem)'

/** Reports whether the window has room for the navigation beside the page, two columns and tables. */
export const isWideWindow = () => window.matchMedia?.(WIDE).matches ?? false

const subscribe = (query: string) => (changed: () => void) => {
  const media = window.matchMedia?.(query)
  media?.addEventListener('change', changed)
  return () => media?.removeEventListener('change', changed)
}

const subscribeWide = subscribe(WIDE)
const subscribeWidest = subscribe(WIDEST)

/** Returns `isWideWindow`, and renders again when it changes. */
export const useIsWide = () => useSyncExternalStore(subscribeWide, isWideWindow)

/** Reports whether the window has room for details beside a table, and renders again when that changes. */
export const useIsWidest = () =>
  useSyncExternalStore(subscribeWidest, () => window.matchMedia?.(WIDEST).matches ?? false)
