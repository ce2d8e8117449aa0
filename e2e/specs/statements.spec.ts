import { buffer } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { findNothing, look } from '../support/inspect.ts'
import { api, expect, give, post, signInAsDemo, test } from '../support/product.ts'

/** Presses a button that saves a file, and returns its rows by column. */
async function rowsOf(page: Page, name: RegExp): Promise<Record<string, string>[]> {
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name }).first().click()
  const text = (await buffer(await (await file).createReadStream())).toString().replace('\uFEFF', '')
  const [head = '', ...lines] = text.trimEnd().split('\r\n')
  const columns = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [columns[at]!, cell])))
}

const sumOf = (rows: readonly Record<string, string>[], column: string) =>
  rows.reduce((sum, row) => sum + BigInt((row[column] || '0').replace('.', '')), 0n)

test('a member makes a statement whose sums are the balances', { tag: '@full' }, async ({ member }) => {
  const { page, address } = await member()
  const gifts = give(address, 'USDT', '3').then(() => give(address, 'USDT', '1.345678'))
  await page.goto('/pages/my/statements')
  await expect(page.getByText('No files yet')).toBeVisible()
  await page.getByText('CSV', { exact: true }).click()
  await gifts
  await page.getByRole('button', { name: 'Create CSV' }).click()
  const rows = await rowsOf(page, /^Download .*CSV$/)
  await look(page, 'statements')
  const entries = rows.filter(({ row }) => row === 'entry')
  expect(entries.map(({ amount, balance }) => [amount, balance])).toEqual([
    ['3.000000', '3.000000'],
    ['1.345678', '4.345678'],
  ])
  const { balances } = await api<{ balances: { USDT: { available: string } } }>(page, 'me')
  const closing = rows.find(
    ({ row, asset, account }) => row === 'closing' && asset === 'USDT' && account === 'available',
  )
  expect(closing!.balance).toBe(balances.USDT.available)
})

test('a link reads one file without a sign-in, until the member ends it', { tag: '@full' }, async ({
  member,
  visitor,
}) => {
  const [{ page }, { page: stranger }] = await Promise.all([member(), visitor()])
  const today = new Date().toISOString().slice(0, 10)
  await post(page, 'me/statements', { kind: 'account', format: 'csv', from: today, to: today })
  await page.goto('/pages/my/statements')
  await page.getByRole('button', { name: /^Share .*CSV by a link$/ }).click()
  await expect(page.getByText('What the reader sees')).toBeVisible()
  await findNothing(page, { within: '[role=dialog]' })
  await look(page, 'share-sheet')
  await page.getByRole('button', { name: 'Make the link' }).click()
  const link = await page.getByText(/\/pages\/shared#/).textContent()

  await stranger.goto(link!)
  const file = stranger.waitForEvent('download')
  await stranger.getByRole('button', { name: 'Download the file' }).click()
  expect((await file).suggestedFilename()).toBe(`account-${today}-${today}.csv`)
  await findNothing(stranger)
  await look(stranger, 'shared-statement')

  await page.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: /^End the link to/ }).click()
  await page.getByRole('button', { name: 'End the link', exact: true }).click()
  await expect(page.getByText('Open links')).toBeHidden()
  await stranger.reload()
  await expect(stranger.getByText('This link is over')).toBeVisible()
})

test("the operators' trial balance sums to zero", { tag: '@full' }, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Paul')
  await page.goto('/pages/admin/statements')
  await page.getByRole('button', { name: 'Create trial balance' }).click()
  const rows = await rowsOf(page, /^Download Trial balance.*CSV$/)
  await look(page, 'admin-statements')
  const accounts = rows.filter(({ row }) => row === 'account')
  expect(accounts.length).toBeGreaterThan(5)
  for (const asset of new Set(accounts.map((row) => row.asset)))
    expect(
      sumOf(
        accounts.filter((row) => row.asset === asset),
        'balance',
      ),
    ).toBe(0n)
})
