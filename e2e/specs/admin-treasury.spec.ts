import type { Page } from '@playwright/test'
import { approve, prepare } from '../support/admins.ts'
import { findNothing, look, overflow, reloadUntil } from '../support/inspect.ts'
import { expect, signInAsDemo, test } from '../support/product.ts'

const VAULT = '0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7A'

test('a destination of exits is named by two people, announced on chain, waits, and a guardian cancels it', async ({
  visitor,
  chain,
}) => {
  const paul = await signInAsDemo(visitor, 'Paul')
  await paul.page.goto('/pages/admin/treasury')
  // The figures depend on how many of the demonstration's reports are published yet; exits.spec holds them.
  await expect(paul.page.getByRole('row', { name: /^A new payout may take/ })).toBeVisible()
  await paul.page.getByRole('button', { name: 'Add a destination' }).click()
  const sheet = paul.page.getByRole('dialog')
  await sheet.getByLabel('Wallet', { exact: true }).fill('0x12')
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await expect(sheet.getByText('Invalid address')).toBeVisible()
  await sheet.getByLabel('Wallet', { exact: true }).fill(VAULT)
  await sheet.getByLabel('Whose wallet it is').fill('Audit office')
  await sheet.getByLabel('Purpose').fill('yearly audit')
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await prepare(paul.page, 'the auditor asked for this wallet')

  const otto = await signInAsDemo(visitor, 'Otto')
  await approve(otto.page, 'the auditor asked for this wallet')
  await otto.page.goto('/pages/admin/treasury')
  await expect(placeOf(otto.page)).toContainText('To be announced')
  await placeOf(otto.page).getByRole('button', { name: 'Announce on chain' }).click()
  await send(otto.page, 'announced')
  await chain.finalise()

  const vera = await signInAsDemo(visitor, 'Vera')
  await vera.page.goto('/pages/admin/treasury')
  await reloadUntil(vera.page, () => placeOf(vera.page).getByText('Waits').first().isVisible())
  await expect(placeOf(vera.page)).toContainText('min of 48 hours')
  await findNothing(vera.page)
  expect(await overflow(vera.page)).toEqual([])
  await look(vera.page, 'admin-treasury', { fullPage: true })
  await placeOf(vera.page).getByRole('button', { name: 'Cancel' }).click()
  await send(vera.page, 'cancelled')
  await chain.finalise()
  await reloadUntil(vera.page, () => vera.page.getByText('No wallet is on the list').isVisible())
})

const placeOf = (page: Page) =>
  page.getByRole('list', { name: 'Destinations' }).getByRole('listitem').filter({ hasText: 'Audit office' })

/** Sends a transaction with the wallet, after its preview. */
async function send(page: Page, name: string): Promise<void> {
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('region', { name: 'What you are about to sign' })).toContainText('Nothing')
  await look(page, `admin-treasury-${name}`)
  await sheet.getByRole('button', { name: 'Send with the wallet' }).click()
  await expect(sheet).toBeHidden()
}
