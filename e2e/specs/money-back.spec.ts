import type { FundRedemption, Me, Withdrawal } from '@rif/api-schema'
import { rows } from '../support/database.ts'
import { fundAdmins } from '../support/fund-admins.ts'
import { api, expect, give, post, signInAsDemo, test } from '../support/product.ts'
import { runningProduct } from '../support/running.ts'
import { expectToast } from '../support/toasts.ts'

test('a member takes back a withdrawal and a transfer that wait for an operator', async ({
  member: signUp,
  visitor,
}) => {
  const [{ page, address, memberId }, receiver] = [await signUp(), await signUp()]
  await give(address, 'USDT', '20')
  const operator = await signInAsDemo(visitor, 'Paul')
  await post(operator.page, `admin/members/${memberId}/flag`, { reason: 'asked to by telephone' })

  const withdrawal = await post<Withdrawal>(page, 'withdraw', { asset: 'USDT', amount: '5' })
  expect(withdrawal.status).toBe('Auditing')
  await page.goto(`/pages/withdrawal/detail?withdraw_id=${withdrawal.withdraw_id}`)
  await page.getByRole('button', { name: 'Cancel and put 5.00 back' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes, cancel' }).click()
  await expect(page.getByRole('status').getByText('Cancelled')).toBeVisible()

  await page.goto('/pages/transfer/index')
  await page.getByLabel('Receiver').fill(receiver.address)
  await expect(page.getByText('A registered member')).toBeVisible()
  await page.getByLabel('Amount').fill('2')
  await page.getByRole('button', { name: 'Send 2.00 USDT' }).click()
  await page
    .getByRole('dialog', { name: 'Confirm the transfer' })
    .getByRole('button', { name: 'Send 2.00 USDT' })
    .click()
  await expect(page).toHaveURL('/pages/transfer/list')
  expect((await api<Me>(page, 'me')).balances.USDT.available).toBe('18.000000')
  await page.getByText('−2.00').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take the transfer back' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take the transfer back' }).click()
  await expectToast(page, 'Cancelled')

  expect((await api<Me>(page, 'me')).balances.USDT.available).toBe('20.000000')
  expect((await api<Me>(receiver.page, 'me')).balances.USDT.available).toBe('0.000000')
  const postings = await rows(`select source, destination, amount from ledger_postings
    where member_id = ${memberId} and asset = 'USDT' order by seq`)
  expect(postings.slice(1)).toEqual([
    { source: 'available', destination: 'withdrawing', amount: '5000000' },
    { source: 'withdrawing', destination: 'available', amount: '5000000' },
    { source: 'available', destination: 'locked', amount: '2000000' },
    { source: 'locked', destination: 'available', amount: '2000000' },
  ])
})

/** So long ago that an approved redemption is due. */
const HOURS_BEFORE = -73

test('a redemption arrives in the balance, and the sponsor moves the fund income of it', async ({
  member,
}) => {
  const running = runningProduct()
  const sponsor = await member()
  const { invite_code: code } = await api<{ invite_code: string }>(sponsor.page, 'me/invite')
  const { page, address, memberId } = await member({ code, side: 'left' })
  await give(address, 'USDT', '101')
  const [opened] = await fundAdmins(running, [{ do: 'open', name: `Paid Fund ${Date.now()}`, nav: '10' }])
  const productId = opened!.productId!
  await fundAdmins(running, [
    { do: 'buy', memberId, productId, units: '10' },
    { do: 'nav', productId, nav: '12' },
  ])
  const { redemption_id } = await post<FundRedemption>(page, 'fund/redeem', {
    product_id: productId,
    units: '4',
  })
  await fundAdmins(running, [{ do: 'approve', memberId, redemptionId: redemption_id }], HOURS_BEFORE)
  await page.goto(`/pages/found/redemption_success?redemption_id=${redemption_id}`)
  await expect(page.getByRole('heading', { name: 'It has arrived' })).toBeVisible()
  // 48 less 0.5%, and 20% of the profit of 8.
  expect((await api<Me>(page, 'me')).balances.USDT.available).toBe('46.160000')

  // The sponsor has a tenth of the management fee.
  await sponsor.page.goto('/pages/found/foundIncome/withdrawal')
  await sponsor.page.getByRole('button', { name: 'Max' }).click()
  await sponsor.page.getByRole('button', { name: /^Move 0\.16/ }).click()
  await expectToast(sponsor.page, 'Moved to your balance')
  expect((await api<Me>(sponsor.page, 'me')).balances.USDT.available).toBe('0.160000')
})
