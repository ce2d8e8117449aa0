import type { Page } from '@playwright/test'
import { IS_WHOLE } from '../support/inspect-all.ts'
import { expect, signInAsDemo, test } from '../support/product.ts'
import { adminPaths, memberPaths, withQuery } from '../support/screens.ts'

test.use({ provoked: [/Failed to load resource: net::ERR_CONNECTION_REFUSED/] })

const API = '**/api/v1/**'
/** The requests that a page may send in five seconds without an answer: what it shows first, and a few attempts. */
const MOST_REQUESTS = 12
const STEP_MS = 1_000

/** Lets time pass in the page, in steps between which its requests fail or are answered. */
async function pass(page: Page, ms: number) {
  for (let passed = 0; passed < ms; passed += STEP_MS) await page.clock.runFor(STEP_MS)
}

/** Opens pages without the API, counts the requests of five seconds, and expects the content when the API is back. */
async function openWithoutApi(page: Page, paths: readonly string[]) {
  const requests: string[] = []
  page.on('request', (request) => request.url().includes('/api/v1/') && requests.push(request.url()))
  await page.clock.install()
  const signs = [
    page.getByText(/Connection lost|Load Failed|Could not load/),
    page.getByRole('status', { name: 'Loading' }),
  ]
  for (const path of paths) {
    await page.route(API, (route) => route.abort('connectionrefused'))
    requests.length = 0
    await page.goto(path)
    await pass(page, 5_000)
    expect(requests.length, `${path} without the API`).toBeLessThanOrEqual(MOST_REQUESTS)
    const isWaiting = requests.length > 0
    if (isWaiting) await expect(page.getByText('Connection lost. Trying again…'), path).toBeVisible()
    await page.unroute(API)
    await expect(async () => {
      await pass(page, 2_000)
      for (const sign of signs) expect(await sign.count(), path).toBe(0)
    }).toPass()
    await expect(page.getByRole('alertdialog'), path).toHaveCount(0)
  }
}

/** Every fifth page, which takes a quarter of a minute of two cores; with E2E_WHOLE=on every page. */
const chosen = (paths: readonly string[]) => paths.filter((_, index) => IS_WHOLE || index % 5 === 0)

test("a member's page without the API sends few requests, and recovers by itself", { tag: '@full' }, async ({
  visitor,
}) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  const paths = chosen(memberPaths).map((path) => withQuery(page, path))
  await openWithoutApi(page, await Promise.all(paths))
})

test("an operator's page without the API sends few requests, and recovers by itself", {
  tag: '@full',
}, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Olivia')
  await openWithoutApi(page, chosen(adminPaths))
})
