import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'

const DIST = join(import.meta.dirname, '../../apps/web/dist')

/**
 * The most JavaScript that a first visit may load before each first screen, in kB of the files with brotli. docs/benchmarks.md,
 * "Web", lists what they are made of.
 */
const MOST_KB = {
  '/pages/login/index': 125,
  '/': 157,
  '/pages/rewardList/index': 158,
  '/pages/shop/index': 160,
  '/pages/found/home': 153,
  '/pages/my/index': 151,
}

for (const [path, mostKb] of Object.entries(MOST_KB)) {
  test(`a first visit to ${path} loads at most ${mostKb} kB of scripts`, () => {
    const files = [...filesOf(path)].map((file) => [file, statSync(join(DIST, `${file}.br`)).size] as const)
    const bytes = files.reduce((sum, [, size]) => sum + size, 0)
    test.info().annotations.push({ type: 'kB', description: (bytes / 1000).toFixed(1) })
    expect(bytes, files.map(([file, size]) => `${size} ${file}`).join('\n')).toBeLessThan(mostKb * 1000)
  })
}

test('the first date formatter, which is slow, is created in a worker', async ({ page }) => {
  const worker = page.waitForEvent('worker')
  await page.goto('/pages/login/index')
  expect((await worker).url()).toContain('/assets/dates-worker-')
})

/** Returns the scripts of the document, of the page that it names for the path, and of its English texts, with all that they import. */
function filesOf(path: string): Set<string> {
  const html = readFileSync(join(DIST, 'index.html'), 'utf8')
  const ofDocument = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file]) => file!)
  const [, content] = /<meta name="pages" content="([^"]*)"/.exec(html) ?? []
  const ofPage: string[] = JSON.parse(content!.replaceAll('&quot;', '"'))[path]
  const texts = path === '/pages/login/index' ? 'en_first' : 'en_tabs'
  const ofTexts = readdirSync(join(DIST, 'assets')).filter((file) =>
    new RegExp(`^${texts}-[^.]*\\.js$`).test(file),
  )
  expect(ofTexts).toHaveLength(1)
  const found = new Set([...ofDocument, ...ofPage, `assets/${ofTexts[0]}`])
  // Sets visit what is added meanwhile.
  for (const file of found) for (const next of importsOf(file)) found.add(next)
  return found
}

function importsOf(file: string): string[] {
  const code = readFileSync(join(DIST, file), 'utf8')
  return [...code.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)].map(([, name]) => `assets/${name}`)
}
