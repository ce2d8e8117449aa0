import { findNothing } from '../support/inspect.ts'
import { expect, test } from '../support/product.ts'

/** The unknown code is refused by the API, and the document is read again without a connection. */
test.use({ provoked: [/Failed to load resource/] })

test('an error links to its article, the search finds articles, and a term opens by keyboard', {
  tag: '@full',
}, async ({ page }) => {
  await test.step('an unknown invitation leads to the article about signing in, without a sign-in', async () => {
    await page.goto('/pages/login/index?code=NOSUCHCODE')
    await page.getByRole('main').getByRole('link', { name: 'What can I do?' }).click()
    await expect(page).toHaveURL('/pages/help/article?name=signIn')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('How do I sign in?')
    // The figures come from the API.
    await expect(page.getByText('Arbitrum One (chain 42161)')).toBeVisible()
    await findNothing(page)
  })
  await test.step('articles lead to others, and can be read again without a connection', async () => {
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'My wallet is on the wrong network' }).click()
    await expect(page.getByText('Accept in the wallet.')).toBeVisible()
    await page.context().setOffline(false)
  })
  await test.step('the search finds an article and a term', async () => {
    await page.goto('/pages/my/help')
    const field = page.getByRole('searchbox', { name: 'Search the help' })
    await field.fill('stuck')
    await expect(page.getByRole('status').getByRole('link').first()).toHaveText('My transaction is stuck')
    await field.fill('carry')
    await expect(page.getByRole('status').getByRole('term').first()).toHaveText('Carry-forward')
    await field.fill('xylophone')
    await expect(page.getByText('Nothing found')).toBeVisible()
    await findNothing(page)
  })
  await test.step('a term opens and closes by keyboard, and leads to its article', async () => {
    await page.goto('/pages/solvency')
    const term = page.getByRole('button', { name: /held for/i }).first()
    await term.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'Held vs owed' })
    await expect(sheet).toContainText('the guard stops what moves money')
    await findNothing(page, { within: '[role=dialog]' })
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(term).toBeFocused()
    await term.press('Enter')
    await sheet.getByRole('link').press('Enter')
    await expect(page).toHaveURL('/pages/help/article?name=solvency')
  })
})
