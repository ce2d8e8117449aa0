import { history } from './navigation.tsx'
import { kept } from './storage.ts'

const KEY = 'font'
const NAME = 'inter'

/**
 * Loads the app's typeface once the first page has loaded, and applies it with the next page, so that no
 * visible line moves. Later visits have its file and use it from the first paint (public/theme.js).
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
