// Runs before the first paint, so that a stored theme and the typeface do not flash. src/lib/theme.ts and
// src/lib/typeface.ts write the same keys. It also runs before src/early.ts, which can report the failure of
// every file but its own.
;(() => {
  try {
    const theme = localStorage.getItem('theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
    if (localStorage.getItem('font') === 'inter') document.documentElement.dataset.font = 'inter'
  } catch {
    // Storage is blocked: the system's theme stays.
  }
})()

addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return
    const link = document.createElement('a')
    link.className = 'splash'
    link.href = ''
    link.textContent = 'Load Failed. Tap to reload.'
    document.getElementById('root')?.replaceChildren(link)
  },
  true,
)
