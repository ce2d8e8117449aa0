// Runs before the first paint, so that a kept theme does not flash. src/lib/theme.ts writes the same key.
;(() => {
  try {
    const theme = localStorage.getItem('theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  } catch {
    // Storage is blocked: the system's theme stays.
  }
})()
