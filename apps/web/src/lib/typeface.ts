import { history } from './navigation.tsx'
import { kept } from './storage.ts'

const KEY = 'font'
const NAME = 'inter'

/**
 * Loads the own typeface once the first page has been read, and sets it with the next page: no line moves that somebody is
 * reading. Later visits have its file and use it from the first paint (public/theme.js).
 */
export async function setOwnTypeface(): Promise<void> {
  if (document.documentElement.dataset.font === NAME) return
  await document.fonts.load('1em Inter')
  kept.set(KEY, NAME)
  const stop = history.subscribe(() => {
    stop()
    document.documentElement.dataset.font = NAME
  })
}
