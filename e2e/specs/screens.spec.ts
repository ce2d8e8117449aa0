import type { Page } from '@playwright/test'
import texts from '../../apps/web/src/locales/en.json' with { type: 'json' }
import { findNothing, fontOf, isThere, look, overflow } from '../support/inspect.ts'
import { expect, order, signInAsDemo, test } from '../support/product.ts'
import {
  adminPaths,
  inAnotherTab,
  LANGUAGES,
  memberPaths,
  openPaths,
  THEMES,
  withQuery,
} from '../support/screens.ts'

/** Linux takes the fonts from support/fonts; other systems have their own. */
const HAS_FONTS = process.platform === 'linux'
/** Every rule of axe in every language, theme and width. */
const IS_WHOLE = process.env.E2E_WHOLE !== undefined
const PATIENCE_MS = IS_WHOLE ? 30 * 60_000 : 5 * 60_000
const SIZES = {
  narrow: { width: 320, height: 700 },
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
}

/** The key of a text, which the page shows in place of a missing text. */
const TEXT_KEY = new RegExp(`\\b(${Object.keys(texts).join('|')})\\.[a-z_]`)

const PARTS = 4
for (let part = 0; part < PARTS; part++) {
  test(`every screen fits and reads well: ${part + 1} of ${PARTS}`, async ({ visitor }) => {
    test.setTimeout(PATIENCE_MS)
    const { page } = await signInAsDemo(visitor, 'Ann')
    const speak = await inAnotherTab(page)
    for (const path of memberPaths.filter((_, index) => index % PARTS === part)) {
      await inspect(page, await withQuery(page, path), 'member', speak)
    }
  })
}

test('what a visitor sees before signing in fits and reads well', async ({ visitor }) => {
  test.setTimeout(PATIENCE_MS)
  const { page } = await visitor()
  await page.goto('/')
  await expect(page).toHaveURL(/\/pages\/login\/index/)
  const speak = await inAnotherTab(page)
  for (const path of openPaths) await inspect(page, await withQuery(page, path), 'visitor', speak)
  await speak('ko', 'ko')
  if (HAS_FONTS) expect(await fontOf(page, 'h1')).toMatch(/^Noto Sans CJK/)
})

test("every operator's page fits and reads well", async ({ visitor }) => {
  test.setTimeout(PATIENCE_MS)
  const { page } = await signInAsDemo(visitor, 'Olivia')
  const speak = await inAnotherTab(page)
  for (const path of adminPaths) await inspect(page, path, 'admin', speak)
})

test('the order sheet has nothing for axe to find', async ({ member }) => {
  const { page } = await member()
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    await order(page, 'Launch 500')
    await look(page, `order-sheet-${colorScheme}`)
    await findNothing(page)
    await page.getByRole('button', { name: 'Cancel this order' }).click()
    await findNothing(page)
    await page.getByRole('button', { name: 'Yes, cancel' }).click()
  }
})

/**
 * Opens a page once and checks it in every language and width, and in both themes. Axe runs all of its rules in English in
 * the light theme. Another language or theme changes texts and colours only, so there only the rules run that depend on
 * them: those on colours in the dark theme, those on names and languages in another language. E2E_WHOLE=on runs all rules
 * in every language, theme and width, which takes ten minutes.
 */
async function inspect(
  page: Page,
  path: string,
  who: string,
  speak: (option: string, lang: string) => Promise<void>,
): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(path)
  await isThere(page)
  const file = `${path.split('?')[0]?.replaceAll('/', '_')}-${who}`
  for (const { lang, option, themes } of LANGUAGES) {
    await speak(option, lang)
    expect(await page.locator('body').textContent(), `${path} in ${lang} lacks a text`).not.toMatch(TEXT_KEY)
    for (const [size, window] of Object.entries(SIZES)) {
      await page.setViewportSize(window)
      expect(await overflow(page), `${path} in ${lang} is wider than the ${size} window`).toEqual([])
      if (size === 'desktop' && lang === 'en') await look(page, `${file}-${size}`)
      if (IS_WHOLE) await inBothThemes(page, () => findNothing(page))
    }
    if (IS_WHOLE) continue
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      await look(page, `${file}-${lang}-${colorScheme}`)
      await findNothing(page, { only: lang !== 'en' ? 'names' : colorScheme === 'dark' ? 'colours' : null })
    }
  }
}

async function inBothThemes(page: Page, check: () => Promise<void>): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    await check()
  }
}
