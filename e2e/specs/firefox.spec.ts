import { isThere, look, overflow } from '../support/inspect.ts'
import { doMainJob, SPONSOR_MONEY } from '../support/main-job.ts'
import { expect, loginPath, signIn, signInAsDemo, test } from '../support/product.ts'
import { changeTo, memberPaths, THEMES, withQuery } from '../support/screens.ts'

// A picture's own style, which the policy of the page forbids (see support/firefox.ts).
test.use({ provoked: [/style-src-elem.*sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT\+SmwNZWA=/] })

// One after the other: two of them beside the server and the chain are too slow on two cores.
test.describe.configure({ mode: 'default' })

const WIDTHS = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } }

test('Firefox: sign in, buy a package, be rewarded, withdraw into the wallet', async ({
  chain,
  visitor,
  member,
}) => {
  const sponsor = await visitor(SPONSOR_MONEY)
  await sponsor.page.goto(await loginPath())
  await signIn(sponsor.page)
  await expect(sponsor.page.getByText('Getting started')).toBeVisible()
  await doMainJob(chain, sponsor, member)
})

const PARTS = 2
for (let part = 0; part < PARTS; part++) {
  test(`Firefox: every member's screen opens without an error and fits: ${part + 1} of ${PARTS}`, async ({
    visitor,
  }) => {
    const { page } = await signInAsDemo(visitor, 'Ann')
    for (const path of memberPaths.filter((_, index) => index % PARTS === part)) {
      await page.setViewportSize(WIDTHS.phone)
      await changeTo(page, await withQuery(page, path))
      for (const [size, window] of Object.entries(WIDTHS)) {
        await page.setViewportSize(window)
        await isThere(page)
        expect(await overflow(page), `${path} is wider than the ${size} window`).toEqual([])
        for (const theme of THEMES) {
          await page.evaluate((value) => document.documentElement.setAttribute('data-theme', value), theme)
          await look(page, `firefox${path.replaceAll('/', '_')}-${size}-${theme}`, { fullPage: true })
        }
      }
    }
  })
}
