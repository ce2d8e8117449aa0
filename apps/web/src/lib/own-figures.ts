import { createStore, useStore } from 'zustand'
import { formatAmount, formatExact } from './format.ts'
import { redraw } from './i18n.ts'
import { kept, onOtherTab } from './storage.ts'

const KEY = 'own_figures'
const HIDDEN = 'hidden'
const DOTS = '••••'

const hiddenStore = createStore<boolean>(() => kept.get(KEY) === HIDDEN)

/** Reports whether this device hides the member's own sums where they would be read in passing. */
export const useOwnHidden = () => useStore(hiddenStore)

/** Hides or shows the own sums, in every tab of this device. */
export function setOwnHidden(isHidden: boolean) {
  kept.set(KEY, isHidden ? HIDDEN : null)
  take(isHidden)
}

onOtherTab(KEY, () => take(kept.get(KEY) === HIDDEN))

function take(isHidden: boolean) {
  hiddenStore.setState(isHidden)
  // Who shows an amount shows texts too.
  redraw()
}

/** Returns a text that names an own sum, or dots while sums are hidden. */
export const ownText = (text: string): string => (hiddenStore.getState() ? DOTS : text)

/** Formats an own sum like `formatAmount`, or returns dots while sums are hidden. */
export const formatOwn = (...args: Parameters<typeof formatAmount>) => ownText(formatAmount(...args))

/** Formats an own sum like `formatExact`, or returns dots while sums are hidden. */
export const formatOwnExact = (amount: string) => ownText(formatExact(amount))
