// Runs before the first paint, so that a kept theme and the typeface do not flash. src/lib/theme.ts and src/lib/typeface.ts
// write the same keys.
;(() => {
  try {
    const theme = localStorage.getItem('theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
    if (localStorage.getItem('font') === 'inter') document.documentElement.dataset.font = 'inter'
  } catch {
    // Storage is blocked: the system's theme stays.
  }
})()
