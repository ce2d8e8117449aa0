import type { PlanComparisonResult, RouteData } from '@rif/api-schema'
import { approve, prepare } from '../support/admins.ts'
import { look } from '../support/inspect.ts'
import { api, dayInWords, expect, signInAsDemo, test } from '../support/product.ts'

/** So far ahead that no other test uses it; a different day each time the test is repeated. */
const effectiveDay = () => `2${100 + Math.floor(Math.random() * 800)}-01-01`
/** A percentage that differs from those of the versions that earlier attempts have left, with which this one is compared. */
const newRate = () => `9.${10 + Math.floor(Math.random() * 90)}`.replace(/0$/, '')

test('a plan is edited, checked, compared on the real books, and in force from its day by an owner’s decision', async ({
  visitor,
}) => {
  const { page } = await signInAsDemo(visitor, 'Paul', '/pages/admin/plan')
  const wanted = newRate()
  const packages = page.getByRole('region', { name: 'Packages and the rates of each level' })
  const rate = packages.getByLabel('Referral, level 5')
  const title = packages.getByRole('button', { name: 'Packages and the rates of each level' })
  await title.click()
  await expect(rate).toHaveValue('10')

  // Commissions above the pool's part of a sale are refused, with the difference.
  await rate.fill('30')
  await expect(page.getByText('exceed it by 5 %').first()).toBeVisible()
  const propose = page.getByRole('button', { name: 'Propose this plan' })
  await expect(propose).toBeDisabled()
  await page.getByRole('button', { name: /exceed it by 5 %/ }).click()
  await expect(page.getByLabel('Share of the commission pool')).toBeFocused()
  // A closed section still shows the differences.
  await title.click()
  await expect(title).toContainText('1 change')
  await expect(packages).toContainText('10 % → 30 %')
  await title.click()
  await rate.fill(wanted)
  await expect(packages.getByText('In force: 10 %')).toBeVisible()
  await expect(page.getByText('1 figure differs from the plan in force')).toBeVisible()

  // No typed input is lost.
  await page.reload()
  await expect(packages).toContainText(`10 % → ${wanted} %`)
  await title.click()
  await expect(rate).toHaveValue(wanted)

  const comparison = page.getByRole('region', { name: 'Comparison on the real books' })
  await comparison.getByRole('button', { name: 'Compare' }).click()
  await expect(comparison.getByText(/are exactly what the books hold/)).toBeVisible()
  // An earlier attempt's comparison stays visible until this one begins.
  let result: PlanComparisonResult | null | undefined
  await expect(async () => {
    result = (await api<RouteData<'planComparison'>>(page, 'admin/plan/comparison')).run?.result
    expect(result?.proof.differing).toEqual([])
  }).toPass()
  const referral = result!.kinds.find(({ kind }) => kind === 'ReferralReward')!
  expect(Number(referral.after.due)).toBeLessThanOrEqual(Number(referral.before.due))
  await expect(comparison.getByText('What this cannot know')).toBeVisible()
  await look(page, 'admin-plan', { fullPage: true })

  const [day, reason] = [effectiveDay(), `plan of ${Date.now()}`]
  await page.getByLabel('In force from').fill(day)
  await propose.click()
  await prepare(page, reason)
  const waiting = page.getByRole('list', { name: 'Waiting for a decision' })
  await expect(waiting.getByRole('listitem').filter({ hasText: reason })).toBeVisible()

  const owner = await signInAsDemo(visitor, 'Olivia')
  await approve(owner.page, reason)
  await owner.page.goto('/pages/admin/plan')
  const version = owner.page.getByRole('listitem').filter({ hasText: `from ${dayInWords(day)} on` })
  await expect(version).toContainText('To come')
  await version.getByRole('button', { name: '1 change' }).click()
  await expect(version).toContainText(`→ ${wanted} %`)
  const { versions, in_force } = await api<RouteData<'adminPlan'>>(owner.page, 'admin/plan')
  const published = versions.find(({ effective_day }) => effective_day === day)!
  expect(published.version).not.toBe(in_force)
})
