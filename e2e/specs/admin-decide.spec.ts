import type { AdminMember } from '@rif/api-schema'
import { approve, prepare } from '../support/admins.ts'
import { rows } from '../support/database.ts'
import { fundAdmins } from '../support/fund-admins.ts'
import { api, expect, post, runningProduct, signInAsDemo, test } from '../support/product.ts'

// A page for admins is refused to others with 403, which shows in the console of the browser.
test.use({ provoked: [/status of 403/] })

test('a withdrawal under audit takes two people; nobody else finds the page', async ({ visitor }) => {
  const operator = await signInAsDemo(visitor, 'Paul')
  await operator.page.goto('/pages/admin/audit')
  const row = operator.page.getByRole('listitem').filter({ hasText: '1,200.00' })
  await expect(row.getByText('Large amount')).toBeVisible()
  await row.getByRole('button', { name: 'Propose approval' }).click()
  await prepare(operator.page, 'known for years')
  await expect(row.getByRole('button', { name: 'See the proposal' })).toBeVisible()
  await row.getByRole('button', { name: 'See the proposal' }).click()
  await expect(operator.page.getByText('Your role does not decide on this')).toBeVisible()

  const approver = await signInAsDemo(visitor, 'Vera')
  await approve(approver.page, 'known for years')
  const [withdrawal] = await rows(
    `select status from withdrawals where amount_micros = 1200000000 order by withdrawal_id limit 1`,
  )
  expect(withdrawal!.status).toBe('Withdrawable')
  await approver.page.goto('/pages/admin/log')
  await expect(approver.page.getByText(/The chain of \d+ entries is whole/)).toBeVisible()
  await expect(approver.page.getByText('proposal.approve').first()).toBeVisible()

  const member = await signInAsDemo(visitor, 'Kim')
  await member.page.goto('/pages/admin/approvals')
  await expect(member.page.getByText('There is no such page')).toBeVisible()
})

test('freezing stops a member at once, letting go takes two', async ({ member: signUp, visitor }) => {
  const member = await signUp()
  const operator = await signInAsDemo(visitor, 'Paul')
  await operator.page.goto(`/pages/admin/search?member_id=${member.memberId}`)
  const hold = operator.page.getByRole('button', { name: 'Freeze the member' })
  await hold.click()
  const sheet = operator.page.getByRole('dialog')
  await sheet.getByLabel('Reason').fill('asked to by telephone')
  await sheet.getByRole('button', { name: 'Freeze the member' }).click()
  await expect(operator.page.getByText('asked to by telephone')).toBeVisible()
  expect(await post(member.page, 'order', { product_id: '1' })).toMatchObject({ error: 'MEMBER_FROZEN' })

  await operator.page.getByRole('button', { name: 'Propose to unfreeze' }).click()
  const reason = `identity of ${member.address} was confirmed`
  await prepare(operator.page, reason)
  const approver = await signInAsDemo(visitor, 'Vera')
  await approve(approver.page, reason)
  const order = await post<{ order_id: string }>(member.page, 'order', { product_id: '1' })
  await post(member.page, 'order/cancel', { order_id: order.order_id })
})

test('a launch is typed once and opened by two people', async ({ visitor }) => {
  const name = `Harbour ${Date.now()}`
  const { page } = await signInAsDemo(visitor, 'Paul')
  const sheet = page.getByRole('dialog')
  await page.goto('/pages/admin/approvals')
  await page.getByRole('button', { name: 'New proposal' }).click()
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await expect(sheet.getByText('Please fill this in').first()).toBeVisible()
  await sheet.getByLabel('Name').fill(name)
  await sheet.getByLabel('Introduction').fill('Berths that are let')
  await sheet.getByLabel('Units on offer').fill('1000')
  await sheet.getByLabel('Price of a unit').fill('0.5')
  // It stays one to come, so that the launch of the demonstration is the only one open.
  const year = new Date().getUTCFullYear() + 1
  await sheet.getByLabel('Starts').fill(`${year}-03-01T08:30`)
  await sheet.getByLabel('Ends').fill(`${year}-03-01T08:30`)
  await expect(sheet.getByText('The end must lie after the start')).toBeVisible()
  await sheet.getByLabel('Ends').fill(`${year}-03-08T08:30`)
  await expect(sheet.getByText('The whole allocation costs 500.00 VC')).toBeVisible()
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await prepare(page, `open ${name}`)
  await expect(page.getByRole('listitem').filter({ hasText: `open ${name}` })).toContainText('Open')

  const approver = await signInAsDemo(visitor, 'Vera')
  await approve(approver.page, `open ${name}`)
  const launches = await rows(`select state, price_micros from vc_launches where name = '${name}'`)
  expect(launches).toEqual([{ state: 'Approved', price_micros: '500000' }])
})

test('on the page of a member: an own day cap, and a mistake put right', async ({
  member: signUp,
  visitor,
}) => {
  const member = await signUp()
  await fundAdmins(runningProduct(), [{ do: 'grant', memberId: member.memberId, rif: '7' }])
  const { page } = await signInAsDemo(visitor, 'Paul')
  await page.goto(`/pages/admin/search?member_id=${member.memberId}`)
  await page.getByRole('button', { name: 'Propose an own cap' }).click()
  await page.getByRole('dialog').getByLabel('Own day cap').fill('5')
  await page.getByRole('dialog').getByRole('button', { name: 'See what changes' }).click()
  const [cap, mistake] = [`cap of ${member.address}`, `mistake with ${member.address}`]
  await prepare(page, cap)
  await page.getByRole('button', { name: /^Reverse #\d+…$/ }).click()
  await prepare(page, mistake)

  const approver = await signInAsDemo(visitor, 'Vera')
  await approve(approver.page, cap)
  await approve(approver.page, mistake)
  const told = await api<AdminMember>(page, `admin/members/${member.memberId}`)
  expect(told.own_day_cap).toBe('5.000000')
  expect(told.profile.balances.RIF.available).toBe('0.000000')
})
