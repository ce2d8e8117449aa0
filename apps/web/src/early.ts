import './styles.css'
import { firstPage, firstPath, firstReads, LOGIN_PATH } from './app/guard.ts'
import { memberHeaders, readEarly } from './lib/api-routes.ts'
import { kept, SESSION_KEYS } from './lib/storage.ts'
import { loadTexts, localeOf, readLanguage } from './lib/texts.ts'

// The first thing that runs, and small: what the page needs is asked for beside the app itself, not after it, which
// saves a phone far away three round trips.
import('./main.tsx').catch(showBootFailure)

const locale = localeOf(readLanguage())
const [token = '', address = ''] = [SESSION_KEYS.token, SESSION_KEYS.tokenAddress].map(
  (key) => kept.get(key) ?? '',
)
readEarly(firstReads, memberHeaders(locale, token, address))

// What does not come the app asks for again, and tells.
const ignore = () => undefined
firstPage?.load().catch(ignore)
loadTexts(locale, 'first').catch(ignore)
if (firstPath !== LOGIN_PATH) loadTexts(locale, 'rest').catch(ignore)

/**
 * The app, its texts or its first page could not be loaded, so there is nothing to draw with: one plain button, in
 * English, that tries again.
 */
export function showBootFailure() {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'splash w-full'
  button.textContent = 'Load Failed. Tap to reload.'
  button.addEventListener('click', () => window.location.reload())
  document.getElementById('root')?.replaceChildren(button)
}
