import { perTab, SEARCHES_KEY, sessionStore } from '../../../lib/index.ts'

const MOST = 5

/** Returns the last searches of the member in this tab, the newest first. */
export function recentSearches(): readonly string[] {
  try {
    const { address, texts } = JSON.parse(perTab.get(SEARCHES_KEY) ?? 'null') as {
      address: unknown
      texts: unknown
    }
    const isOwn = address === sessionStore.getState().tokenAddress && Array.isArray(texts)
    return isOwn ? texts.filter((text) => typeof text === 'string').slice(0, MOST) : []
  } catch {
    return []
  }
}

/** Stores a successful search. Searches are deleted with the tab and when the member signs out. */
export function rememberSearch(text: string): void {
  const wanted = text.trim()
  if (wanted === '') return
  const texts = [wanted, ...recentSearches().filter((recentSearch) => recentSearch !== wanted)].slice(0, MOST)
  perTab.set(SEARCHES_KEY, JSON.stringify({ address: sessionStore.getState().tokenAddress, texts }))
}
