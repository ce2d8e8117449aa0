import type { Page } from '@playwright/test'
import type { RewardDetail } from '@rif/api-schema'
import { look } from '../support/inspect.ts'
import { api, expect, signInAsDemo, test } from '../support/product.ts'
import { expectToast } from '../support/toasts.ts'

interface Rewards {
  items: { reward_id: string; type: string; created_at: string }[]
}

const DAY_MS = 86_400_000
const list = (page: Page) => page.getByRole('list', { name: 'Rewards, newest first' })
const choose = (page: Page, kind: string) =>
  page.getByRole('group', { name: 'Kind of reward' }).getByText(kind, { exact: true }).click()

test('rewards are filtered, grouped by day and read to their end; each is worked out again', {
  tag: '@full',
}, async ({ visitor }) => {
  // Members who sign up or buy in a test are outside of Ann's team, so her rewards do not change.
  const { page } = await signInAsDemo(visitor, 'Ann')
  // The demonstration has fewer rewards than the app asks for at a time.
  await page.route(/profit\/all\?/, (route) =>
    route.continue({ url: route.request().url().replace('limit=50', 'limit=3') }),
  )
  const { items } = await api<Rewards>(page, 'profit/all?limit=100')
  // The browser's day is that of the rewards, also when midnight was since.
  const today = Date.parse(items[0]!.created_at)
  await page.clock.setSystemTime(today)
  await page.goto('/pages/rewardList/index?show=rewards')

  await test.step('the list goes on while it is scrolled, to its end', async () => {
    await expect(list(page).getByRole('heading')).toHaveText('Today')
    await page.mouse.move(200, 400)
    await expect(async () => {
      await page.mouse.wheel(0, 4_000)
      expect(await page.getByText('You’ve reached the end').isVisible()).toBe(true)
    }).toPass()
    await expect(page.getByText('You’ve reached the end')).toBeInViewport()
    expect(items.length).toBeGreaterThan(6)
    const last = list(page).getByRole('listitem').last()
    await expect(last).toHaveAttribute('aria-posinset', String(items.length))
    const detail = new RegExp(`reward_id=${items.at(-1)!.reward_id}$`)
    await expect(last.getByRole('link')).toHaveAttribute('href', detail)
  })

  await test.step('a kind stands in the address, and a kind without rewards says so', async () => {
    await choose(page, 'Referral')
    await expect(page).toHaveURL(/type=ReferralReward/)
    const { items: few } = await api<Rewards>(page, 'profit/all?type=ReferralReward&limit=3')
    await expect(list(page).getByRole('link')).toHaveCount(few.length)
    for (const row of await list(page).getByRole('link').all())
      await expect(row).toContainText('Referral reward')
    await choose(page, 'Management')
    await expect(page.getByText('No rewards of this kind')).toBeVisible()
    await choose(page, 'Referral')
    await list(page).getByRole('link').first().click()
    await expect(page).toHaveURL(/rewardList\/detail/)
    await page.goBack()
    await expect(page).toHaveURL(/type=ReferralReward/)
    await expect(list(page).getByRole('link').first()).toContainText('Referral reward')
  })

  await test.step('what was today is yesterday tomorrow, and earlier after', async () => {
    for (const [days, heading] of [
      [1, 'Yesterday'],
      [2, 'Earlier'],
    ] as const) {
      await page.clock.setSystemTime(today + days * DAY_MS)
      await page.reload()
      await expect(list(page).getByRole('heading')).toHaveText(heading)
    }
    await page.clock.setSystemTime(today)
  })

  await test.step('the explanation is equal; an answer that was tampered with is loudly not', async () => {
    await list(page).getByRole('link').first().click()
    await expect(page).toHaveURL(/rewardList\/detail/)
    await expect(page.getByText('Worked out again: all equal')).toBeVisible()
    await expect(page.getByText('Filled only by the declared share of package sales')).toBeVisible()
    await page.route(/profit\/[0-9]+$/, async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: RewardDetail }
      const usdt = (Number(body.data.usdt) + 0.000001).toFixed(6)
      await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, usdt } } })
    })
    await page.reload()
    const alarm = page.getByRole('alert')
    await expect(alarm).toContainText('Worked out again: NOT equal')
    const differing = page.getByRole('row').filter({ hasText: '≠' })
    await expect(differing).toHaveCount(1)
    await expect(differing).toContainText('USDT')
    await look(page, 'reward-unequal', { fullPage: true })
  })
})

test('what was calculated and paid is told by kind and day, and the management award is paused and resumed', {
  tag: '@full',
}, async ({ member }) => {
  const { page } = await member()
  await page.goto('/pages/rewardList/index?show=rewards')

  await test.step('pause and resume, each after a prompt that says what it means', async () => {
    const award = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Management award' }) })
    const prompt = page.getByRole('alertdialog')
    await expect(award.getByRole('status')).toHaveText('Running')
    await award.getByRole('button', { name: 'Pause settlement' }).click()
    await expect(prompt).toContainText('Pause the management award?')
    await prompt.getByRole('button', { name: 'Cancel' }).click()
    expect(await api(page, 'profit/mng')).toMatchObject({ paused: false })
    await award.getByRole('button', { name: 'Pause settlement' }).click()
    await prompt.getByRole('button', { name: 'Pause', exact: true }).click()
    await expectToast(page, 'The award is paused')
    await expect(award.getByRole('status')).toHaveText('Paused')
    expect(await api(page, 'profit/mng')).toMatchObject({ paused: true })
    await page.goto('/')
    await expect(page.getByRole('main')).toContainText(/management award is paused/i)
    await page.goBack()
    await award.getByRole('button', { name: 'Resume settlement' }).click()
    await prompt.getByRole('button', { name: 'Resume', exact: true }).click()
    await expect(award.getByRole('status')).toHaveText('Running')
  })

  await test.step('the chart is read by keyboard, and says which part was paid', async () => {
    await page.goto('/pages/rewardList/coverage')
    const chart = page.getByRole('slider', { name: 'Commission: calculated and paid by day' })
    await expect(chart).toHaveAttribute('aria-valuetext', /[\d,.]+ USDT calculated, [\d,.]+ USDT paid/)
    await expect(page.getByText('100%').first()).toBeVisible()
    await expect(page.getByText('All 30 days')).toBeVisible()
    const today = new Date().toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'medium' })
    await chart.press('End')
    await chart.press('ArrowLeft')
    await chart.press('ArrowRight')
    await expect(page.getByRole('definition').first()).toHaveText(today)
    await page.getByRole('group', { name: 'Kind of reward' }).getByText('Static').click()
    await expect(page.getByText('Nothing calculated')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Attested revenue' })).toBeVisible()
    await look(page, 'coverage', { fullPage: true })
  })
})
