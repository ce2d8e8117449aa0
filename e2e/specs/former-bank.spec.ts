import type { Order } from '@rif/api-schema'
import { lookAtAll } from '../support/inspect-all.ts'
import { expect, PAY, signInAsDemo, test } from '../support/product.ts'
import { inAnotherTab } from '../support/screens.ts'
import { deploySuccessor, startSwitchedServer } from '../support/second-server.ts'
import { callApi, openSession } from '../support/session.ts'

// The pages outlast the second server.
test.use({
  provoked: [
    /Failed to load resource: (net::ERR_CONNECTION_(REFUSED|RESET)|the server responded with a status of 50)/,
  ],
})

test('after a switch to a new bank: orders are paid to the old one until it hands over, and operators have the switches of both', async ({
  visitor,
  member,
  chain,
}) => {
  const [otto, vera] = [await signInAsDemo(visitor, 'Otto'), await signInAsDemo(visitor, 'Vera')]
  const { page, wallet, key } = await member({ usdt: '70', amc: '60' })
  const { bank } = chain.contracts
  await page.goto('/pages/shop/index')
  await expect(page.getByRole('button', { name: 'See the price of Launch 100', exact: true })).toBeVisible()

  const successor = await deploySuccessor(chain, { admin: otto.address, guardian: vera.address })
  const server = await startSwitchedServer(successor, test.info().project.use.baseURL!)
  try {
    await Promise.all([server.takeOver(page), server.takeOver(otto.page)])
    // The page still has the list of banks from before the switch.
    await page.getByRole('button', { name: 'See the price of Launch 100', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: PAY }).click()
    await expect(page).toHaveURL(/paySuccess/)
    expect(wallet.sent.at(-1)?.to).toBe(bank.toLowerCase())
    const session = await openSession(server.url, key)
    const { items } = await callApi<{ items: Order[] }>(server.url, 'order/all', { session })
    expect(items[0]?.bank.toLowerCase()).toBe(bank.toLowerCase())

    await otto.page.goto('/pages/admin/emergency')
    // Another bank is another figure of the terms.
    await otto.page.getByRole('button', { name: 'Not now' }).click()
    const open = otto.page.getByRole('region', {
      name: 'Bank that takes orders and pays until the hand-over',
    })
    await expect(open).toContainText('Running')
    await expect(otto.page.getByRole('region', { name: /^Payment of orders on chain/ })).toHaveCount(2)
    await lookAtAll(otto.page, 'emergency-former-bank', await inAnotherTab(otto.page))
  } finally {
    await server.stop()
  }
})
