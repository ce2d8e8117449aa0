import { look } from '../support/inspect.ts'
import {
  api,
  expect,
  isCovered,
  isUncovered,
  loginPath,
  NO_PAGE,
  post,
  reconnected,
  signIn,
  test,
} from '../support/product.ts'
import { expectToast } from '../support/toasts.ts'

/** A page without the id that it needs says so in the console too. */
test.use({ provoked: [/the address lacks an id/] })

test('the guard: a visitor sees login, a member home, and an unknown address is no page', async ({
  visitor,
}) => {
  const { page } = await visitor()
  for (const path of ['/', '/pages/shop/orderList', '/pages/my/approvals', '/nowhere']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/pages\/login\/index$/)
  }
  await page.goto('/pages/found/home')
  await expect(page.getByRole('heading', { level: 1, name: 'Fund' })).toBeVisible()
  await page.goto(await loginPath())
  await signIn(page)
  for (const path of ['/pages/login/index', '/pages/index/index']) {
    await page.goto(path)
    await expect(page).toHaveURL('/')
  }
  await page.goto('/nowhere')
  await expect(page.getByText('There is no such page')).toBeVisible()
  // An order's page without its order does not exist either.
  await page.goto('/pages/shop/shopOrderDetail')
  await expect(page.getByText('There is no such page')).toBeVisible()
})

test('tabs replace each other, other pages lead back', { tag: '@full' }, async ({ member }) => {
  const { page } = await member()
  await page.goto('/')
  const tabs = page.getByRole('navigation', { name: 'Main pages' })
  await expect(tabs.getByRole('link')).toHaveText(['Home', 'Activity', 'Shop', 'Fund', 'Account'])
  const home = tabs.getByRole('link', { name: 'Home' })
  expect((await home.boundingBox())?.height).toBe(65)
  await expect(home).toHaveCSS('font-size', '10px')
  await expect(home).toHaveCSS('color', 'rgb(6, 18, 55)')
  expect(await home.locator('svg').boundingBox()).toMatchObject({ width: 24, height: 24 })
  await tabs.getByRole('link', { name: 'Shop' }).click()
  const before = await page.evaluate(() => history.length)
  await tabs.getByRole('link', { name: 'Account', exact: true }).click()
  await tabs.getByRole('link', { name: 'Shop' }).click()
  expect(await page.evaluate(() => history.length)).toBe(before)
  await page.getByRole('link', { name: 'Orders' }).click()
  await expect(page).toHaveURL('/pages/shop/orderList')
  await page.getByText('Canceled', { exact: true }).click()
  await expect(page).toHaveURL('/pages/shop/orderList?status=Cancelled')
  // The filter is kept on coming back, and itself is no step.
  await page.getByRole('link', { name: 'Go to the shop' }).click()
  await expect(page).toHaveURL('/pages/shop/index')
  await page.goto('/pages/shop/orderList?status=Cancelled')
  await expect(page.getByRole('radio', { name: 'Canceled' })).toBeChecked()
})

test('back closes the open layer and stays on the page; a layer closed by other means leaves nothing behind', {
  tag: '@full',
}, async ({ member }) => {
  const { page } = await member()
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main pages' }).getByRole('link', { name: 'Shop' }).click()
  const sheet = page.getByRole('dialog', { name: 'Launch 100' })
  const open = async () => {
    await page.getByRole('button', { name: 'See the price of Launch 100', exact: true }).click()
    await expect(sheet).toBeVisible()
    await isCovered(page)
  }
  await open()
  await page.goBack()
  await expect(sheet).toBeHidden()
  await expect(page).toHaveURL('/pages/shop/index')
  await open()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await page.getByRole('link', { name: 'Orders' }).click()
  await expect(page).toHaveURL('/pages/shop/orderList')
  await page.goBack()
  await expect(page).toHaveURL('/pages/shop/index')
  await open()
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(sheet).toBeHidden()
  await isUncovered(page)
  // The tab is the first page of the visit, so that back leaves the app.
  await page.goBack()
  await expect(page).toHaveURL('/robots.txt')
})

test('on a low desktop the account stays in sight below the navigation', { tag: '@full' }, async ({
  member,
}) => {
  const { page } = await member()
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto('/')
  const side = page.getByRole('complementary')
  await expect(side.getByRole('link', { name: /^Account/ })).toBeInViewport({ ratio: 1 })
  // What lies below it is reached by the keyboard, above it.
  const invite = side.getByRole('link', { name: 'Invite', exact: true })
  await invite.focus()
  await expect(invite).toBeInViewport({ ratio: 1 })
  await page.goto('/pages/my/invite/inviteTree')
  const [tree, rest] = [
    side.getByRole('link', { name: 'Tree' }),
    side.getByRole('link', { name: 'Held vs owed' }),
  ]
  await expect
    .poll(async () => ((await tree.boundingBox())?.y ?? 0) + 44 - ((await rest.boundingBox())?.y ?? 0))
    .toBeLessThanOrEqual(0)
})

test('a session that ended at the server is reported at login, and one signature returns to the page', async ({
  member,
}) => {
  const { page } = await member()
  await page.goto('/')
  await reconnected(page)
  // With no page of the app open: its stream would tell it of the end first, and it would lead back to itself.
  await page.goto(NO_PAGE)
  await post(page, 'auth/sign-out', {})
  await page.goto('/pages/withdrawal/list?status=Success')
  await expect(page).toHaveURL('/pages/login/index')
  await expectToast(page, 'Please log in again')
  await expect(page.getByText('Your session ended. Sign in again; nothing was changed.')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  // The wallet is still connected: one signature and the member is back.
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL('/pages/withdrawal/list?status=Success')
})

test('a disconnect in the wallet forgets exactly the session, in every tab', { tag: '@full' }, async ({
  member,
}) => {
  const { page, wallet } = await member()
  await page.goto('/')
  await page.evaluate(() => localStorage.setItem('theme', 'dark'))
  const second = await page.context().newPage()
  await second.goto('/pages/shop/index')
  await expect(second.getByRole('heading', { level: 1, name: 'Shop' })).toBeVisible()
  await reconnected(page)
  await wallet.disconnect()
  await expect(page).toHaveURL('/pages/login/index')
  await expect(second).toHaveURL('/pages/login/index')
  expect(await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))).toMatchObject({ theme: 'dark' })
  const left = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])
  for (const key of ['token', 'token_address', 'wallet_id', 'wallet', 'invite_node', 'drafts'])
    expect(left).not.toContain(key)
})

test('a reload restores the wallet; another account in it prompts for a new sign-in', {
  tag: '@full',
}, async ({ chain, member }) => {
  const { page, wallet } = await member()
  await page.goto('/')
  await reconnected(page)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await reconnected(page)
  expect((await api<{ receive_address: string }>(page, 'me')).receive_address).toBe(wallet.address)
  wallet.chooseAccount(await chain.newWallet())
  await page.reload()
  const prompt = page.getByRole('alertdialog', { name: 'prompt' })
  await expect(prompt).toContainText('Please log in again')
  await expect(prompt.getByRole('button')).toHaveCount(1)
  await prompt.getByRole('button').click()
  await expect(page).toHaveURL('/pages/login/index')
})

test('another chain in the wallet prompts for a switch at once; a refusal leaves a banner', {
  tag: '@full',
}, async ({ member }) => {
  const { page, wallet } = await member()
  await page.goto('/')
  await reconnected(page)
  const switches = () => wallet.calls('wallet_switchEthereumChain').length
  const checks = () => wallet.calls('eth_chainId').length
  const before = checks()
  await wallet.changeChain('0x1')
  await expect.poll(switches).toBe(1)
  const banner = page.getByText('This app works on Arbitrum One only.')
  await expect(banner).toBeHidden()
  // The app has looked whether the wallet came back: once before it asked, once after.
  await expect.poll(checks).toBe(before + 2)
  wallet.refuseNext('wallet_switchEthereumChain')
  await wallet.changeChain('0x1')
  await expect(banner).toBeVisible()
  await page.reload()
  await expect(banner).toBeVisible()
  await page.getByRole('button', { name: 'Change' }).click()
  await expect(banner).toBeHidden()
})

test("a phone without a wallet is led into the wallets' own browsers", { tag: '@full' }, async ({
  browser,
  contextOptions,
}) => {
  const context = await browser.newContext({
    ...contextOptions,
    isMobile: true,
    hasTouch: true,
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1',
  })
  const page = await context.newPage()
  await page.goto('/pages/login/index?code=AB12CD&side=left')
  const here = page.url()
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const href = async (name: string) =>
    decodeURIComponent(
      decodeURIComponent(
        (await page.getByRole('link', { name: `Open in ${name}` }).getAttribute('href')) ?? '',
      ),
    )
  for (const name of ['OKX Wallet', 'Trust Wallet', 'Coinbase Wallet'])
    expect(await href(name)).toContain(here)
  expect(await href('MetaMask')).toContain(here.replace('http://', 'dapp/'))
  await look(page, 'wallet-links')
  await context.close()
})
