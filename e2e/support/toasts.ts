import { type BrowserContext, expect, type Page } from '@playwright/test'

/** The toasts that were shown and not yet read. */
const shown = new WeakMap<Page, string[]>()

/**
 * Keeps what the toasts of a context's pages say. One stays for two seconds, which on a machine that is busy can pass between
 * two looks; here it is written down when it appears, whenever a test asks for it, over reloads too.
 */
export async function recordToasts(context: BrowserContext): Promise<void> {
  await context.exposeBinding('__toast', ({ page }, text: string) => {
    shown.set(page, [...(shown.get(page) ?? []), text])
  })
  await context.addInitScript(() => {
    let last: Element | null = null
    const look = () => {
      const toast = document.querySelector('[role=status][aria-live=polite] > p')
      if (toast !== null && toast !== last) void window.__toast(toast.textContent ?? '')
      last = toast
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  })
}

/** A toast with this text is or was shown on the page since the last one that was expected. */
export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  const expected = typeof text === 'string' ? text : expect.stringMatching(text)
  await expect.poll(() => shown.get(page) ?? [], { message: 'toasts of the page' }).toContainEqual(expected)
  const all = shown.get(page) ?? []
  shown.set(
    page,
    all.slice(all.findIndex((one) => (typeof text === 'string' ? one === text : text.test(one))) + 1),
  )
}

declare global {
  interface Window {
    __toast(text: string): Promise<void>
  }
}
