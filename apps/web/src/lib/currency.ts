import { createStore, useStore } from 'zustand'
import { kept, onOtherTab } from './storage.ts'

const KEY = 'second_currency'
const CODE = /^[A-Z]{3}$/

const read = () => {
  const code = kept.get(KEY)
  return code !== null && CODE.test(code) ? code : null
}

const currencyStore = createStore<string | null>(read)

/** Returns the code of this device's second currency for totals; null for none. */
export const useCurrency = () => useStore(currencyStore)

/** Sets the second currency of this device, in every tab; null for none. */
export function setCurrency(code: string | null) {
  kept.set(KEY, code)
  currencyStore.setState(code)
}

onOtherTab(KEY, () => currencyStore.setState(read()))
