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

/** What a finger needs, by WCAG 2.5.5. */
const TARGET_PX = 44

/**
 * The controls in sight that are smaller than a finger needs, of which what an ancestor cuts off is no part. A radio or a
 * checkbox is its label; a link inside of a sentence has the height of its line (WCAG 2.5.8, inline).
 */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate((least) => {
    const CONTROLS =
      'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=switch], [role=menuitem], [role=option]'
    const cut = (element: Element) => {
      let { left, top, right, bottom } = element.getBoundingClientRect()
      // What can be scrolled into sight is not cut off, whatever stands around.
      let [scrollsX, scrollsY] = [false, false]
      for (let box = element.parentElement; box !== null; box = box.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(box)
        const edge = box.getBoundingClientRect()
        scrollsX ||= /auto|scroll/.test(overflowX)
        scrollsY ||= /auto|scroll/.test(overflowY)
        if (!scrollsX && /hidden|clip/.test(overflowX))
          [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)]
        if (!scrollsY && /hidden|clip/.test(overflowY))
          [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)]
        if (position === 'fixed') break
      }
      return { width: right - left, height: bottom - top }
    }
    const isOfSentence = (element: Element) =>
      getComputedStyle(element).display === 'inline' &&
      element.parentElement?.textContent?.trim() !== element.textContent?.trim()
    const targetOf = (element: Element) =>
      element instanceof HTMLInputElement && /radio|checkbox|file/.test(element.type)
        ? (element.labels?.[0] ?? element)
        : element
    return [...document.querySelectorAll(CONTROLS)].flatMap((element) => {
      const target = targetOf(element)
      if (!target.checkVisibility({ visibilityProperty: true }) || isOfSentence(target)) return []
      const { width, height } = cut(target)
      if (Math.min(width, height) >= least - 0.5) return []
      const what = element.getAttribute('aria-label') ?? target.textContent ?? ''
      return [
        `${Math.round(width)}x${Math.round(height)} ${element.tagName.toLowerCase()} ${what.slice(0, 60)}`,
      ]
    })
  }, TARGET_PX)

interface Picture {
  /** All of the page instead of what the window shows. */
  fullPage?: boolean
}

/**
 * Looks at the page as it is: every control in sight is as large as a finger needs. With E2E_PICTURES=on it also keeps a
 * picture, to be looked at by people; there are 700 of them.
 */
export async function look(page: Page, name: string, { fullPage = false }: Picture = {}): Promise<void> {
  expect(await smallTargets(page), `${name} has controls under ${TARGET_PX} px`).toEqual([])
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
