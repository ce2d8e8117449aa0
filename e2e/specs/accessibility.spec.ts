import { isStill, standsOutInForcedColours } from '../support/adaptations.ts'
import { findNothing } from '../support/inspect.ts'
import { expect, signInAsDemo, test } from '../support/product.ts'

// Every page is checked in the same way by screens.spec.
test('a sheet does not move with reduced motion, and is visible in forced colours', { tag: '@full' }, async ({
  visitor,
}) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/pages/shop/index')
  await isStill(page, 'shop')
  await page.getByRole('button', { name: /^See / }).first().click()
  await isStill(page, 'shop')
  await expect(page.getByRole('dialog')).toBeVisible()
  await isStill(page, 'the order sheet')
  await standsOutInForcedColours(page, 'the order sheet')
  await page.emulateMedia({ forcedColors: 'active' })
  await findNothing(page)
})

test('the buttons of a sheet stay visible, on an opaque background', { tag: '@full' }, async ({
  visitor,
}) => {
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
  // It ends with the window: no line of the text is visible below it.
  expect(await dock.evaluate((element) => window.innerHeight - element.getBoundingClientRect().bottom)).toBe(
    0,
  )
})
