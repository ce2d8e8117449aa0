import { expect, test } from '@playwright/test'
import { MOST_SCRIPT_KB, MOST_STYLE_KB, scriptBytes, styleBytes } from '../../scripts/lib/first-visit.mjs'

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
