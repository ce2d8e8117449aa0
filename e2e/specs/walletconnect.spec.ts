import type { Page } from '@playwright/test'
import { startDistantWallet } from '../support/distant-wallet.ts'
import { api, buy, expect, loginPath, reconnected } from '../support/product.ts'
import { chooseDistantWallet, PROVOKED, pairingCode, test } from '../support/walletconnect.ts'

test.use({ provoked: PROVOKED })

/** Returns the link that the page copies for a wallet. */
async function uriOf(page: Page): Promise<string> {
  await expect(pairingCode(page)).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy the link for a wallet' }).click()
  return page.evaluate(() => navigator.clipboard.readText())
}

test('a wallet on another device signs in, pays, changes its chain, and ends the session; only the relay is called', async ({
  chain,
  visitor,
  relay,
  relayUrl,
}) => {
  const { page, key, wallet: injected } = await visitor({ usdt: '70', amc: '60' })
  const wallet = await startDistantWallet(relayUrl, chain, key)
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  page.on('websocket', (socket) => hosts.add(new URL(socket.url()).host))

  await page.goto(await loginPath())
  const before = await page.evaluate(() => performance.getEntriesByType('resource').length)
  wallet.refuseNext('session')
  await chooseDistantWallet(page)
  expect(await page.evaluate(() => performance.getEntriesByType('resource').length)).toBeGreaterThan(before)
  await wallet.pair(await uriOf(page))
  await expect(page.getByText('Your wallet did not connect')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await wallet.pair(await uriOf(page))
  await expect(page).toHaveURL('/')
  expect((await api<{ receive_address: string }>(page, 'me')).receive_address).toBe(wallet.address)

  // The session outlasts the page.
  await page.reload()
  await reconnected(page)
  await buy(page, 'Launch 100')
  expect(wallet.calls).toEqual(expect.arrayContaining(['personal_sign', 'eth_sendTransaction']))
  // What the wallet did not agree to is not asked for.
  expect(wallet.calls.filter((method) => method.startsWith('wallet_'))).toEqual([])

  const wrong = page.getByRole('alert').filter({ hasText: 'on another network' })
  wallet.refuseNext('wallet_switchEthereumChain')
  await wallet.changeChain(1)
  await expect(wrong).toBeVisible()
  await wrong.getByRole('button').click()
  await expect(wrong).toBeHidden()

  await wallet.disconnect()
  await expect(page).toHaveURL(/\/pages\/login\/index/)
  hosts.delete('')
  expect(hosts).toEqual(new Set([new URL(page.url()).host, new URL(relayUrl).host]))
  expect(injected.calls('eth_requestAccounts')).toEqual([])
  // The relay receives nothing in the clear besides topics and tags.
  const sent = JSON.stringify(relay.calls.filter(({ client }) => client !== wallet.clientId))
  expect(sent).not.toMatch(/txHashes|contractAddresses|rpcMethods|attestation":"[^"]/)
  await wallet.close()
})
