import { buffer } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { look } from '../support/inspect.ts'
import { api, expect, give, signInAsDemo, test } from '../support/product.ts'

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

test('a member makes a statement whose sums are the balances', async ({ member }) => {
  const { page, address } = await member()
  await give(address, 'USDT', '3')
  await give(address, 'USDT', '1.345678')
  await page.goto('/pages/my/statements')
  await expect(page.getByText('No files yet')).toBeVisible()
  await page.getByText('CSV', { exact: true }).click()
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

test("the operators' trial balance sums to zero", async ({ visitor }) => {
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
