import './styles.css'
import { showBootFailure } from './app/boot-failure.ts'
import { firstPage, firstPath, firstReads } from './app/first-page.ts'
import { LOGIN_PATH } from './app/guard.ts'
import { memberHeaders, readEarly } from './lib/early-reads.ts'
import { SESSION_KEYS } from './lib/session-keys.ts'
import { kept } from './lib/storage.ts'
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
