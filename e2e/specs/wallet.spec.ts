import type { Order } from '@rif/api-schema'
import { parseUnits } from 'viem'
import { look } from '../support/inspect.ts'
import {
  api,
  expect,
  goOn,
  loginPath,
  order,
  PAY,
  reconnected,
  seePrice,
  signIn,
  test,
} from '../support/product.ts'

/** The price of Launch 100 at the demonstration's rates. */
const PRICE = { usdt: '70', amc: '60' }

test('a refused signature leaves the visitor on the login page, with nothing lost', async ({ visitor }) => {
  const { page, wallet } = await visitor()
  wallet.refuseNext('personal_sign')
  await page.goto(await loginPath())
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await page.getByRole('button', { name: 'Test Wallet' }).click()
  await expect(page.getByText('You refused in the wallet. Nothing was done.')).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/')
})

test('a wallet that does not answer can be left at any time, and another one be asked', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page, wallet } = await visitor()
  await page.clock.install()
  const choose = () => page.getByRole('button', { name: 'Test Wallet' }).click()
  const other = page.getByRole('button', { name: 'Use another wallet' })
  wallet.ignoreNext('eth_requestAccounts')
  await page.goto(await loginPath())
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await choose()
  // Half a minute later it says what may be the case.
  await expect(other).toBeEnabled()
  await page.clock.runFor(31_000)
  await expect(page.getByRole('alertdialog')).toContainText('A window of your wallet may be behind this one')
  await look(page, 'wallet-no-answer')
  await page.getByRole('button', { name: 'Keep waiting' }).click()
  wallet.ignoreNext('personal_sign')
  await other.click()
  await choose()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect.poll(() => wallet.calls('personal_sign').length).toBe(1)
  await other.click()
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await choose()
  await expect(page).toHaveURL('/')
})

test('a new wallet without a link signs in with one button that submits its invitation code, checked while typed', async ({
  visitor,
}) => {
  const { page, wallet } = await visitor()
  const { code } = Object.fromEntries(new URL(await loginPath(), 'http://any').searchParams)
  await page.goto('/pages/login/index')
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await page.getByRole('button', { name: 'Test Wallet' }).click()
  const field = page.getByLabel('Invitation code')
  await field.fill(' - ')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Please enter the invitation code')).toBeVisible()
  await expect(field).toBeFocused()
  await field.fill(code?.slice(0, 5) ?? '')
  await expect(page.getByText('This code is not known · 3 characters are missing')).toBeVisible()
  // No code has a zero.
  await field.fill('0000-0000')
  await expect(page.getByText('This code is not known', { exact: true })).toBeVisible()
  // Not in a toast as well, which would leave by itself.
  expect(await page.getByText('This invitation code is not valid').count()).toBe(0)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(field).toBeFocused()
  expect(wallet.calls('personal_sign')).toHaveLength(0)
  await field.fill(code?.toLowerCase() ?? '')
  // The sponsor's address, and the own one.
  await expect(page.getByTitle(/^0x[0-9a-f]{40}$/i)).toHaveCount(2)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/')
})

test('a wallet that only stands under window.ethereum signs in, and is found again after a reload', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page, wallet } = await visitor({ announced: false })
  await page.goto(await loginPath())
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await expect(page.getByRole('button', { name: 'Test Wallet' })).toBeHidden()
  await page.getByRole('button', { name: 'Browser wallet' }).click()
  await expect(page).toHaveURL('/')
  expect((await api<{ receive_address: string }>(page, 'me')).receive_address).toBe(wallet.address)
  // Its balance is read when it is connected, and when it is found again. Home has read it when it shows the first steps.
  await expect(page.getByText('Getting started')).toBeVisible()
  const reads = () => wallet.calls('eth_getBalance').length
  const before = reads()
  await page.reload()
  await expect.poll(reads).toBeGreaterThan(before)
  await wallet.disconnect()
  await expect(page).toHaveURL('/pages/login/index')
})

test('a refused payment can be resumed', async ({ chain, member }) => {
  const { page, wallet } = await member(PRICE)
  await order(page, 'Launch 100')
  wallet.refuseNext('eth_sendTransaction')
  await page.getByRole('button', { name: PAY }).click()
  await expect(page.getByText('You refused in the wallet. Nothing was done.')).toBeVisible()
  await goOn(page)
  await expect(page.getByText('Launch 100 is yours')).toBeVisible()
  expect(await chain.balances(wallet.address)).toEqual({ usdt: 0n, amc: 0n })
})

test('without EIP-712 the plain path approves exactly, pausing a second after each approval', {
  tag: '@full',
}, async ({ chain, member }) => {
  const { page, wallet } = await member({ usdt: '100', amc: '100', typedData: false })
  await order(page, 'Launch 100')
  await page.getByRole('button', { name: PAY }).click()
  await expect(page.getByText('Launch 100 is yours')).toBeVisible()
  expect(wallet.sent.map(({ to }) => to.toLowerCase())).toEqual(
    [chain.contracts.amc, chain.contracts.usdt, chain.contracts.bank].map((to) => to.toLowerCase()),
  )
  // Each request stands on the screen for 0.6 s before the wallet is asked; the pause after an approval comes on top.
  const [amcAt, usdtAt, paidAt] = wallet.sent.map(({ askedAt }) => askedAt) as [number, number, number]
  expect(Math.min(usdtAt - amcAt, paidAt - usdtAt)).toBeGreaterThanOrEqual(1600)
  expect(await chain.balances(wallet.address)).toEqual({
    usdt: parseUnits('30', 6),
    amc: parseUnits('40', 18),
  })
})

test('a wallet with batches opens only once', { tag: '@full' }, async ({ chain, member }) => {
  const { page, wallet } = await member({ ...PRICE, batches: true })
  await order(page, 'Launch 100')
  await page.getByRole('button', { name: PAY }).click()
  await expect(page.getByText('Launch 100 is yours')).toBeVisible()
  expect(wallet.calls('wallet_sendCalls')).toHaveLength(1)
  expect(wallet.calls('eth_sendTransaction')).toHaveLength(0)
  expect(await chain.balances(wallet.address)).toEqual({ usdt: 0n, amc: 0n })
})

test('a payment resumes after a reload', { tag: '@full' }, async ({ chain, member }) => {
  const { page, wallet } = await member({ ...PRICE, typedData: false })
  await order(page, 'Launch 100')
  await page.getByRole('button', { name: PAY }).click()
  await expect.poll(() => wallet.sent.length).toBeGreaterThan(0)
  await page.reload()
  await page.goto('/pages/shop/index')
  await page
    .getByRole('button', { name: /Continue/ })
    .first()
    .click()
  await goOn(page)
  await expect(page.getByText('Launch 100 is yours')).toBeVisible()
  // One approval of each token, one payment: nothing was sent twice.
  expect(wallet.sent).toHaveLength(3)
  expect(await chain.balances(wallet.address)).toEqual({ usdt: 0n, amc: 0n })
})

test('another device resumes the same order', { tag: '@full' }, async ({ chain, member }) => {
  const first = await member(PRICE)
  await order(first.page, 'Launch 100')
  const second = await member({ key: first.key })
  await second.page.goto('/pages/shop/index')
  await second.page
    .getByRole('button', { name: /Continue/ })
    .first()
    .click()
  await goOn(second.page)
  await expect(second.page.getByText('Launch 100 is yours')).toBeVisible()
  expect(await chain.balances(first.wallet.address)).toEqual({ usdt: 0n, amc: 0n })
})

for (const how of ['speedUp', 'cancel'] as const) {
  test(`a payment that the wallet replaced (${how}) is followed to its end`, { tag: '@full' }, async ({
    chain,
    member,
  }) => {
    const { page, wallet } = await member(PRICE)
    await order(page, 'Launch 100')
    wallet.replaceNext(how, chain.contracts.bank)
    await page.getByRole('button', { name: PAY }).click()
    if (how === 'cancel') {
      await expect(page.getByText('replaced or cancelled in the wallet')).toBeVisible()
      await goOn(page)
    }
    await expect(page.getByText('Launch 100 is yours')).toBeVisible()
    expect(await chain.balances(wallet.address)).toEqual({ usdt: 0n, amc: 0n })
    const { items } = await api<{ items: Order[] }>(page, 'order/all')
    expect(items).toMatchObject([{ status: 'Paid' }])
  })
}

test('a wallet on another chain is switched before anything is signed', { tag: '@full' }, async ({
  visitor,
}) => {
  const { page, wallet } = await visitor()
  wallet.startOn('0x1')
  await page.goto(await loginPath())
  await signIn(page)
  expect(wallet.calls('wallet_switchEthereumChain')).toHaveLength(1)
  const [added] = wallet.calls('wallet_addEthereumChain')
  expect(added?.params).toMatchObject([{ chainId: '0xa4b1', chainName: 'Arbitrum One' }])
})

test('viewing a price orders nothing, and shows what the wallet lacks', { tag: '@full' }, async ({
  member,
}) => {
  const { page, wallet } = await member({ usdt: '10', amc: '60' })
  const traces = async () => ({
    orders: (await api<{ items: Order[] }>(page, 'order/all')).items,
    rif: (await api<{ balances: { RIF: object } }>(page, 'me')).balances.RIF,
  })
  const before = await traces()
  await seePrice(page, 'Launch 100')
  await expect(page.getByText('60.00 USDT missing.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Not enough USDT' })).toBeDisabled()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await traces()).toEqual(before)
  expect(wallet.calls('eth_sendTransaction')).toHaveLength(0)
})

test('an internal error of the wallet is reported with its cause', { tag: '@full' }, async ({ member }) => {
  const { page, wallet } = await member(PRICE)
  await order(page, 'Launch 100')
  wallet.failNext('eth_sendTransaction', {
    code: -32603,
    message: 'execution reverted: ERC20InsufficientBalance',
  })
  await page.getByRole('button', { name: PAY }).click()
  await expect(page.getByText('The token balance is insufficient')).toBeVisible()
  wallet.failNext('eth_sendTransaction', { code: -32603, message: 'User denied transaction signature.' })
  await goOn(page)
  await expect(page.getByText('You refused in the wallet. Nothing was done.')).toBeVisible()
})

test('another account in the wallet prompts for a new sign-in', { tag: '@full' }, async ({
  chain,
  member,
}) => {
  const { page, wallet } = await member()
  await page.goto('/')
  await reconnected(page)
  await wallet.changeAccount(await chain.newWallet())
  const prompt = page.getByRole('alertdialog', { name: 'prompt' })
  await expect(prompt).toContainText('Please log in again')
  await prompt.getByRole('button').click()
  await expect(page).toHaveURL(/\/pages\/login\/index/)
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})
