import { look } from '../support/inspect.ts'
import { expect, give, test } from '../support/product.ts'

test('a request fills in the form of the person who opens it, and sends nothing', { tag: '@full' }, async ({
  member,
}) => {
  const asking = await member()
  await asking.page.goto('/pages/transfer/index')
  await asking.page.getByRole('button', { name: 'Request a payment' }).click()
  const sheet = asking.page.getByRole('dialog', { name: 'Request a payment' })
  await sheet.getByLabel('Amount (optional)').fill('12.5')
  await sheet.getByLabel('Note (optional)').fill('<b>Lunch</b> on Friday')
  const link = await sheet.getByText(/^http.*note=/).textContent()
  await expect(sheet.getByRole('img', { name: 'QR code of your request' })).toBeVisible()
  await look(asking.page, 'request-make')

  const { page, address } = await member()
  await give(address, 'USDT', '3')
  await page.goto(link!)
  await expect(page.getByText('A request. Check it before you send')).toBeVisible()
  await expect(page.getByText('“<b>Lunch</b> on Friday”')).toBeVisible()
  await expect(page.getByLabel('Receiver')).toHaveValue(new RegExp(asking.address, 'i'))
  await expect(page.getByLabel('Amount')).toHaveValue('12.50')
  await expect(page.getByText('A registered member')).toBeVisible()
  await look(page, 'request-open')
  // The member decides, and the usual confirmation follows.
  await page.getByLabel('Amount').fill('2')
  await page.getByRole('button', { name: /^Send 2(\.00)? USDT$/ }).click()
  await expect(page.getByRole('dialog', { name: 'Confirm the transfer' })).toBeVisible()
})
