import type { Page } from '@playwright/test'
import { findNothing, isThere, look, overflow } from '../support/inspect.ts'
import { expect, signInAsDemo, test } from '../support/product.ts'
import {
  adminPaths,
  changeTo,
  everyPath,
  memberPaths,
  NOWHERE,
  openPaths,
  withQuery,
} from '../support/screens.ts'

// Each screen once: on a phone, in the light theme, in English. screens.spec has the other widths, themes and languages.

/** The pages that need a sign-in; the others are opened without one. */
const ownPaths = memberPaths.filter((path) => path === NOWHERE || !openPaths.includes(path))
const halves = [0, 1].map((half) => ownPaths.filter((_, index) => index % 2 === half))
for (const [index, paths] of halves.entries()) {
  test(`every member's screen opens without an error: ${index + 1} of 2`, async ({ visitor }) => {
    const { page } = await signInAsDemo(visitor, 'Ann')
    await openAll(page, paths)
  })
}

test("every visitor's screen opens without an error", async ({ visitor }) => {
  const { page } = await visitor()
  await page.goto('/')
  await expect(page).toHaveURL(/\/pages\/login\/index/)
  // What does not exist leads a visitor to the login page too.
  await openAll(
    page,
    openPaths.filter((path) => path !== NOWHERE),
  )
})

test("every operator's screen opens without an error", async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Olivia')
  await openAll(page, adminPaths)
})

test("these are all pages of the app's table", () => {
  expect(new Set([...ownPaths, ...openPaths, ...adminPaths])).toEqual(new Set(everyPath))
})

/** Changes to each page, and expects that it stands there without an error, fits, and that axe finds nothing. */
async function openAll(page: Page, paths: readonly string[]): Promise<void> {
  const errors = page.getByText(/Load Failed|Could not load|Connection lost/)
  const opened: string[] = []
  for (const path of paths) {
    await changeTo(page, await withQuery(page, path))
    await isThere(page)
    opened.push(new URL(page.url()).pathname)
    expect(await errors.count(), `${path} shows an error`).toBe(0)
    expect(await overflow(page), `${path} is wider than the window`).toEqual([])
    await look(page, `${path.replaceAll('/', '_')}-once`, { fullPage: true })
    await findNothing(page)
  }
  // Each was its own page: none led to another one.
  expect(opened).toEqual([...paths])
}
