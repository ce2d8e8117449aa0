import type { Page } from '@playwright/test'
import type { FundOrder } from '@rif/api-schema'
import { parseUnits } from 'viem'
import { fundAdmins } from '../support/fund-admins.ts'
import { look } from '../support/inspect.ts'
import { api, expect, give, test } from '../support/product.ts'
import { runningProduct } from '../support/running.ts'

const picture = (page: Page, name: string) => look(page, `fund-${name}`, { fullPage: true })
const goOn = (page: Page) => page.getByRole('button', { name: /^(Continue|Buy \d|Redeem \d)/ }).click()
const sheet = (page: Page) => page.getByRole('dialog')

test('buy on chain, a valuation raises the NAV, a redemption is estimated, requested and cancelled', async ({
  chain,
  member,
}) => {
  const running = runningProduct()
  const name = `Browser Fund ${Date.now()}`
  const [opened] = await fundAdmins(running, [{ do: 'open', name, nav: '10' }])
  const productId = opened!.productId!
  const { page, wallet } = await member({ usdt: '250' })

  await page.goto('/pages/found/home')
  await page.getByRole('article', { name }).getByRole('link').click()
  await expect(page.getByText('Unit net value').first()).toBeVisible()
  await expect(page.getByText(/Arbitrum One/).first()).toBeVisible()
  await picture(page, 'product')
  await page.getByRole('link', { name: 'Buy', exact: true }).click()
  const units = page.getByLabel('Units', { exact: true })
  for (const [typed, problem] of [
    ['', 'please enter amount'],
    ['0', 'Please enter a valid amount'],
    ['4', 'At least 50.00 USD'],
    ['6', 'This costs more than the'],
  ] as const) {
    await units.fill(typed)
    await goOn(page)
    await expect(page.getByText(problem)).toBeVisible()
  }
  await units.fill('19')
  // The input survives a reload.
  await page.reload()
  await expect(units).toHaveValue('19')
  await page.getByRole('button', { name: 'One unit more' }).click()
  await page.getByText('My wallet').click()
  await expect(page.getByText('202.00')).toBeVisible()
  await picture(page, 'buy')
  await goOn(page)
  await picture(page, 'buy-confirm')
  // After it was left after the approval and opened again, the payment resumes.
  wallet.refuseNext('eth_sendTransaction')
  await sheet(page).getByRole('button', { name: 'Pay 202.00 USDT' }).click()
  await expect(page).toHaveURL(/found\/pay\?/)
  await expect(page.getByRole('alert')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Arbitrum One')).toBeVisible()
  await picture(page, 'pay')
  await page.getByRole('button', { name: 'Pay 202.00 USDT' }).click()
  await expect(page.getByText(`20 units of ${name} are yours`)).toBeVisible()
  expect((await chain.balances(wallet.address)).usdt).toBe(parseUnits('48', 6))
  await picture(page, 'pay-success')

  const { items: orders } = await api<{ items: FundOrder[] }>(page, 'fund/orders')
  const order = orders[0]!
  expect(order).toMatchObject({ status: 'Paid', units: '20', value: '200.000000', fee: '2.000000' })
  // Half of the cash is invested, and valued at 140.
  await fundAdmins(running, [{ do: 'nav', productId, nav: '12' }])

  // The backing of a unit, with its document, is public.
  await page.goto(`/pages/found/productDetail?product_id=${productId}`)
  await expect(page.getByText('Cost 100.00 USDT')).toBeVisible()
  await expect(page.getByText('All investments: 140.00 USDT')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Document 0x/ }).first()).toBeVisible()
  await picture(page, 'books')

  await page.goto('/pages/found/transtionList')
  await expect(page.getByRole('listitem').filter({ hasText: 'Purchase' })).toContainText(name)
  await page.goto('/pages/found/my')
  const holding = page.getByRole('article', { name })
  await expect(holding.getByText('240.00')).toBeVisible()
  await expect(holding.getByText('+40.00')).toBeVisible()
  await picture(page, 'my')
  await holding.getByRole('link', { name: 'Redeem' }).click()
  await page.getByLabel('Units to redeem').fill('21')
  await goOn(page)
  await expect(page.getByText('more units than can be redeemed.')).toBeVisible()
  await page.getByLabel('Units to redeem').fill('10')
  // 120 less 0.5% and 20% of the profit of 20: in sight with the one button that confirms.
  await expect(
    page.getByText('About 115.40 USDT arrive in your balance, after fees of 4.60'),
  ).toBeInViewport()
  await picture(page, 'redeem')
  await goOn(page)
  await expect(page).toHaveURL(/redemption_success/)
  await expect(page.getByRole('heading', { name: 'Redemption submitted' })).toBeVisible()
  await picture(page, 'redemption-pending')
  await page.getByRole('button', { name: 'Cancel this redemption' }).click()
  await page.getByRole('button', { name: 'Yes, cancel' }).click()
  await expect(page.getByRole('heading', { name: 'Cancelled' })).toBeVisible()
})

test('a proposed valuation stops dealing until it is decided; locked units are shown', async ({ member }) => {
  const running = runningProduct()
  const [old, locked] = [`Old Fund ${Date.now()}`, `Locked Fund ${Date.now()}`]
  const { page, address, memberId } = await member()
  await give(address, 'USDT', '110')
  const [opened] = await fundAdmins(running, [{ do: 'open', name: old, nav: '10' }])
  const productId = opened!.productId!
  const bought = { do: 'buy', memberId, productId, units: '5' }
  await fundAdmins(running, [
    bought,
    { do: 'nav', productId, nav: '10' },
    { do: 'propose', productId, value: '30' },
  ])

  const stopped = page.getByText('Dealing is stopped for now')
  for (const name of ['productDetail', 'buy', 'redemption']) {
    await page.goto(`/pages/found/${name}?product_id=${productId}`)
    await expect(stopped).toBeVisible()
    // A redemption can be requested: its approval and its payment wait.
    const goesOn = name === 'redemption' ? 1 : 0
    await expect(page.getByRole('button', { name: 'Continue' })).toHaveCount(goesOn)
  }
  await picture(page, 'stale')
  const [, second] = await fundAdmins(running, [
    { do: 'nav', productId, nav: '11' },
    { do: 'open', name: locked, nav: '10', lockDays: 30 },
  ])
  await page.reload()
  await expect(page.getByLabel('Units to redeem')).toBeVisible()
  await expect(stopped).toHaveCount(0)

  await page.goto(`/pages/found/buy?product_id=${second!.productId!}&units=5`)
  await goOn(page)
  await sheet(page).getByRole('button', { name: /^Pay / }).click()
  await expect(page.getByText(`5 units of ${locked} are yours`)).toBeVisible()
  await page.goto('/pages/found/my')
  const holding = page.getByRole('article', { name: locked })
  await expect(holding.getByText('the first from')).toBeVisible()
  await holding.getByRole('link', { name: 'Redeem' }).click()
  await expect(page.getByText('Your units are locked')).toBeVisible()
  await picture(page, 'locked')
})
