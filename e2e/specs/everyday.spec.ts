import type { Withdrawal } from '@rif/api-schema'
import { parseUnits } from 'viem'
import { row } from '../support/database.ts'
import { findNothing, look } from '../support/inspect.ts'
import { expect, give, post, test } from '../support/product.ts'

test('several withdrawals are claimed in one transaction', async ({ member: signUp, chain }) => {
  const { page, address } = await signUp({ usdt: '0' })
  await give(address, 'USDT', '30')
  for (const amount of ['12', '13']) await post<Withdrawal>(page, 'withdraw', { asset: 'USDT', amount })
  const { usdt: before } = await chain.balances(address)

  await page.goto('/pages/withdrawal/list')
  await expect(page.getByText('2 withdrawals are ready to claim')).toBeVisible()
  await page.getByRole('button', { name: 'Claim all' }).click()
  const sheet = page.getByRole('dialog', { name: 'Claim all' })
  await sheet.getByRole('button', { name: 'Claim 23.00 USDT' }).waitFor()
  await look(page, 'claim-all')
  await findNothing(page)
  await sheet.getByRole('button', { name: 'Claim 23.00 USDT' }).click()
  await expect(sheet.getByText('Claimed.')).toBeVisible({ timeout: 30_000 })
  await sheet.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByText('ready to claim')).toBeHidden()

  const { usdt } = await chain.balances(address)
  expect(usdt - before).toBe(parseUnits('23', 6))
  const { transactions } = await row(
    `select count(distinct tx_hash) as transactions from chain_events
      where name = 'Claimed' and args ->> 'to' = '${address.toLowerCase()}'`,
  )
  expect(transactions).toBe('1')
})
