import { createStore, useStore } from 'zustand'
import { kept, onOtherTab } from './storage.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

// The same key is read by public/theme.js before the first paint.
const KEY = 'theme'

function read(): Theme {
  const value = kept.get(KEY)
  return value === 'light' || value === 'dark' ? value : 'system'
}

const themeStore = createStore<Theme>(read)
export const useTheme = () => useStore(themeStore)

onOtherTab(KEY, () => show(read()))

/** Applies a theme, in every tab, and stores it; `system` follows the device again. */
export function setTheme(theme: Theme) {
  kept.set(KEY, theme === 'system' ? null : theme)
  show(theme)
}

function show(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  themeStore.setState(theme)
}

/** Joins class names, leaving out falsy ones. */
export const cx = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(' ')
