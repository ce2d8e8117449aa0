import type { Page } from '@playwright/test'
import { look } from '../support/inspect.ts'
import { api, expect, give, signInAsDemo, test } from '../support/product.ts'
import { expectToast } from '../support/toasts.ts'

const picture = (page: Page, name: string) => look(page, name, { fullPage: true })

test('a member saves and withdraws again, and sees amount and arrival before confirming', async ({
  member,
}) => {
  const { page, address } = await member()
  await give(address, 'USDT', '5')
  await page.goto('/')
  await page.getByRole('link', { name: 'Savings', exact: true }).click()
  await expect(page).toHaveURL('/pages/savings/index')
  await expect(page.getByText('Total holding value')).toBeVisible()
  await expect(page.getByText('up to 18% a year')).toHaveCount(2)
  await picture(page, 'savings')

  await page.getByRole('link', { name: 'Save' }).first().click()
  const amount = page.getByLabel('Amount')
  const save = (name: string | RegExp) => page.getByRole('button', { name })
  for (const [typed, problem] of [
    ['', 'Please enter an amount'],
    ['0', 'Please enter a valid amount'],
  ] as const) {
    await amount.fill(typed)
    await save('Save').click()
    await expect(page.getByText(problem)).toBeVisible()
  }
  // What is too much is said while it is typed, with the tap that mends it.
  await amount.fill('99999999')
  await expect(page.getByText(/more than is available\.$/)).toBeVisible()
  await expect(save('Amount is too high')).toBeDisabled()
  await save('Use 5.00').click()
  await expect(page.getByText('0.00 stays available')).toBeVisible()
  await amount.fill('2.5')
  await expect(page.getByText('at once')).toBeVisible()
  await expect(page.getByText('2.50')).toHaveCount(5)
  const posts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(new URL(request.url()).pathname))
  await save('Save 2.50 USDT').dblclick()
  await expectToast(page, 'Transfer In Successful')
  expect(posts).toEqual(['/api/v1/savings/in'])
  await expect(page).toHaveURL('/pages/savings/index')

  await page.getByRole('link', { name: 'Take out' }).click()
  await amount.fill('99999999')
  await expect(page.getByText(/more than is available\.$/)).toBeVisible()
  await amount.fill('1')
  await expect(page.getByText('within 5 minutes', { exact: true })).toBeVisible()
  await picture(page, 'savings-out-form')
  await save('Take out 1.00 USDT').click()
  await expectToast(page, 'Transfer Out Successful')
  await expect(page).toHaveURL('/pages/savings/list?show=leaving')
  await expect(page.getByRole('timer').first()).toHaveText(/^\d:\d\d$/)
  await picture(page, 'savings-list')

  const { assets } = await api<{ assets: object[] }>(page, 'savings')
  expect(assets[0]).toMatchObject({ asset: 'USDT', savings: '1.500000', leaving: '1.000000' })
})

test('more than the fast worth takes three days, and a member without savings sees what to do', {
  tag: '@full',
}, async ({ member, visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ruth')
  await page.goto('/pages/savings/out?asset=AMC')
  await page.getByLabel('Amount').fill('2500')
  await expect(page.getByText('within 3 days', { exact: true })).toBeVisible()
  await picture(page, 'savings-out')
  const { page: newcomer } = await member()
  await newcomer.goto('/pages/savings/list?show=interest')
  await expect(newcomer.getByText('No interest yet')).toBeVisible()
  await newcomer.goto('/pages/savings/out')
  await expect(newcomer.getByText('Nothing is saved yet')).toBeVisible()
  await newcomer.goto('/pages/savings/in')
  await expect(newcomer.getByText('Nothing to save yet')).toBeVisible()
})

test('interest that was really paid is shown: yesterday, in all, day by day, and how much of it was covered', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ruth')
  interface Account {
    yesterday_income: string
    total_earned: string
    assets: { asset: string; yesterday_income: string; total_earned: string }[]
  }
  interface Interest {
    items: { asset: string; day: string; due: string; paid: string; coverage_ppm: number }[]
  }
  const account = await api<Account>(page, 'savings')
  const { items } = await api<Interest>(page, 'savings/interest?limit=100')
  const paid = (asset: string) =>
    items.filter((item) => item.asset === asset).reduce((sum, item) => sum + Number(item.paid), 0)
  for (const { asset, total_earned } of account.assets) {
    expect(Number(total_earned)).toBeGreaterThan(0)
    expect(Number(total_earned)).toBeCloseTo(paid(asset), 6)
  }
  expect(Number(account.yesterday_income)).toBeGreaterThan(0)
  // Some days were covered whole, some in part, some not at all.
  const coverages = items.map(({ coverage_ppm }) => coverage_ppm)
  expect(coverages).toContain(1_000_000)
  expect(coverages).toContain(0)
  expect(coverages.some((ppm) => ppm > 0 && ppm < 1_000_000)).toBe(true)

  await page.goto('/pages/savings/index')
  await expect(page.getByText('Yesterday').first()).toBeVisible()
  await picture(page, 'savings-earned')
  await page.goto('/pages/savings/list?show=interest')
  await expect(page.getByText('No interest yet')).toHaveCount(0)
  await picture(page, 'savings-interest')
})
