import type { Page } from '@playwright/test'
import { fundAdmins } from '../support/fund-admins.ts'
import { findNothing, isThere, look } from '../support/inspect.ts'
import { api, expect, give, signInAsDemo, test } from '../support/product.ts'
import { runningProduct } from '../support/running.ts'
import { expectToast } from '../support/toasts.ts'

const getQuote = (page: Page) => page.getByRole('button', { name: 'Get a quote' }).click()

/** Each invalid amount is refused beside the field, and no quote is requested. */
async function refuses(page: Page, label: string, cases: readonly (readonly [string, string | RegExp])[]) {
  for (const [typed, problem] of cases) {
    await page.getByLabel(label).fill(typed)
    await getQuote(page)
    await expect(page.getByText(problem)).toBeVisible()
  }
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('a member buys hash power with AMC by a quote', async ({ member }) => {
  const { page, address } = await member()
  await give(address, 'AMC', '20')
  interface Figures {
    available: string
    available_amc: string
  }
  await page.goto('/pages/index/hashRate')
  await isThere(page)
  await look(page, 'hash-power')
  await refuses(page, 'AMC to spend', [
    ['', 'please enter amount'],
    ['0', 'Please enter a valid amount'],
    ['99999999', /more than is available\.$/],
    ['0.000001', 'Please enter a valid amount'],
  ])

  await page.getByLabel('AMC to spend').fill('12.5')
  await getQuote(page)
  const sheet = page.getByRole('dialog', { name: 'Buy RIF' })
  await expect(sheet.getByText(/^12\.50/)).toBeVisible()
  await expect(sheet.getByText(/^2\.50/)).toBeVisible()
  await expect(sheet.getByRole('timer')).toHaveText(/^[01]:\d\d$/)
  await findNothing(page)
  await look(page, 'hash-power-quote')
  await sheet.getByRole('button', { name: 'Confirm purchase' }).click()
  await expectToast(page, 'RIF bought')
  await expect(page.getByText('Bought with AMC')).toBeVisible()
  expect(await api<Figures>(page, 'hashrate')).toMatchObject({
    available: '2.500000',
    available_amc: '7.500000',
  })
})

test('a member exchanges RIF by a frozen quote, and puts VC into a launch', async ({ member, visitor }) => {
  const { page, memberId } = await member()
  await fundAdmins(runningProduct(), [{ do: 'grant', memberId, rif: '200' }])
  interface Centre {
    rif: string
    div: { available: string }
    vc: { available: string; locked: string }
  }
  await page.clock.install()
  await page.goto('/pages/exchange/index')
  await isThere(page)
  await look(page, 'exchange')
  await refuses(page, 'RIF to exchange', [
    ['', 'please enter amount'],
    ['0', 'Please enter a valid amount'],
    ['99999999', /more than is available\.$/],
    ['150', /more than is left of today’s cap\.$/],
  ])

  // An expired quote moves nothing; a new one is requested in the same place.
  await page.getByLabel('RIF to exchange').fill('5')
  await getQuote(page)
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('timer')).toHaveText(/^[01]:\d\d$/)
  await expect(sheet.getByText('An exchange cannot be undone.')).toBeVisible()
  await findNothing(page)
  await look(page, 'exchange-quote')
  await page.clock.fastForward(61_000)
  await expect(sheet.getByText('This quote has run out. Nothing was moved.')).toBeVisible()
  await sheet.getByRole('button', { name: 'Get a new quote' }).click()
  await sheet.getByRole('button', { name: 'Confirm exchange' }).click()
  await expectToast(page, 'Exchanged')

  await page.getByRole('group', { name: 'Exchange into' }).getByText('VC', { exact: true }).click()
  await page.getByLabel('RIF to exchange').fill('10')
  await getQuote(page)
  await sheet.getByRole('button', { name: 'Confirm exchange' }).click()
  await expectToast(page, 'Exchanged')
  await expect(sheet).toHaveCount(0)

  await page.getByRole('button', { name: 'Put VC in' }).click()
  const amount = sheet.getByLabel('VC to put in')
  const confirm = () => sheet.getByRole('button', { name: 'Confirm', exact: true }).click()
  for (const [typed, problem] of [
    ['', 'please enter amount'],
    ['99999999', /more than is available\.$/],
  ] as const) {
    await amount.fill(typed)
    await confirm()
    await expect(sheet.getByText(problem)).toBeVisible()
  }
  await amount.fill('3')
  await findNothing(page)
  await look(page, 'launch-subscribe')
  await confirm()
  // VC have no price, so the wallet signs: the screen says in the member's language what is given and got.
  const consent = page.getByRole('alertdialog', { name: 'Your wallet signs this' })
  await expect(consent.getByText(/^You give 3(\.00)? VC and get units of /)).toBeVisible()
  await look(page, 'consent')
  await consent.getByRole('button', { name: 'Sign in the wallet' }).click()
  await expectToast(page, 'Your VC are in the launch')
  expect(await api<Centre>(page, 'exchange')).toMatchObject({
    rif: '185.000000',
    div: { available: '5.000000' },
    vc: { available: '7.000000', locked: '3.000000' },
  })

  await page.getByRole('link', { name: 'History' }).click()
  await expect(page.getByText('10.00 RIF into VC')).toBeVisible()
  await expect(page.getByText('5.00 RIF into DIV')).toBeVisible()
  await look(page, 'exchange-list')
  await page.getByText('Launches', { exact: true }).click()
  await expect(page.getByText('You put in')).toBeVisible()
  await look(page, 'exchange-list-launches')

  const { page: old } = await signInAsDemo(visitor, 'Ruth', '/pages/exchange/list')
  await old.getByText('Dividends', { exact: true }).click()
  // Three quarters of what was attested since Ann has rights too, and all of it before.
  await expect(old.getByText('24.00').first()).toBeVisible()
  await expect(old.getByText('13.50')).toBeVisible()
  await look(old, 'exchange-list-dividends')
})
