import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** The small form of it: half a megabyte instead of more than one, which each page is sent anew. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface AxeOptions {
  /** Only the rules that another theme can break, or those that another language can. */
  only?: 'colours' | 'names' | null
  /** Only what is inside of these, such as an open sheet. */
  within?: string
}

const RULES = {
  colours: ['color-contrast', 'link-in-text-block'],
  names: [
    ...['aria-command-name', 'aria-dialog-name', 'aria-input-field-name', 'aria-meter-name'],
    ...['aria-progressbar-name', 'aria-toggle-field-name', 'aria-tooltip-name', 'aria-treeitem-name'],
    ...['button-name', 'empty-heading', 'empty-table-header', 'image-alt', 'image-redundant-alt'],
    ...['input-button-name', 'label', 'label-title-only', 'landmark-unique', 'link-name', 'role-img-alt'],
    ...['select-name', 'summary-name', 'svg-img-alt', 'document-title', 'html-has-lang', 'html-lang-valid'],
    ...['valid-lang', 'scrollable-region-focusable'],
  ],
}

/** Axe finds nothing on the page as it is now, an open sheet or dialog included. */
export async function findNothing(page: Page, { only = null, within }: AxeOptions = {}): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const runOnly = only && RULES[only]
  const found = await page.evaluate(
    async ({ rules, inside }) => {
      // A colour on its way from one theme to the other is neither's.
      const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition)
      await Promise.allSettled(transitions.map(({ finished }) => finished))
      const { violations } = await window.axe.run(inside ?? document, {
        resultTypes: ['violations'],
        // There are no frames and no sounds, which it would look into first.
        ...{ iframes: false, preload: false },
        ...(rules !== null && { runOnly: rules }),
      })
      return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])
    },
    { rules: runOnly, inside: within },
  )
  expect(found).toEqual([])
}

interface Picture {
  /** All of the page instead of what the window shows. */
  fullPage?: boolean
}

/** With E2E_PICTURES=on, keeps a picture of the page, to be looked at. Nothing is tested with it, and there are 700 of them. */
export async function look(page: Page, name: string, { fullPage = false }: Picture = {}): Promise<void> {
  if (process.env.E2E_PICTURES) await page.screenshot({ path: `results/screens/${name}.png`, fullPage })
}

/** Waits until the page shows what it is about, and nothing of it is still being loaded. */
export async function isThere(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.locator('.animate-pulse')).toHaveCount(0)
}

/** What makes the page wider than the window: the innermost elements that reach beyond its edge. */
export const overflow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const beyond = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth,
    )
    return beyond
      .filter((element) => !beyond.some((other) => other !== element && element.contains(other)))
      .map((element) => element.outerHTML.slice(0, 300))
  })
