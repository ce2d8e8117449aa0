import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Me, Withdrawal } from '@rif/api-schema'
import decodeQR from 'qr/decode.js'
import { parseUnits } from 'viem'
import { row, rows } from '../support/database.ts'
import { findNothing, look } from '../support/inspect.ts'
import { api, expect, give, post, signInAsDemo, test } from '../support/product.ts'
import { changeTo } from '../support/screens.ts'

test('several withdrawals are claimed in one transaction', async ({ member: signUp, chain }) => {
  const { page, address } = await signUp({ usdt: '0' })
  await give(address, 'USDT', '6')
  for (const amount of ['2', '4']) await post<Withdrawal>(page, 'withdraw', { asset: 'USDT', amount })
  const { usdt: before } = await chain.balances(address)

  await page.goto('/pages/withdrawal/list')
  await expect(page.getByText('2 withdrawals are ready to claim')).toBeVisible()
  await page.getByRole('button', { name: 'Claim all' }).click()
  const sheet = page.getByRole('dialog', { name: 'Claim all' })
  await sheet.getByRole('button', { name: 'Claim 4.00 USDT' }).waitFor()
  await look(page, 'claim-all')
  await findNothing(page)
  await sheet.getByRole('button', { name: 'Claim 4.00 USDT' }).click()
  await expect(sheet.getByText('Claimed.')).toBeVisible()
  await sheet.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByText('are ready to claim')).toBeHidden()

  const { usdt } = await chain.balances(address)
  expect(usdt - before).toBe(parseUnits('4', 6))
  const { transactions } = await row(
    `select count(distinct tx_hash) as transactions from chain_events
      where name = 'Claimed' and lower(args ->> 'to') = '${address.toLowerCase()}'`,
  )
  expect(transactions).toBe('1')
})

test('sums are hidden on the overviews of a device, and shown again', { tag: '@full' }, async ({
  visitor,
}) => {
  const { page } = await signInAsDemo(visitor, 'Ann', '/')
  const me = await api<Me>(page, 'me')
  const sums = [me.balances.USDT.available, me.balances.AMC.available, me.profit_sum]
    .map((amount) => Number(amount))
    .filter((amount) => amount >= 10)
    .map((amount) => (Math.floor(amount * 100) / 100).toLocaleString('en', { minimumFractionDigits: 2 }))
  expect(sums.length).toBeGreaterThan(1)
  const seen = async () => {
    const text = await page.locator('main').textContent()
    return sums.filter((sum) => text?.includes(sum))
  }
  await page.getByRole('button', { name: 'Hide sums' }).click()
  await expect(page.getByText('Your sums are hidden')).toBeVisible()
  for (const path of [
    '/',
    '/pages/my/index',
    '/pages/rewardList/index',
    '/pages/savings/index',
    '/pages/my/figures',
  ]) {
    await changeTo(page, path)
    await expect(page.locator('main').getByText('••••').first()).toBeVisible()
    expect(await seen(), path).toEqual([])
  }
  await changeTo(page, '/pages/my/index')
  await page.getByText('Hide my sums').click()
  await changeTo(page, '/pages/my/figures')
  await expect.poll(seen).not.toEqual([])
})

test('a standing transfer into savings is set up, changed and ended', { tag: '@full' }, async ({
  member: signUp,
}) => {
  const { page, memberId } = await signUp({ usdt: '0' })
  await page.goto('/pages/savings/index')
  await page.getByRole('button', { name: 'Set up a standing transfer' }).click()
  const sheet = page.getByRole('dialog', { name: 'Standing transfer into savings' })
  await sheet.getByLabel('Amount').fill('25')
  await sheet.getByText('Weekly').click()
  await sheet.getByLabel('Day of the week').selectOption('Friday')
  // What cuts it short, a reload or the end of the session, leads back to it.
  await page.reload()
  await expect(sheet.getByLabel('Amount')).toHaveValue('25.00')
  await look(page, 'standing-transfer')
  await findNothing(page)
  await sheet.getByRole('button', { name: 'Save' }).click()
  const consent = page.getByRole('alertdialog', { name: 'Your wallet signs this' })
  await expect(consent.getByText(/^You move 25(\.00)? USDT every Friday from your balance/)).toBeVisible()
  await consent.getByRole('button', { name: 'Sign in the wallet' }).click()
  await expect(page.getByText('every Friday')).toBeVisible()
  const where = `from standing_savings where member_id = ${memberId}`
  expect(
    await row(`select amount_micros, every, on_day, extract(isodow from next_day) as dow ${where}`),
  ).toEqual({
    amount_micros: '25000000',
    every: 'week',
    on_day: '5',
    dow: '5',
  })
  await page.getByRole('button', { name: 'Change USDT' }).click()
  await sheet.getByRole('button', { name: 'End it' }).click()
  await expect(page.getByText('Move a fixed amount into savings automatically')).toBeVisible()
  expect(await rows(`select * ${where}`)).toEqual([])
})

test('an invitation is shared as a picture whose code is the link', { tag: '@full' }, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ann', '/pages/my/invite/index')
  const { links } = await api<{ links: { auto: string } }>(page, 'me/invite')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'As a picture' }).click()
  const picture = await readFile(await (await saved).path())
  expect(decodeQR(await pixelsOf(page, picture))).toBe(links.auto)
})

/** Draws a picture into a page and reads the pixels of its code, at half its size. */
async function pixelsOf(page: Page, picture: Buffer) {
  const source = `data:image/png;base64,${picture.toString('base64')}`
  await page.setContent(`<img alt="invitation" src="${source}">`)
  await look(page, 'invitation')
  const drawn = await page.getByRole('img', { name: 'invitation' }).evaluate(async (element) => {
    const image = element as HTMLImageElement
    await image.decode()
    // The code is a square in the middle, 640 of 1080 pixels wide.
    const edge = 340
    const canvas = Object.assign(document.createElement('canvas'), { width: edge, height: edge })
    const pen = canvas.getContext('2d', { willReadFrequently: true })!
    pen.drawImage(image, 200, 350, 2 * edge, 2 * edge, 0, 0, edge, edge)
    return { width: edge, height: edge, data: Array.from(pen.getImageData(0, 0, edge, edge).data) }
  })
  return { ...drawn, data: Uint8Array.from(drawn.data) }
}
