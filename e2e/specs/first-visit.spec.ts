import { MOST_SCRIPT_KB, MOST_STYLE_KB, scriptBytes, styleBytes } from '../../scripts/lib/first-visit.mjs'
import { expect, signInAsDemo, test } from '../support/product.ts'

const kB = (files: Readonly<Record<string, number>>) =>
  Object.values(files).reduce((sum, bytes) => sum + bytes, 0) / 1000

for (const [path, mostKb] of Object.entries(MOST_SCRIPT_KB)) {
  test(`a first visit to ${path} loads at most ${mostKb} kB of scripts`, () => {
    const files = scriptBytes(path)
    test.info().annotations.push({ type: 'kB', description: kB(files).toFixed(1) })
    expect(kB(files), JSON.stringify(files, null, 2)).toBeLessThan(mostKb)
  })
}

test(`a first visit loads at most ${MOST_STYLE_KB} kB of styles`, () => {
  expect(kB(styleBytes())).toBeLessThan(MOST_STYLE_KB)
})

test('the first date formatter, which is slow, is created in a worker', async ({ page }) => {
  const worker = page.waitForEvent('worker')
  await page.goto('/pages/login/index')
  expect((await worker).url()).toContain('/assets/dates-worker-')
})

test('a first visit to home reads nothing twice, and nothing out of sight', async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  const requests: string[] = []
  const count = (part: string) => requests.filter((request) => request.includes(part)).length
  page.on('request', (request) => {
    const call = request.url().endsWith('/rpc') ? request.postDataJSON() : undefined
    requests.push(`${request.url()} ${call === undefined ? '' : JSON.stringify([call.method, call.params])}`)
  })
  const stream = page.waitForResponse('**/api/v1/changes')
  await page.goto('/')
  await stream
  // What it announces first is read at once.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_000)))
  const reads = requests.filter((request) => /\/api\/v1\/|\/rpc /.test(request))
  expect(count('/api/v1/me ')).toBe(1)
  expect(reads.filter((request, place) => reads.indexOf(request) !== place)).toEqual([])
  expect([count('/api/v1/solvency'), count('/assets/dialogs-')]).toEqual([0, 0])

  await page.getByRole('link', { name: 'Held vs owed' }).scrollIntoViewIfNeeded()
  await expect(page.getByRole('link', { name: /Held vs owed USDT \d+%/ })).toBeVisible()
  expect(count('/api/v1/solvency')).toBe(1)
  await page.keyboard.press('Tab')
  await expect.poll(() => count('/assets/dialogs-')).toBe(1)
})

test("the days of home's chart stand on its own ground", async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ann', '/')
  const total = page.getByRole('region', { name: 'Total', exact: true })
  await total.getByText('Show as a table').click()
  const day = total.getByRole('rowheader').first()
  await expect(day).toBeVisible()
  await expect(day).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  await expect(day).toHaveCSS('color', 'rgb(255, 255, 255)')
})
