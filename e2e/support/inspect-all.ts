import { expect, type Page } from '@playwright/test'
import texts from '../../apps/web/src/locales/en.json' with { type: 'json' }
import { standsOutInForcedColours } from './adaptations.ts'
import { findNothing, look, overflow, seeThrough } from './inspect.ts'
import { LANGUAGES, THEMES } from './screens.ts'

/** Every rule of axe in every language, theme and width. */
export const IS_WHOLE = process.env.E2E_WHOLE !== undefined
const SIZES = {
  narrow: { width: 320, height: 700 },
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
}

/** Widths in which a page is only checked for overflow: a desktop at a zoom of 200%, and the narrowest desktop. */
const BETWEEN = IS_WHOLE ? [640, 768, 1024, 1152, 1440] : [640, 1024]

/** The key of a text, which the page shows in place of a missing text. */
const TEXT_KEY = new RegExp(`\\b(${Object.keys(texts).join('|')})\\.[a-z_]`)

/**
 * Checks an open page in every language, and in English in every width; `speak` chooses the language (`inAnotherTab`). Another
 * language changes texts only, so it is checked in the narrowest window, where they fit least. Axe runs in English, in the light
 * theme for one half of the names and in the dark theme for the other: pages share their components, so each component is checked
 * in both. In English the page is also checked in forced colours. E2E_WHOLE=on checks everything in every language, theme and width, which takes ten minutes. The page is in English and
 * light afterwards, in the phone's width.
 */
export async function lookAtAll(
  page: Page,
  name: string,
  speak: (option: string, lang: string) => Promise<void>,
): Promise<void> {
  for (const { lang, option } of LANGUAGES) {
    await speak(option, lang)
    expect(await wordsOf(page), `${name} in ${lang} lacks a text`).not.toMatch(TEXT_KEY)
    for (const [size, window] of Object.entries(SIZES)) {
      if (size !== 'narrow' && lang !== 'en' && !IS_WHOLE) continue
      await page.setViewportSize(window)
      // A table becomes a list a moment after the window has changed.
      const message = `${name} in ${lang} is wider than the ${size} window`
      await expect.poll(() => overflow(page), { message }).toEqual([])
      await look(page, `${name}-${lang}-${size}`, { fullPage: true })
      if (IS_WHOLE) await inThemes(page, name, () => findNothing(page))
    }
    if (lang !== 'en') continue
    await standsOutInForcedColours(page, name)
    await isNoWider(page, name)
    expect(await seeThrough(page), `${name} has bars to see through`).toEqual([])
    if (!IS_WHOLE) await inThemes(page, name, () => findNothing(page))
  }
  await speak('en', 'en')
  await page.setViewportSize(SIZES.phone)
}

/** Returns the text of a page without machine text, such as the code of an action. */
const wordsOf = (page: Page) =>
  page.evaluate(() => {
    const body = document.body.cloneNode(true) as HTMLElement
    for (const machineText of body.querySelectorAll('pre')) machineText.remove()
    return body.textContent
  })

async function isNoWider(page: Page, name: string): Promise<void> {
  for (const width of BETWEEN) {
    await page.setViewportSize({ width, height: 900 })
    expect(await overflow(page), `${name} is wider than a window of ${width} px`).toEqual([])
  }
  await page.setViewportSize(SIZES.phone)
}

/**
 * Repeats a check in both themes if E2E_WHOLE=on, else in one of them, which depends on the name alone. The page is light
 * afterwards.
 */
export async function inThemes(page: Page, name: string, check: () => Promise<void>): Promise<void> {
  const sum = [...name].reduce((total, letter) => total + letter.charCodeAt(0), 0)
  for (const colorScheme of IS_WHOLE ? THEMES : [THEMES[sum % THEMES.length]!]) {
    await page.emulateMedia({ colorScheme })
    await check()
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
