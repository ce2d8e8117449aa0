import type { Page } from '@playwright/test'
import { findNothing, isThere } from '../support/inspect.ts'
import { expect, signInAsDemo, test } from '../support/product.ts'

/** Each has another kind of control: a chart, chips, a segment, a switch, meters. */
const PAGES = [
  '/',
  '/pages/rewardList/index',
  '/pages/withdrawal/index',
  '/pages/my/addresses',
  '/pages/shop/packages',
  '/pages/found/home',
]

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
    const bare = [...document.querySelectorAll('button:enabled')].filter(
      (button) => button.checkVisibility() && getComputedStyle(button).outlineStyle === 'none',
    )
    return [
      ...alike,
      ...shares.map((fill) => `share: ${fill.parentElement?.textContent}`),
      ...bare.map((button) => `button without an edge: ${button.outerHTML.slice(0, 120)}`),
    ]
  })

test('in forced colours every control has an edge, what is chosen is seen, and axe finds nothing', async ({
  visitor,
}) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  await page.emulateMedia({ forcedColors: 'active' })
  for (const path of PAGES) {
    await page.goto(path)
    await isThere(page)
    expect(await hiddenStates(page), path).toEqual([])
    await findNothing(page)
  }
})

test('with reduced motion nothing moves, neither a page nor a sheet', async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0) > 1)
        .map((animation) => ('animationName' in animation ? String(animation.animationName) : 'transition')),
    )
  for (const path of ['/', '/pages/rewardList/index', '/pages/found/home', '/pages/shop/index']) {
    await page.goto(path)
    expect(await moving(), path).toEqual([])
    await isThere(page)
    expect(await moving(), path).toEqual([])
  }
  await page.getByRole('button', { name: /^See / }).first().click()
  expect(await moving()).toEqual([])
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await moving()).toEqual([])
})

test('the buttons of a sheet stay in sight, and nothing shines through under them', async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  await page.setViewportSize({ width: 320, height: 480 })
  await page.goto('/pages/shop/index')
  await page.getByRole('button', { name: /^See / }).first().click()
  const dock = page.locator('[data-dock]')
  await expect(dock).toBeVisible()
  await expect(dock).toBeInViewport({ ratio: 0.99 })
  await expect(dock).toHaveCSS('background-color', /^rgb\(/)
  const isOnTop = await dock.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const points = [left + 2, (left + right) / 2, right - 2].flatMap((x) => [
      document.elementFromPoint(x, top + 2),
      document.elementFromPoint(x, bottom - 2),
    ])
    return points.every((point) => point !== null && element.contains(point))
  })
  expect(isOnTop).toBe(true)
  // It ends with the window: no line of the text is seen below it.
  expect(await dock.evaluate((element) => window.innerHeight - element.getBoundingClientRect().bottom)).toBe(
    0,
  )
})
