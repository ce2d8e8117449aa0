import { readFile } from 'node:fs/promises'
import { findNothing } from '../support/inspect.ts'
import { expect, signInAsDemo, test } from '../support/product.ts'

test('a member saves everything that is stored about them, and asks for its erasure with a signature', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page, address } = await signInAsDemo(visitor, 'Ann')
  await page.goto('/pages/my/index')
  await page.getByRole('link', { name: 'Your data' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your data')
  await findNothing(page)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save all of it as a file' }).click()
  const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\n')
  const items: { table: string; row: Record<string, string | null> }[] = lines.map((line) => JSON.parse(line))
  const [member] = items
  expect(member).toMatchObject({ table: 'members', row: { address: address.toLowerCase() } })
  const id = member!.row.member_id
  expect(items.filter(({ table }) => table === 'ledger_entries').length).toBeGreaterThan(10)
  expect(items.every(({ row }) => row.member_id === undefined || row.member_id === id)).toBe(true)
  expect(items.some(({ row }) => 'token_hash' in row)).toBe(false)
  await page.getByRole('button', { name: 'Request the erasure' }).click()
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await expect(page.getByText(/^Your data is erased on /)).toBeVisible()
  await findNothing(page)
  await page.getByRole('button', { name: 'Keep my data' }).click()
  await expect(page.getByRole('button', { name: 'Request the erasure' })).toBeVisible()
})
