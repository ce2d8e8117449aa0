import { look } from '../support/inspect.ts'
import { api, expect, give, test } from '../support/product.ts'
import { expectToast } from '../support/toasts.ts'

test('a member sends to another, and both see it', async ({ member }) => {
  const receiver = await member()
  const { page, address: own } = await member()
  await give(own, 'USDT', '30')
  const to = receiver.wallet.address

  await page.goto('/pages/my/index')
  await page.getByRole('link', { name: /^Send/ }).click()
  const [field, amount] = [page.getByLabel('Receiver'), page.getByLabel('Amount')]
  const goOn = () => page.getByRole('button', { name: /^Send( \d|$)/ }).click()
  await goOn()
  await expect(page.getByText('please enter address')).toBeVisible()
  await expect(page.getByText('please enter amount')).toBeVisible()
  for (const [address, problem] of [
    [own, 'You cannot transfer to yourself'],
    [`0x${'12'.repeat(20)}`, 'This address is not registered here'],
    [`${to.slice(0, -1)}`, 'Invalid address'],
  ] as const) {
    await field.fill(address)
    if (address.length === 42) {
      const answer = page.getByText(/A registered member|Not a member here/)
      await expect(answer.or(page.getByText(problem)).first()).toBeVisible()
    }
    await goOn()
    await expect(page.getByText(problem)).toBeVisible()
  }
  await field.fill(to)
  await expect(page.getByText('A registered member')).toBeVisible()
  await amount.fill('0.5')
  await goOn()
  await expect(page.getByText('At least 1 USDT', { exact: true })).toBeVisible()
  // What is too much is said while it is typed, with the tap that mends it.
  await amount.fill('99999999')
  await expect(page.getByText(/more than is available\.$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Amount is too high' })).toBeDisabled()
  await page.getByRole('button', { name: /^Use \d/ }).click()
  await expect(page.getByText('0.00 stays available')).toBeVisible()

  await amount.fill('1.25')
  await look(page, 'transfer-form')
  await goOn()
  const sheet = page.getByRole('dialog', { name: 'Confirm the transfer' })
  await expect(sheet.getByText(own)).toBeVisible()
  await expect(sheet.getByText(to)).toBeVisible()
  await look(page, 'transfer-confirm')
  // The first transfer to a member needs the wallet's signature, and up to 100 USDT worth no review.
  await expect(sheet.getByText('Your wallet will ask you to sign this.')).toBeVisible()
  await sheet.getByRole('button', { name: 'Send 1.25 USDT' }).click()
  await expectToast(page, 'Transfer successful')
  await expect(page).toHaveURL('/pages/transfer/list')
  await expect(page.getByText('−1.25')).toBeVisible()
  await look(page, 'transfer-list')

  await receiver.page.goto('/pages/transfer/list?direction=in')
  await receiver.page.getByText('+1.25').click()
  await expect(receiver.page.getByRole('dialog', { name: 'Received' }).getByText(own)).toBeVisible()
  await look(receiver.page, 'transfer-detail')
  const { items } = await api<{ items: unknown[] }>(receiver.page, 'transfer')
  expect(items).toMatchObject([{ direction: 'in', counterpart: own, amount: '1.250000', asset: 'USDT' }])

  await page.goto('/pages/transfer/index')
  await page.getByRole('button', { name: 'Address book' }).click()
  const book = page.getByRole('dialog')
  await look(page, 'transfer-book')
  await book
    .getByRole('button', { name: /^Name 0x/ })
    .first()
    .click()
  await book.getByLabel('Name', { exact: true }).fill('My friend')
  await book.getByRole('button', { name: 'Save' }).click()
  await expect(book.getByText(/usable from \w/)).toBeVisible()
  await book.getByRole('button', { name: /^My friend/ }).click()
  await expect(page.getByText('My friend ·')).toBeVisible()
  const fake = to.toLowerCase().slice(0, 8) + '0'.repeat(28) + to.toLowerCase().slice(-6)
  await field.fill(fake)
  await expect(page.getByText('This is not the address you know')).toBeVisible()
  await look(page, 'transfer-look-alike')
  // It stays beside the error that the address is not registered.
  await goOn()
  await expect(page.getByText('This address is not registered here')).toBeVisible()
  await expect(page.getByText('This is not the address you know')).toBeVisible()

  // A withdrawal to it warns the same, and is held back until the addresses have been compared.
  await page.goto('/pages/withdrawal/index')
  await page.getByLabel('Amount').fill('20')
  await page.getByText('Another address', { exact: true }).click()
  await page.getByLabel('To', { exact: true }).fill(fake)
  await expect(page.getByText('This is not the address you know')).toBeVisible()
  await page.getByRole('button', { name: 'Withdraw 20.00 USDT' }).click()
  const withdrawal = page.getByRole('dialog', { name: 'Confirm the withdrawal' })
  const confirm = withdrawal.getByRole('button', { name: 'Withdraw 20.00 USDT' })
  await expect(withdrawal.getByText('This is not the address you know')).toBeVisible()
  await expect(confirm).toBeDisabled()
  await withdrawal.getByText('I have compared every character').click()
  await expect(confirm).toBeEnabled()
  await look(page, 'withdrawal-look-alike')
})
