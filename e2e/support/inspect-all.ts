import { expect, type Page } from '@playwright/test'
import texts from '../../apps/web/src/locales/en.json' with { type: 'json' }
import { findNothing, look, overflow, seeThrough } from './inspect.ts'
import { LANGUAGES, THEMES } from './screens.ts'

/** Every rule of axe in every language, theme and width. */
export const IS_WHOLE = process.env.E2E_WHOLE !== undefined
const SIZES = {
  narrow: { width: 320, height: 700 },
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
}

/** Widths in which a page is only checked for overflow: a desktop at a zoom of 200%, the narrowest desktop, and a wide one. */
const BETWEEN = IS_WHOLE ? [640, 768, 1024, 1152, 1440] : [640, 1024, 1440]

/** The key of a text, which the page shows in place of a missing text. */
const TEXT_KEY = new RegExp(`\\b(${Object.keys(texts).join('|')})\\.[a-z_]`)

/**
 * Checks an open page in every language, and in English in every width and both themes; `speak` chooses the language
 * (`inAnotherTab`). Another language changes texts only, so it is checked in the narrowest window, where they fit least, and axe
 * runs its rules on names and languages. Axe runs all of its rules in English in the light theme, and those on colours in the dark
 * theme. E2E_WHOLE=on checks everything in every language, theme and width, which takes ten minutes. The page is in English
 * afterwards, in the phone's width.
 */
export async function lookAtAll(
  page: Page,
  name: string,
  speak: (option: string, lang: string) => Promise<void>,
): Promise<void> {
  for (const { lang, option, themes } of LANGUAGES) {
    await speak(option, lang)
    expect(await wordsOf(page), `${name} in ${lang} lacks a text`).not.toMatch(TEXT_KEY)
    for (const [size, window] of Object.entries(SIZES)) {
      if (size !== 'narrow' && lang !== 'en' && !IS_WHOLE) continue
      await page.setViewportSize(window)
      expect(await overflow(page), `${name} in ${lang} is wider than the ${size} window`).toEqual([])
      if (size === 'desktop' && lang === 'en')
        await inBothThemes(page, (theme) => look(page, `${name}-${size}-${theme}`, { fullPage: true }))
      if (IS_WHOLE) await inBothThemes(page, () => findNothing(page))
    }
    if (lang === 'en') await isNoWider(page, name)
    if (lang === 'en') expect(await seeThrough(page), `${name} has bars to see through`).toEqual([])
    if (IS_WHOLE) continue
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      await look(page, `${name}-${lang}-${colorScheme}`, { fullPage: true })
      await findNothing(page, { only: lang !== 'en' ? 'names' : colorScheme === 'dark' ? 'colours' : null })
    }
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

async function inBothThemes(page: Page, check: (theme: 'light' | 'dark') => Promise<void>): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    await check(colorScheme)
  }
}
