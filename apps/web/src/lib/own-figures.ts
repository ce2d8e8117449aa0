import { createStore, useStore } from 'zustand'
import { formatAmount, formatExact } from './format.ts'
import { redraw } from './i18n.ts'
import { kept, onOtherTab } from './storage.ts'

const KEY = 'own_figures'
const HIDDEN = 'hidden'
const DOTS = '••••'

const hiddenStore = createStore<boolean>(() => kept.get(KEY) === HIDDEN)

/** Reports whether this device hides the member's own sums where others could glance at them. */
export const useOwnHidden = () => useStore(hiddenStore)

/** Hides or shows the member's own sums, in every tab of this device. */
export function setOwnHidden(isHidden: boolean) {
  kept.set(KEY, isHidden ? HIDDEN : null)
  take(isHidden)
}

onOtherTab(KEY, () => take(kept.get(KEY) === HIDDEN))

function take(isHidden: boolean) {
  hiddenStore.setState(isHidden)
  // Components that show an amount also show texts.
  redraw()
}

/** Returns a text that contains the member's own sum, or dots while sums are hidden. */
export const ownText = (text: string): string => (hiddenStore.getState() ? DOTS : text)

/** Formats the member's own sum like `formatAmount`, or returns dots while sums are hidden. */
export const formatOwn = (...args: Parameters<typeof formatAmount>) => ownText(formatAmount(...args))

/** Formats the member's own sum like `formatExact`, or returns dots while sums are hidden. */
export const formatOwnExact = (amount: string) => ownText(formatExact(amount))
