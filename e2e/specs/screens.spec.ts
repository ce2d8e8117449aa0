import type { Page } from '@playwright/test'
import { isStill } from '../support/adaptations.ts'
import { findNothing, fontOf, isThere, look } from '../support/inspect.ts'
import { lookAtAll } from '../support/inspect-all.ts'
import { expect, order, signInAsDemo, test } from '../support/product.ts'
import {
  adminPaths,
  changeTo,
  inAnotherTab,
  memberPaths,
  openPaths,
  THEMES,
  withQuery,
} from '../support/screens.ts'

/** Linux takes the fonts from support/fonts; other systems have their own. */
const HAS_FONTS = process.platform === 'linux'
const PARTS = 4
for (let part = 0; part < PARTS; part++) {
  test(`every screen fits and reads well: ${part + 1} of ${PARTS}`, { tag: '@full' }, async ({ visitor }) => {
    const { page } = await signInAsDemo(visitor, 'Ann')
    const speak = await inAnotherTab(page)
    for (const path of memberPaths.filter((_, index) => index % PARTS === part)) {
      await inspect(page, await withQuery(page, path), 'member', speak)
    }
  })
}

test('the pages before sign-in fit and read well', { tag: '@full' }, async ({ visitor }) => {
  const { page } = await visitor()
  await page.goto('/')
  await expect(page).toHaveURL(/\/pages\/login\/index/)
  const speak = await inAnotherTab(page)
  for (const path of openPaths) await inspect(page, await withQuery(page, path), 'visitor', speak)
  await speak('ko', 'ko')
  if (HAS_FONTS) await expect.poll(() => fontOf(page, 'h1')).toMatch(/^Noto Sans CJK/)
})

const ADMIN_PARTS = 2
for (let part = 0; part < ADMIN_PARTS; part++) {
  test(`every operator's page fits and reads well: ${part + 1} of ${ADMIN_PARTS}`, { tag: '@full' }, async ({
    visitor,
  }) => {
    const { page } = await signInAsDemo(visitor, 'Olivia')
    const speak = await inAnotherTab(page)
    for (const path of adminPaths.filter((_, index) => index % ADMIN_PARTS === part))
      await inspect(page, path, 'admin', speak)
  })
}

test('axe finds nothing in the order sheet', { tag: '@full' }, async ({ member }) => {
  const { page } = await member()
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    await order(page, 'Launch 500')
    await look(page, `order-sheet-${colorScheme}`)
    await findNothing(page)
    await page.getByRole('button', { name: 'Cancel this order' }).click()
    await findNothing(page)
    // An order that is placed before the server has answered would be this one, and be cancelled with it.
    const cancelled = page.waitForResponse('**/api/v1/order/cancel')
    await page.getByRole('button', { name: 'Yes, cancel' }).click()
    expect((await cancelled).ok()).toBe(true)
  }
})

/** Changes to a page and checks it in every language, width and theme, with reduced motion, and in forced colours. */
async function inspect(
  page: Page,
  path: string,
  who: string,
  speak: (option: string, lang: string) => Promise<void>,
): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await changeTo(page, path)
  await isStill(page, path)
  await isThere(page)
  await isStill(page, path)
  await lookAtAll(page, `${path.split('?')[0]?.replaceAll('/', '_')}-${who}`, speak)
}
