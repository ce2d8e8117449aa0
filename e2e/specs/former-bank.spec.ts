import type { Order } from '@rif/api-schema'
import { encodeFunctionData, type Hex, parseAbi, parseEther, parseUnits } from 'viem'
import { lookAtAll } from '../support/inspect-all.ts'
import { expect, PAY, signInAsDemo, test } from '../support/product.ts'
import { inAnotherTab } from '../support/screens.ts'
import { deploySuccessor, startSwitchedServer } from '../support/second-server.ts'
import { callApi, openSession } from '../support/session.ts'

const approveAbi = parseAbi(['function approve(address spender, uint256 amount)'])

// The pages outlast the second server, and the signer refuses the payment.
test.use({
  provoked: [
    /Failed to load resource: (net::ERR_CONNECTION_REFUSED|the server responded with a status of 50)/,
  ],
})

test('after a switch to a new bank: an open page pays the new one, the old allowance is revoked, and operators keep the switches of both', async ({
  visitor,
  member,
  chain,
}) => {
  test.setTimeout(150_000)
  const [otto, vera] = [await signInAsDemo(visitor, 'Otto'), await signInAsDemo(visitor, 'Vera')]
  const { page, wallet, key } = await member({ usdt: '70', amc: '60' })
  const { bank, usdt, amc } = chain.contracts
  expect(await chain.sendFrom(key, usdt, approval(bank, 5_000_000n))).toBe('success')
  await page.goto('/pages/shop/index')
  await expect(page.getByRole('button', { name: 'See the price of Launch 100', exact: true })).toBeVisible()

  const successor = await deploySuccessor(chain, { admin: otto.address, guardian: vera.address })
  // Only the USDT needs an allowance then.
  expect(await chain.sendFrom(key, amc, approval(successor, parseEther('60')))).toBe('success')
  const server = await startSwitchedServer(successor, test.info().project.use.baseURL!)
  try {
    await Promise.all([server.takeOver(page), server.takeOver(otto.page)])
    // The page still has the list of banks from before the switch.
    await page.getByRole('button', { name: 'See the price of Launch 100', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: PAY }).click()
    await expect.poll(() => wallet.sent.length, { timeout: 30_000 }).toBe(1)
    const { to, data } = wallet.sent[0]!
    expect([to, data]).toEqual([usdt.toLowerCase(), approval(successor, parseUnits('70', 6))])
    // The signer of this test does not follow the switch, so the payment itself is not signed.
    await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click({ timeout: 30_000 })
    const session = await openSession(server.url, key)
    const { items } = await callApi<{ items: Order[] }>(server.url, 'order/all', { session })
    const { order_id, bank: ordered } = items[0]!
    expect(ordered?.toLowerCase()).toBe(successor)
    await callApi(server.url, 'order/cancel', { session, body: { order_id } })

    await page.goto('/pages/my/approvals')
    const former = page.getByRole('listitem').filter({ hasText: 'A former bank of the product' })
    await expect(former).toContainText('5.00 USDT')
    await expect(former).toContainText('No new order needs this approval')
    await lookAtAll(page, 'approvals-former-bank', await inAnotherTab(page))
    await former.getByRole('button', { name: 'Revoke USDT approval' }).click()
    await expect(former.getByText('Taken back', { exact: true })).toBeVisible()
    expect(wallet.sent.at(-1)?.data).toBe(approval(bank, 0n))

    await otto.page.goto('/pages/admin/emergency')
    await expect(otto.page.getByRole('region', { name: 'Former bank, still paying' })).toContainText(
      'Running',
    )
    await expect(otto.page.getByRole('region', { name: /^Payment of orders on chain/ })).toHaveCount(2)
    await lookAtAll(otto.page, 'emergency-former-bank', await inAnotherTab(otto.page))
  } finally {
    await server.stop()
  }
})

const approval = (spender: Hex, amount: bigint) =>
  encodeFunctionData({ abi: approveAbi, functionName: 'approve', args: [spender, amount] })
