import type { Page } from '@playwright/test'
import type { Withdrawal } from '@rif/api-schema'
import { lookAtAll } from '../support/inspect-all.ts'
import { api, expect, give, order, PAY, post, signInAsDemo, test } from '../support/product.ts'
import { inAnotherTab } from '../support/screens.ts'

test('a purchase, and a claim of what rests on it, say what they wait for and how long that usually takes', {
  tag: '@full',
}, async ({ chain, member }) => {
  const { page, wallet, address } = await member({ usdt: '70', amc: '60' })
  await give(address, 'USDT', '13')
  const speak = await inAnotherTab(page)
  await order(page, 'Launch 100')
  const { items } = await api<{ items: { order_id: string }[] }>(page, 'order/all')
  const id = items[0]!.order_id
  const release = await chain.hold()
  const mine = () => chain.rpc('evm_mine')
  await page.getByRole('dialog').getByRole('button', { name: PAY }).click()
  // The approval of USDT, then the payment.
  await expect.poll(() => wallet.sent.length).toBe(1)
  await mine()
  await expect.poll(() => wallet.sent.length).toBe(2)
  await mine()
  const status = async () => (await api<{ status: string }>(page, `order/${id}`)).status
  await expect.poll(status).toBe('Processing')
  const stream = page.waitForResponse((response) => response.url().endsWith('/api/v1/changes'))
  await page.goto(`/pages/shop/shopOrderDetail?order_id=${id}`)
  await expect(page.getByText(/It usually takes about|not known yet/)).toBeVisible()
  expect((await stream).status()).toBe(200)
  await lookAtAll(page, 'purchase-waits', speak)

  // Booked, and not final on L1: one more block is missing.
  await mine()
  await expect.poll(status).toBe('Paid')
  // The page is told: with the stream open it looks only once a minute.
  await expect(page.getByText('Collection time', { exact: true })).toBeVisible()
  const withdrawal = await post<Withdrawal>(page, 'withdraw', { asset: 'USDT', amount: '12' })
  expect(withdrawal).toMatchObject({ status: 'Withdrawable', claim_wait: { block: expect.any(String) } })
  await page.goto(`/pages/withdrawal/withdrawalSunccess?withdraw_id=${withdrawal.withdraw_id}`)
  await expect(page.getByText(/as soon as the payments behind it are final/)).toBeVisible()
  await lookAtAll(page, 'withdrawal-success-waits', speak)
  await page.goto(`/pages/withdrawal/detail?withdraw_id=${withdrawal.withdraw_id}`)
  await expect(page.getByText(/It usually takes about|not known yet/)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Claim / })).toBeHidden()
  await lookAtAll(page, 'claim-waits', speak)
  await release()
  await chain.finalise()
  await expect(page.getByRole('button', { name: /^Claim / })).toBeVisible()
})

/** Refuses calls as the product does when it is asked too often (429), or when its database is away (503). */
const answer = (page: Page, calls: string, { status, seconds }: { status: 429 | 503; seconds: number }) =>
  page.route(`**/api/v1/${calls}`, (route) =>
    route.fulfill({
      status,
      headers: { 'retry-after': `${seconds}` },
      json: { code: status, msg: 'Not now', data: { error: 'INTERNAL', details: {} } },
    }),
  )

test.describe('refused reads', () => {
  test('too many requests: a banner names the time, and the page goes on by itself', {
    tag: '@full',
  }, async ({ visitor }) => {
    const { page } = await signInAsDemo(visitor, 'Ann')
    const speak = await inAnotherTab(page)
    await page.clock.install()
    await answer(page, 'me', { status: 429, seconds: 100 })
    await page.goto('/')
    await expect(page.getByText(/Too many requests. This page continues by itself at/)).toBeVisible()
    await lookAtAll(page, 'too-many-requests', speak)
    await page.unroute('**/api/v1/me')
    await page.clock.fastForward(101_000)
    await expect(page.getByText('Too many requests')).toBeHidden()
    await expect(page.getByText('Where it is')).toBeVisible()
  })

  test('a server that cannot answer: a banner, and every part of the page recovers by itself', {
    tag: '@full',
  }, async ({ visitor }) => {
    const { page } = await signInAsDemo(visitor, 'Ann')
    const speak = await inAnotherTab(page)
    await page.clock.install()
    await answer(page, '**', { status: 503, seconds: 1 })
    await page.goto('/')
    await expect(page.getByText('Connection lost. Trying again…')).toBeVisible()
    // The banner can be there before the page.
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    await lookAtAll(page, 'server-away', speak)
    // The others are answered again, this one is not.
    await page.unroute('**/api/v1/**')
    await answer(page, 'me', { status: 503, seconds: 1 })
    await expect(async () => {
      await page.clock.fastForward(10_000)
      expect(await page.getByText('Could not load').isVisible()).toBe(true)
    }).toPass()
    await page.unroute('**/api/v1/me')
    await page.clock.fastForward(16_000)
    await expect(page.getByText('Where it is')).toBeVisible()
  })
})
