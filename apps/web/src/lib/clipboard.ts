import { t } from './i18n.ts'
import { LONG_TOAST_MS, showToast } from './overlays.ts'

/**
 * Copies a text and shows 'Copy success' for 2000 ms. Where the page may not copy, as over plain HTTP, it offers
 * the selected text for the member's own copy.
 */
export async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    if (!copySelected(text)) {
      // Its field holds the text, selected.
      window.prompt(t('common.copyYourself'), text)
      return
    }
  }
  showToast(t('common.copySuccess'), { durationMs: LONG_TOAST_MS, tone: 'good' })
}

/** Copies a text by selecting it, which browsers also allow over plain HTTP. Returns false where they do not. */
function copySelected(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'sr-only'
  // Behind an open dialog nothing can be selected.
  const dialogs = document.querySelectorAll('dialog[open]')
  ;(dialogs[dialogs.length - 1] ?? document.body).append(field)
  try {
    field.focus()
    field.select()
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (before instanceof HTMLElement) before.focus()
  }
}
