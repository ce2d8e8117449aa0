import { t } from './i18n.ts'
import { LONG_TOAST_MS, showToast } from './overlays.ts'

/** Copies a text and shows 'Copy success' for 2000 ms, or that it failed. */
export async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    showToast(t('common.copySuccess'), { durationMs: LONG_TOAST_MS, tone: 'good' })
  } catch {
    showToast(t('common.copyFailed'), { durationMs: LONG_TOAST_MS, tone: 'bad' })
  }
}
