import { asOwner } from '../support/database.ts'
import { findNothing } from '../support/inspect.ts'
import { api, expect, PAY, test } from '../support/product.ts'
import { expectToast } from '../support/toasts.ts'

test.use({ provoked: [/status of (403|451)/] })

const EARLIER = '2026-01-01'

test('a new version of the terms is shown with its changes, and accepted by a signature', {
  tag: '@full',
}, async ({ member }) => {
  const { page } = await member()
  const { terms } = await api<{ terms: { version: string } }>(page, 'config')
  // The session is older than the version: its wallet accepted the earlier one, which is published with
  // other words.
  await page.route('**/api/v1/auth/terms', async (route) => {
    if (route.request().method() === 'POST') return route.continue()
    const answer = await route.fetch()
    const body = await answer.json()
    body.data.items[0].version = EARLIER
    await route.fulfill({ response: answer, json: body })
  })
  await page.route(`**/terms/${EARLIER}.txt`, async (route) => {
    const text = await (await fetch(new URL(`/terms/${terms.version}.txt`, page.url()))).text()
    await route.fulfill({ body: text.replace('Invite only people you know', 'Invite whom you like') })
  })
  await page.goto('/pages/transfer/index')
  const sheet = page.getByRole('dialog', { name: 'The terms have changed' })
  await expect(sheet.getByText('Changed', { exact: true })).toHaveCount(1)
  await expect(sheet.getByText('Invite only people you know')).toBeVisible()
  await findNothing(page)
  await sheet.getByRole('button', { name: 'Accept and sign' }).click()
  await expectToast(page, 'Your acceptance is stored')
  await expect(sheet).toBeHidden()
  await page.unrouteAll()
  const { items } = await api<{ items: { message: string }[] }>(page, 'auth/terms')
  expect(items[0]!.message).toContain(`/terms/${terms.version}.txt#sha256=`)
})

test('a refused wallet cannot pay in, reads the reason, and can still withdraw', async ({ member }) => {
  const { page, address } = await member({ usdt: '100', amc: '100' })
  // Two persons approve such an entry; reach.test.ts and the page of the operators show that.
  await asOwner(`insert into refused_addresses (address, level, reason, approved_by, changed_at)
    values ('${address.toLowerCase()}', 'may_leave', 'Regulation 1', 'test', now())`)
  await page.goto('/pages/shop/index')
  await page.getByRole('button', { name: 'See the price of Launch 100', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: PAY }).click()
  await expect(page).toHaveURL('/pages/refused')
  await expect(page.getByText('not offer this to your wallet. Reason: Regulation 1')).toBeVisible()
  await findNothing(page)
  await page.getByRole('link', { name: 'Withdrawals' }).first().click()
  await expect(page).toHaveURL('/pages/withdrawal/list')
})
