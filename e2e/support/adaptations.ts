import { expect, type Page } from '@playwright/test'

/** Expects that nothing moves; the tests run with reduced motion. Call it while a page loads, when its placeholders would move. */
export async function isStill(page: Page, name: string): Promise<void> {
  expect(await motionOf(page), `${name} moves with reduced motion`).toEqual([])
}

/** Returns the names of the animations that take longer than a moment, for a device that asks for reduced motion. */
const motionOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) throw new Error('motion is not reduced')
    return document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0) > 1)
      .map((animation) => ('animationName' in animation ? String(animation.animationName) : 'transition'))
  })

/** Expects that in forced colours every control has an edge, and what is chosen is seen. */
export async function standsOutInForcedColours(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' })
  expect(await hiddenStates(page), `${name} in forced colours`).toEqual([])
  await page.emulateMedia({ forcedColors: 'none' })
}

/** Returns the controls without an edge, and the chosen ones that look like the others of their kind. */
const hiddenStates = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const looks = (element: Element) => {
      const { backgroundColor, color, borderBottomWidth, borderBottomColor } = getComputedStyle(element)
      return [backgroundColor, color, borderBottomWidth, borderBottomColor].join()
    }
    const kinds = [
      ['[role=tab][aria-selected=true]', '[role=tab][aria-selected=false]'],
      ['[aria-pressed=true]', '[aria-pressed=false]'],
      ['nav a[aria-current=page]', 'nav a:not([aria-current])'],
      ['label:has(> input[type=radio]:checked)', 'label:has(> input[type=radio]:not(:checked))'],
    ] as const
    const alike = kinds.flatMap(([chosen, others]) =>
      [...document.querySelectorAll(chosen)].flatMap((element) => {
        const sibling = element.parentElement?.querySelector(others)
        return sibling != null && looks(element) === looks(sibling) ? [`chosen: ${element.textContent}`] : []
      }),
    )
    const shares = [...document.querySelectorAll('[data-fill]')].filter(
      (fill) => fill.getBoundingClientRect().width > 0 && looks(fill) === looks(fill.parentElement!),
    )
    const hasEdge = (element: Element) => {
      const { outlineStyle, borderBottomStyle, borderBottomWidth } = getComputedStyle(element)
      return outlineStyle !== 'none' || (borderBottomStyle !== 'none' && borderBottomWidth !== '0px')
    }
    const bare = [...document.querySelectorAll('button:enabled, input, select, textarea')].filter(
      (control) =>
        control.checkVisibility({ opacityProperty: true }) &&
        !control.matches('[type=hidden], [type=radio], [type=checkbox], [type=file], .sr-only') &&
        !hasEdge(control) &&
        (control.tagName === 'BUTTON' || !hasEdge(control.parentElement!)),
    )
    return [
      ...alike,
      ...shares.map((fill) => `share: ${fill.parentElement?.textContent}`),
      ...bare.map((control) => `without an edge: ${control.outerHTML.slice(0, 120)}`),
    ]
  })
