import type { Page } from '@playwright/test'
import { findNothing, isThere, look, overflow } from '../support/inspect.ts'
import { api, expect, signInAsDemo, test } from '../support/product.ts'

const getQuote = (page: Page) => page.getByRole('button', { name: 'Get a quote' }).click()

/** Each bad amount is refused beside the field, and no quote is asked for. */
async function refuses(page: Page, label: string, cases: readonly (readonly [string, string])[]) {
  for (const [typed, problem] of cases) {
    await page.getByLabel(label).fill(typed)
    await getQuote(page)
    await expect(page.getByText(problem, { exact: true })).toBeVisible()
  }
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('a member buys hash power with AMC by a quote', async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ruth')
  interface Figures {
    available: string
    available_amc: string
  }
  const before = await api<Figures>(page, 'hashrate')
  await page.goto('/pages/index/hashRate')
  await isThere(page)
  await look(page, 'hash-power')
  await refuses(page, 'AMC to spend', [
    ['', 'please enter amount'],
    ['0', 'Please enter a valid amount'],
    ['99999999', 'The balance is insufficient'],
    ['0.000001', 'Please enter a valid amount'],
  ])

  await page.getByLabel('AMC to spend').fill('12.5')
  await getQuote(page)
  const sheet = page.getByRole('dialog', { name: 'Buy hash power' })
  await expect(sheet.getByText(/^12\.50/)).toBeVisible()
  await expect(sheet.getByText(/^2\.50/)).toBeVisible()
  await expect(sheet.getByRole('timer')).toHaveText(/^(1:00|0:5\d)$/)
  await findNothing(page)
  await look(page, 'hash-power-quote')
  await sheet.getByRole('button', { name: 'Confirm purchase' }).click()
  await expect(page.getByText('Hash power bought')).toBeVisible()
  await expect(page.getByText('Bought with AMC')).toBeVisible()

  const after = await api<Figures>(page, 'hashrate')
  expect(Number(after.available) - Number(before.available)).toBeCloseTo(2.5, 6)
  expect(Number(before.available_amc) - Number(after.available_amc)).toBeCloseTo(12.5, 6)
})

test('a member exchanges RIF by a frozen quote, and puts VC into a launch', async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ruth')
  interface Centre {
    rif: string
    div: { available: string }
    vc: { available: string; locked: string }
  }
  const before = await api<Centre>(page, 'exchange')
  await page.clock.install()
  await page.goto('/pages/exchange/index')
  await isThere(page)
  await look(page, 'exchange')
  await refuses(page, 'RIF to exchange', [
    ['', 'please enter amount'],
    ['0', 'Please enter a valid amount'],
    ['99999999', 'The balance is insufficient'],
    ['50', 'More than is left of today’s cap'],
  ])

  // A quote that ran out moves nothing; a new one is asked for in the same place.
  await page.getByLabel('RIF to exchange').fill('5')
  await getQuote(page)
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('timer')).toHaveText(/^(1:00|0:5\d)$/)
  await expect(sheet.getByText('An exchange cannot be undone.')).toBeVisible()
  await findNothing(page)
  await look(page, 'exchange-quote')
  await page.clock.fastForward(61_000)
  await expect(sheet.getByText('This quote has run out. Nothing was moved.')).toBeVisible()
  await sheet.getByRole('button', { name: 'Get a new quote' }).click()
  await sheet.getByRole('button', { name: 'Confirm exchange' }).click()
  await expect(page.getByText('Exchanged', { exact: true })).toBeVisible()

  await page.getByRole('group', { name: 'Exchange into' }).getByText('VC', { exact: true }).click()
  await page.getByLabel('RIF to exchange').fill('10')
  await getQuote(page)
  await sheet.getByRole('button', { name: 'Confirm exchange' }).click()
  await expect(sheet).toHaveCount(0)

  await page.getByRole('button', { name: 'Put VC in' }).click()
  const amount = sheet.getByLabel('VC to put in')
  const confirm = () => sheet.getByRole('button', { name: 'Confirm', exact: true }).click()
  for (const [typed, problem] of [
    ['', 'please enter amount'],
    ['99999999', 'The balance is insufficient'],
  ] as const) {
    await amount.fill(typed)
    await confirm()
    await expect(sheet.getByText(problem, { exact: true })).toBeVisible()
  }
  await amount.fill('3')
  await findNothing(page)
  await look(page, 'launch-subscribe')
  await confirm()
  await expect(page.getByText('Your VC are in the launch')).toBeVisible()

  const after = await api<Centre>(page, 'exchange')
  const gained = (pick: (centre: Centre) => string) => Number(pick(after)) - Number(pick(before))
  expect(gained(({ rif }) => rif)).toBeCloseTo(-15, 6)
  expect(gained(({ div }) => div.available)).toBeCloseTo(5, 6)
  expect(gained(({ vc }) => vc.available)).toBeCloseTo(7, 6)
  expect(gained(({ vc }) => vc.locked)).toBeCloseTo(3, 6)

  await page.getByRole('link', { name: 'History' }).click()
  await expect(page.getByText('10.00 RIF into VC')).toBeVisible()
  await expect(page.getByText('5.00 RIF into DIV').first()).toBeVisible()
  await look(page, 'exchange-list')
  await page.getByText('Dividends', { exact: true }).click()
  // Three quarters of what was attested since Ann has rights too, and all of it before.
  await expect(page.getByText('24.00').first()).toBeVisible()
  await expect(page.getByText('13.50')).toBeVisible()
  await look(page, 'exchange-list-dividends')
  await page.getByText('Launches', { exact: true }).click()
  await expect(page.getByText('You put in')).toBeVisible()
  await look(page, 'exchange-list-launches')
})

const PAGES = ['/pages/index/hashRate', '/pages/exchange/index', '/pages/exchange/list'] as const

test('its pages fit a phone and a desk, by day and by night', async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  for (const [width, height, colorScheme] of [
    [390, 844, 'light'],
    [390, 844, 'dark'],
    [1280, 900, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    for (const path of PAGES) {
      await page.goto(path)
      await isThere(page)
      expect(await overflow(page)).toEqual([])
      if (width === 390) await findNothing(page)
      const name = `${path.split('/').slice(2).join('-')}-${width}-${colorScheme}`
      await page.screenshot({ path: `results/screens/${name}.png`, fullPage: true })
    }
  }
})
