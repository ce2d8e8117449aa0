import type { Page } from '@playwright/test'
import type { FundProductOperated } from '@rif/api-schema'
import { approve, prepare } from '../support/admins.ts'
import { fundAdmins } from '../support/fund-admins.ts'
import { look } from '../support/inspect.ts'
import { api, expect, give, signInAsDemo, test } from '../support/product.ts'
import { runningProduct } from '../support/running.ts'

// A refused preview shows in the console of the browser.
test.use({ provoked: [/status of 404/] })

const LANGUAGES = {
  English: 'Berths that are let',
  简体中文: '出租的泊位',
  日本語: '貸し出される係留所',
  한국어: '임대되는 정박지',
}

test('a valuation takes two people and shows its evidence, and the net value follows from it', {
  tag: '@full',
}, async ({ member: signUp, visitor }) => {
  const name = `Operated Fund ${Date.now()}`
  const { address, memberId } = await signUp()
  await give(address, 'USDT', '110')
  const [opened] = await fundAdmins(runningProduct(), [{ do: 'open', name, nav: '10' }])
  const productId = opened!.productId!
  await fundAdmins(runningProduct(), [
    { do: 'buy', memberId, productId, units: '10' },
    { do: 'nav', productId, nav: '10' },
  ])
  const operator = await signInAsDemo(visitor, 'Paul')
  await operator.page.goto('/pages/admin/updateFound')
  const product = operator.page.getByRole('region', { name })
  await expect(product).toContainText('10.00 USDT')
  await product.getByRole('link', { name: 'Open the desk' }).click()
  const form = operator.page.getByRole('region', { name: 'Propose a valuation' })
  await form.getByLabel('test is worth').fill('5x')
  await expect(form.getByText('The unit of this amount is USDT.')).toBeVisible()
  await form.getByLabel('test is worth').fill('55')
  await form.getByLabel('Where they are held').fill('Harbour Bank')
  await expect(form.getByRole('row', { name: /^÷ 10 units/ })).toContainText('10.50')
  await form.getByRole('button', { name: 'Propose 10.50 for each unit' }).click()
  await expect(form.getByText('Please choose the document')).toBeVisible()
  const paper = { name: 'report.pdf', mimeType: 'application/pdf', buffer: Buffer.from(name) }
  await form.locator('input[type=file]').setInputFiles(paper)
  await expect(form.getByText('report.pdf')).toBeVisible()
  await look(operator.page, 'admin-valuation', { fullPage: true })
  await form.getByRole('button', { name: 'Propose 10.50 for each unit' }).click()
  await prepare(operator.page, `report of ${name}`)
  await expect(form.getByRole('button', { name: 'See the proposed valuation' })).toBeVisible()
  await look(operator.page, 'admin-fund-desk', { fullPage: true })

  const approver = await signInAsDemo(visitor, 'Vera')
  await approve(approver.page, `report of ${name}`)
  const { items } = await api<{ items: FundProductOperated[] }>(operator.page, 'admin/fund/products')
  const { nav } = items.find(({ product_id }) => product_id === productId)!
  expect(nav).toBe('10.500000')
})

test('a new product is typed once, opened by two people, and on sale at its opening price', {
  tag: '@full',
}, async ({ visitor }) => {
  const name = `Harbour Fund ${Date.now()}`
  const { page } = await signInAsDemo(visitor, 'Paul')
  await page.goto('/pages/admin/updateFound')
  const open = () => page.getByRole('button', { name: 'New product' }).click()
  await open()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await expect(sheet.getByText('Please fill this in').first()).toBeVisible()
  await sheet.getByLabel('Name').fill(name)
  for (const [language, field] of Object.entries(LANGUAGES)) {
    await sheet.getByText(language, { exact: false }).first().click()
    await sheet.getByLabel(`Introduction in ${language}`).fill(field)
  }
  await sheet.getByLabel('Opening price of a unit').fill('8')
  await sheet.getByLabel('Minimum purchase').fill('40')
  await sheet.getByLabel('Fee to buy').fill('0.5')
  await sheet.getByLabel('Sun', { exact: true }).check()
  const paper = { name: 'terms.txt', mimeType: 'text/plain', buffer: Buffer.from(`Terms of ${name}`) }
  await sheet.locator('input[type=file]').setInputFiles(paper)
  await expect(sheet.getByLabel('Title of document 1')).toHaveValue('terms.txt')
  await page.reload()
  await open()
  await expect(sheet.getByLabel('Name')).toHaveValue(name)
  await expect(sheet.getByLabel('Title of document 1')).toHaveValue('terms.txt')
  await look(page, 'admin-product', { fullPage: true })
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await prepare(page, `open ${name}`)

  const approver = await signInAsDemo(visitor, 'Vera')
  await approve(approver.page, `open ${name}`)
  const { items } = await api<{ items: FundProductOperated[] }>(page, 'admin/fund/products')
  const opened = items.find((item) => item.name === name)!
  expect(opened).toMatchObject({ subscription_ppm: 5_000, redeemable_weekdays: [1, 2, 3, 4, 5, 7] })
  expect(opened.nav).toBe('8.000000')
  const member = await signInAsDemo(visitor, 'Kim')
  await member.page.goto(`/pages/found/productDetail?product_id=${opened.product_id}`)
  await expect(member.page.getByText(name).first()).toBeVisible()
  await expect(member.page.getByText('terms.txt')).toBeVisible()
})

test('a file of grants: bad lines are told, good ones go alone, nothing is lost', async ({
  member: signUp,
  visitor,
}) => {
  const member = await signUp()
  const before = await rif(member.page)
  const operator = await signInAsDemo(visitor, 'Paul')
  const { page } = operator
  await page.goto('/pages/admin/distrubutionHash')
  await page.getByText('From a file').click()
  const reason = `prize ${Date.now()}`
  const stranger = `0x${'5'.repeat(40)}`
  const file = [
    'address,amount,reason',
    `${member.address},7.5,${reason}`,
    `0x12,1,x`,
    `${stranger},2,${reason}`,
  ]
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'prizes.csv', mimeType: 'text/csv', buffer: Buffer.from(file.join('\r\n')) })
  const bad = page.getByRole('list', { name: 'Lines with a problem' }).getByRole('listitem')
  await expect(bad).toHaveText([/Line 3.*Invalid address/])
  await page.getByRole('button', { name: 'Propose the 2 good lines alone' }).click()
  await expect(bad).toHaveText([/Line 3/, /Line 4.*No member has this address/])
  await expect(page.getByText('1 line good, 2 with a problem; 7.50 RIF in total')).toBeVisible()
  await look(page, 'admin-grants', { fullPage: true })
  await page.getByRole('button', { name: 'Propose the 1 good line alone' }).click()
  await prepare(page, reason)
  await expect(page.getByLabel('Lines', { exact: true })).toHaveValue(new RegExp(`0x12,1,x\\n${stranger}`))
  const proposals = page.getByRole('list', { name: 'Proposed before' })
  await expect(proposals.getByRole('listitem').filter({ hasText: reason })).toContainText('Grant 7.50 RIF')

  const approver = await signInAsDemo(visitor, 'Vera')
  await approve(approver.page, reason)
  expect((await rif(member.page)) - before).toBeCloseTo(7.5)
})

/** Returns a member's hash power. */
async function rif(page: Page): Promise<number> {
  const { available } = await api<{ available: string }>(page, 'hashrate')
  return Number(available)
}
