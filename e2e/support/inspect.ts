import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** The minified form, half the size: each page receives it. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface AxeOptions {
  /** Only elements inside of this selector, such as an open sheet. */
  within?: string
}

/** Expects that axe finds nothing on the page, an open sheet or dialog included. */
export async function findNothing(page: Page, { within }: AxeOptions = {}): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const axeFindings = await page.evaluate(async (inside) => {
    // A colour in transition belongs to neither theme.
    const transitions = document
      .getAnimations()
      .filter((getAnimation) => getAnimation instanceof CSSTransition)
    await Promise.allSettled(transitions.map(({ finished }) => finished))
    const { violations } = await window.axe.run(inside ?? document, {
      resultTypes: ['violations'],
      // The app has no frames and no media to inspect.
      iframes: false,
      preload: false,
    })
    return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])
  }, within)
  expect(axeFindings).toEqual([])
}

/** The least size of a control, by WCAG 2.5.5; in the operators' dense tables, by the designer's word. */
const TARGET_PX = 44
const DENSE_PX = 32

/**
 * Returns the visible controls that are smaller than 44 px, without the parts that an ancestor cuts off. A radio or a
 * checkbox counts as its label. In the operators' dense tables 32 px are enough. A link within a sentence is exempt
 * (WCAG 2.5.8, inline).
 */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(
    ({ usual, dense }) => {
      const CONTROLS =
        'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=switch], [role=menuitem], [role=option]'
      const cut = (element: Element) => {
        let { left, top, right, bottom } = element.getBoundingClientRect()
        // Content that can be scrolled into view is not cut off.
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
        const least = element.closest('table[data-dense]') === null ? usual : dense
        if (Math.min(width, height) >= least - 0.5) return []
        const what = element.getAttribute('aria-label') ?? target.textContent ?? ''
        return [
          `${Math.round(width)}x${Math.round(height)} ${element.tagName.toLowerCase()} ${what.slice(0, 60)}`,
        ]
      })
    },
    { usual: TARGET_PX, dense: DENSE_PX },
  )

interface Picture {
  /** All of the page instead of what the window shows. */
  fullPage?: boolean
}

/**
 * Expects that every visible control is large enough. With E2E_PICTURES=on it also saves a screenshot, of which there
 * are 700.
 */
export async function look(page: Page, name: string, { fullPage = false }: Picture = {}): Promise<void> {
  expect(await smallTargets(page), `${name} has controls under ${TARGET_PX} px`).toEqual([])
  if (process.env.E2E_PICTURES) await page.screenshot({ path: `results/screens/${name}.png`, fullPage })
}

/** Returns the family of the font that the browser used for most glyphs of an element. */
export async function fontOf(page: Page, selector: string): Promise<string | undefined> {
  const client = await page.context().newCDPSession(page)
  await client.send('DOM.enable')
  await client.send('CSS.enable')
  const { root } = await client.send('DOM.getDocument')
  const { nodeId } = await client.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  const { fonts } = await client.send('CSS.getPlatformFontsForNode', { nodeId })
  await client.detach()
  return fonts.sort((a, b) => b.glyphCount - a.glyphCount)[0]?.familyName
}

/** Waits until the page shows its heading and has loaded all of its parts. */
export async function isThere(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.locator('.animate-pulse')).toHaveCount(0)
}

/**
 * Loads the page anew until something holds once it has loaded all of its parts: what it shows follows the chain, which the product reads
 * a moment later.
 */
export async function reloadUntil(page: Page, holds: () => Promise<boolean>): Promise<void> {
  await expect(async () => {
    await page.reload()
    await isThere(page)
    expect(await holds()).toBe(true)
  }).toPass()
}

/** Returns the bars that stay in place while the page is scrolled under them, and through which it could be seen. */
export const seeThrough = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')].flatMap((element) => {
      const { position, backgroundColor, backgroundImage, pointerEvents } = getComputedStyle(element)
      const isBar = /sticky|fixed/.test(position) && pointerEvents !== 'none' && element.checkVisibility()
      const { width, height } = element.getBoundingClientRect()
      if (!isBar || Math.min(width, height) < 2 || backgroundImage !== 'none') return []
      // "rgb(1, 2, 3)" is opaque; a scrim is meant to be seen through.
      const isOpaque = /^rgb\(/.test(backgroundColor) || element.classList.contains('bg-scrim')
      // The navigation beside a page stands on a surface of the frame.
      return isOpaque || element.tagName === 'ASIDE' ? [] : [element.outerHTML.slice(0, 200)]
    }),
  )

/** Returns the innermost elements that extend beyond the right edge of the window. */
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
