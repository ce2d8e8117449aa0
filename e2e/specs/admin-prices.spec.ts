import { createHmac } from 'node:crypto'
import { approve, prepare } from '../support/admins.ts'
import { findNothing, look, reloadUntil } from '../support/inspect.ts'
import { FEED_KEY, FEED_NAME } from '../support/price-feed.ts'
import { deployOracle, ORACLE } from '../support/price-oracle.ts'
import { api, expect, signInAsDemo, test } from '../support/product.ts'
import { runningProduct } from '../support/running.ts'
import { changeTo } from '../support/screens.ts'

test.use({ provoked: [/status of 403/] })

/** Sends a price of RIF as the feed does, and returns the result. */
async function send(baseUrl: string, price: string): Promise<string> {
  const [id, timestamp] = [`msg_${Date.now()}`, `${Math.floor(Date.now() / 1_000)}`]
  const body = JSON.stringify({ asset: 'RIF', price })
  const signature = createHmac('sha256', FEED_KEY).update(`${id}.${timestamp}.${body}`).digest('base64')
  const answer = await fetch(`${baseUrl}/api/v1/prices/feed/${FEED_NAME}`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
  })
  const { data } = (await answer.json()) as { data: { outcome: string } }
  return data.outcome
}

test('a price of a feed that jumps is published once a second person has approved it', {
  tag: '@full',
}, async ({ baseURL, visitor }) => {
  expect(await send(baseURL!, '3.1')).toBe('waiting')
  const about = 'differs by more than 10%'
  const first = await signInAsDemo(visitor, 'Vera')
  await approve(first.page, about)
  const second = await signInAsDemo(visitor, 'Otto', '/pages/admin/prices')
  const source = second.page.getByRole('row', { name: new RegExp(FEED_NAME) })
  await expect(source.getByText('Waits for two people')).toBeVisible()
  await expect(second.page.getByText('Source: Operator')).toHaveCount(2)
  await approve(second.page, about)

  const member = await signInAsDemo(visitor, 'Ann', '/pages/index/hashRate')
  await expect(member.page.getByText(`Source: Price feed ${FEED_NAME}, approved by two people`)).toBeVisible()
})

test('the answer of an oracle contract becomes the price, and its address the source', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Vera', '/pages/admin/prices')
  const row = page.getByRole('row', { name: new RegExp(ORACLE.slice(0, 6)) })
  await expect(row).toBeVisible()
  const source = page.getByText(`Source: On-chain oracle ${ORACLE.slice(0, 6)}`)
  await expect(source).toBeHidden()
  const oracle = await deployOracle(runningProduct().rpcUrl)
  await oracle.set({ roundId: 1n, answer: 51_000_000n })
  // The worker reads oracles every 15 s, at a block that is final.
  await reloadUntil(page, () => source.isVisible())
  const member = await signInAsDemo(visitor, 'Ann')
  expect(await api<{ price: string; source: object }>(member.page, 'token/price')).toMatchObject({
    price: '0.510000',
    source: { kind: 'oracle', name: ORACLE },
  })
})

test('a price far from the one in force shows a warning while typing', { tag: '@full' }, async ({
  visitor,
}) => {
  const { page } = await signInAsDemo(visitor, 'Paul', '/pages/admin/prices')
  await page.getByRole('button', { name: 'Propose a price' }).click()
  const sheet = page.getByRole('dialog', { name: 'Propose a price' })
  const warning = sheet.getByText(/^That is [\d,]+\.\d\d% above the price in force\.$/)
  await sheet.getByLabel('Price of 1 AMC').fill('50')
  await expect(warning).toBeVisible()
  await findNothing(page)
  await sheet.getByLabel('Price of 1 AMC').fill('')
  await expect(warning).toBeHidden()
})

test('a rate that two people published shows totals in a second currency', { tag: '@full' }, async ({
  visitor,
}) => {
  const operator = await signInAsDemo(visitor, 'Paul', '/pages/admin/prices')
  await operator.page.getByRole('button', { name: 'Propose a rate' }).click()
  const sheet = operator.page.getByRole('dialog', { name: 'Propose a rate' })
  await sheet.getByLabel('Currency', { exact: true }).fill('EUR')
  await sheet.getByLabel('1 USDT in EUR').fill('0.92')
  await sheet.getByLabel('Source').fill('ECB reference rate')
  await look(operator.page, 'propose-rate')
  await findNothing(operator.page)
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await prepare(operator.page, 'Rate of the day')
  const approver = await signInAsDemo(visitor, 'Vera')
  await approve(approver.page, 'Rate of the day')

  const { page } = await signInAsDemo(visitor, 'Ann', '/pages/my/index')
  await page.getByRole('button', { name: /Second currency/ }).click()
  await page.getByText('EUR · Euro').click()
  await look(page, 'second-currency')
  await findNothing(page)
  await changeTo(page, '/')
  const line = page.getByRole('button', { name: /^≈ €[\d,]+\.\d\d: how it is worked out$/ })
  await line.click()
  const rate = page.getByRole('dialog', { name: 'In Euro' })
  await expect(rate.getByText('1 USDT = €0.92')).toBeVisible()
  await expect(rate.getByText('ECB reference rate')).toBeVisible()
  await look(page, 'currency-rate')
  await findNothing(page)
  await rate.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Hide sums' }).click()
  await expect(line).toBeHidden()
})
