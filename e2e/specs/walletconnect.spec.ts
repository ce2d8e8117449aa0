import type { Page } from '@playwright/test'
import { startDistantWallet } from '../support/distant-wallet.ts'
import { api, buy, expect, loginPath, reconnected } from '../support/product.ts'
import { chooseDistantWallet, linkOf, PROVOKED, test } from '../support/walletconnect.ts'

test.use({ provoked: PROVOKED })
// The product names one relay, which each test starts at the same address.
test.describe.configure({ mode: 'default' })

/** Collects the hosts that a page calls. */
function hostsOf(page: Page): Set<string> {
  const hosts = new Set<string>()
  for (const kind of ['request', 'websocket'] as const)
    page.on(kind as 'request', (call) => new URL(call.url()).host && hosts.add(new URL(call.url()).host))
  return hosts
}

test('a wallet on another device signs in, changes its chain, and ends the session; only the relay is called', {
  tag: '@full',
}, async ({ chain, visitor, relay, relayUrl }) => {
  const { page, key, wallet: injected } = await visitor()
  const wallet = await startDistantWallet(relayUrl, chain, key)
  const hosts = hostsOf(page)
  await page.goto(await loginPath())
  wallet.refuseNext('session')
  await chooseDistantWallet(page)
  await wallet.pair(await linkOf(page))
  await expect(page.getByText('Your wallet did not connect')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await wallet.pair(await linkOf(page))
  await expect(page).toHaveURL('/')
  expect((await api<{ receive_address: string }>(page, 'me')).receive_address).toBe(wallet.address)

  // The session outlasts the page.
  await page.reload()
  await reconnected(page)
  const wrong = page.getByRole('alert').filter({ hasText: 'on another network' })
  wallet.refuse('wallet_switchEthereumChain')
  // The page may still be subscribing to the relay. It asks at each change that it hears of.
  await expect(async () => {
    if (await wrong.isVisible()) return
    await wallet.changeChain(1)
    expect(await wrong.isVisible()).toBe(true)
  }).toPass({ intervals: [2_000] })
  // The page asks by itself, and the wallet refuses that.
  await expect(wrong.getByRole('button')).not.toHaveAttribute('aria-busy')
  wallet.accept('wallet_switchEthereumChain')
  await wrong.getByRole('button').click()
  await expect(wrong).toBeHidden()

  await wallet.disconnect()
  await expect(page).toHaveURL(/\/pages\/login\/index/)
  expect(hosts).toEqual(new Set([new URL(page.url()).host, new URL(relayUrl).host]))
  expect(injected.calls('eth_requestAccounts')).toEqual([])
  // The relay receives nothing in the clear besides topics and tags.
  const sent = JSON.stringify(relay.calls.filter(({ client }) => client !== wallet.clientId))
  expect(sent).not.toMatch(/txHashes|contractAddresses|rpcMethods|attestation":"[^"]/)
  await wallet.close()
})

test('a wallet on another device pays; its library loads when it is chosen', { tag: '@full' }, async ({
  chain,
  visitor,
  relayUrl,
}) => {
  const { page, key, wallet: injected } = await visitor({ usdt: '70', amc: '60' })
  const wallet = await startDistantWallet(relayUrl, chain, key)
  const hosts = hostsOf(page)
  await page.goto(await loginPath())
  const files = () => page.evaluate(() => performance.getEntriesByType('resource').length)
  const before = await files()
  await chooseDistantWallet(page)
  await wallet.pair(await linkOf(page))
  expect(await files()).toBeGreaterThan(before)
  await expect(page).toHaveURL('/')
  await buy(page, 'Launch 100')
  expect(wallet.calls).toEqual(expect.arrayContaining(['personal_sign', 'eth_sendTransaction']))
  // What the wallet did not agree to is not asked for.
  expect(wallet.calls.filter((method) => method.startsWith('wallet_'))).toEqual([])
  expect(hosts).toEqual(new Set([new URL(page.url()).host, new URL(relayUrl).host]))
  expect(injected.calls('eth_sendTransaction')).toEqual([])
  await wallet.close()
})
