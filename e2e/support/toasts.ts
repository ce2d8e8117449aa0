import { type BrowserContext, expect, type Page } from '@playwright/test'

/** The toasts that were shown and not yet read. */
const shown = new WeakMap<Page, string[]>()
/** The titles that toasts covered. */
const covered = new WeakMap<Page, string[]>()

/**
 * Keeps what the toasts of a context's pages say. One stays for two seconds, which on a machine that is busy can pass between
 * two looks; here it is written down when it appears, whenever a test asks for it, over reloads too.
 */
export async function recordToasts(context: BrowserContext): Promise<void> {
  await context.exposeBinding('__toast', ({ page }, text: string, titles: string[]) => {
    shown.set(page, [...(shown.get(page) ?? []), text])
    covered.set(page, [...(covered.get(page) ?? []), ...titles])
  })
  await context.addInitScript(() => {
    /** Returns the titles under a toast. Behind an open sheet the title of the page is not read. */
    const under = (toast: Element) => {
      const box = toast.getBoundingClientRect()
      const sheets = document.querySelectorAll('[role=dialog] h2')
      return [...(sheets.length > 0 ? sheets : document.querySelectorAll('h1'))]
        .filter((title) => {
          const { left, right, top, bottom } = title.getBoundingClientRect()
          return right > box.left && left < box.right && bottom > box.top && top < box.bottom
        })
        .map((title) => title.textContent ?? '')
    }
    let last: Element | null = null
    const look = () => {
      const toast = document.querySelector('[role=status][aria-live=polite] > p')
      // Beside its words a toast can have a link.
      const words = toast?.querySelector(':scope > span') ?? toast
      if (toast !== null && toast !== last) void window.__toast(words?.textContent ?? '', under(toast))
      last = toast
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  })
}

/** A toast with this text is or was shown on the page since the last one that was expected. */
export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  const expected = typeof text === 'string' ? text : expect.stringMatching(text)
  await expect.poll(() => shown.get(page) ?? [], { message: 'toasts of the page' }).toContainEqual(expected)
  expect(covered.get(page) ?? [], 'titles under a toast').toEqual([])
  const all = shown.get(page) ?? []
  shown.set(
    page,
    all.slice(all.findIndex((item) => (typeof text === 'string' ? item === text : text.test(item))) + 1),
  )
}

declare global {
  interface Window {
    __toast(text: string, titles: string[]): Promise<void>
  }
}
