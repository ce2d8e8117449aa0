import type { Page } from '@playwright/test'
import type { Order } from '@rif/api-schema'
import { parseUnits } from 'viem'
import { look } from '../support/inspect.ts'
import { api, expect, order, PAY, reconnected, signInAsDemo, test } from '../support/product.ts'
import { expectToast } from '../support/toasts.ts'

const LIST = '/pages/shop/orderList'

/** Lost connections, broken answers and missing files show in the browser's console; the page itself complains of nothing. */
test.use({
  provoked: [
    // The last: the service worker is set up, or looked at again, without a connection.
    /Failed to (load resource: (net::|the server responded with a status of 500)|fetch dynamically imported)|error occurred when fetching the script/,
  ],
})

const amount = (page: Page) => page.getByLabel('Amount', { exact: true })

test('offline: a bar with the time of the figures, loaded data stays, buttons wait and are enabled again, nothing is sent or lost', async ({
  visitor,
}) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  await page.goto('/pages/withdrawal/index')
  await amount(page).fill('12.5')
  await expect(page.getByText(/stays available$/)).toBeVisible()
  await page.context().setOffline(true)
  await expect(page.getByRole('status').filter({ hasText: 'No connection.' })).toContainText(
    /Figures of \d{1,2}:\d{2}/,
  )
  const posts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
  const button = page.getByRole('button', { name: 'Withdraw 12.50 USDT' })
  await expect(button).toContainText('Waits for the connection')
  await button.click({ force: true })
  await amount(page).press('Enter')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(amount(page)).toHaveValue('12.5')
  await page.context().setOffline(false)
  await expect(button).not.toContainText('Waits for the connection')
  await expect(button).toBeEnabled()
  await expect(page.getByText('No connection.')).toBeHidden()
  // A request that waited for the connection would have been sent before this call.
  await page.evaluate(() => fetch('/api/v1/config'))
  expect(posts).toEqual([])
  await page.reload()
  await expect(amount(page)).toHaveValue('12.50')
})

test('a refusal, a broken server and a lost session lose no input', { tag: '@full' }, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  const answer = (status: number, msg: string) =>
    page.route('**/api/v1/withdraw/check', (route) =>
      route.fulfill({ status, json: { code: status, msg, data: { error: 'INTERNAL', details: {} } } }),
    )
  await page.goto('/pages/withdrawal/index')
  await reconnected(page)
  await amount(page).fill('12.5')
  await answer(409, 'Refused')
  await page.getByRole('button', { name: 'Withdraw 12.50 USDT' }).click()
  await expectToast(page, 'Refused')
  await answer(500, 'The server broke')
  await page.getByRole('button', { name: 'Withdraw 12.50 USDT' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('The server broke')
  await page.getByRole('button', { name: 'OK' }).click()
  await answer(401, 'Please log in again')
  await page.getByRole('button', { name: 'Withdraw 12.50 USDT' }).click()
  await expect(page).toHaveURL('/pages/login/index')
  await page.unroute('**/api/v1/withdraw/check')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL('/pages/withdrawal/index')
  await expect(amount(page)).toHaveValue('12.50')
})

test('an amount field says what it understood, and refuses what can be read in two ways', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  await page.goto('/pages/withdrawal/index')
  await amount(page).fill('1.25 USDT')
  await expect(page.getByText('Understood: 1.25 USDT')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Withdraw 1.25 USDT' })).toBeEnabled()
  await amount(page).fill('')
  for (const [typed, note] of [
    ['1.5.', 'Not clear. Type it like 1500.25.'],
    ['0,125', 'Not clear. Type it like 1500.25.'],
    ['1,500', 'This can be read in two ways. Type 1,500.00 or 1.50.'],
    ['1e5', 'Not a number. Type it like 1500.25.'],
  ] as const) {
    await amount(page).fill('')
    await amount(page).pressSequentially(typed)
    await expect(page.getByText(note)).toBeVisible()
    await expect(amount(page)).toHaveValue(typed)
    await expect(page.getByRole('button', { name: /^Withdraw \d/ })).toHaveCount(0)
  }
  await look(page, 'amount-refused')
  await page.getByRole('button', { name: 'Max' }).click()
  await expect(amount(page)).toHaveValue(/^\d+\.\d{2,6}$/)
  await expect(page.getByText(/^Understood: [\d,]+\.\d{2,6} USDT$/)).toBeVisible()
})

test('a unit beside a large figure has the spacing of its own size', { tag: '@full' }, async ({
  visitor,
}) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  for (const path of [
    '/pages/index/index',
    '/pages/shop/index',
    '/pages/savings/index',
    '/pages/found/home',
  ]) {
    await page.goto(path)
    await expect(page.getByText('USDT', { exact: true }).first()).toBeVisible()
    const tight = await page.evaluate(() =>
      [...document.querySelectorAll('span')]
        .filter(({ textContent }) => ['USDT', 'AMC', 'RIF'].includes(textContent.trim()))
        .map((unit) => getComputedStyle(unit))
        .filter(
          ({ letterSpacing, fontSize }) =>
            -Number.parseFloat(letterSpacing) > Number.parseFloat(fontSize) / 40,
        )
        .map(({ letterSpacing, fontSize }) => `${letterSpacing} at ${fontSize}`),
    )
    expect(tight, path).toEqual([])
  }
})

/** Returns 400 orders, of which the one in the middle exists. */
async function longList(page: Page) {
  const [realOrder] = (await api<{ items: Order[] }>(page, 'order/all')).items
  return Array.from({ length: 400 }, (_, index) => ({
    ...realOrder,
    order_id: index === 200 ? realOrder?.order_id : String(1_000_000 + index),
    product_name: `Order number ${index}`,
  }))
}

test('a list: skeleton, Load Failed with a tap to reload, its place on coming back, its file', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  const items = await longList(page)
  // When the stream opens, the app reads the list again, which would take the button away before the tap.
  await page.route('**/api/v1/changes*', (route) => route.abort())
  let fails = true
  let goOn = () => {}
  const skeletonSeen = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route('**/api/v1/order/all?*', async (route) => {
    if (fails) {
      await skeletonSeen
      return route.fulfill({
        status: 409,
        json: { code: 409, msg: 'Not now', data: { error: 'INTERNAL', details: {} } },
      })
    }
    return route.fulfill({ json: { code: 200, msg: 'OK', data: { items, next: null } } })
  })
  await page.goto(LIST)
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  goOn()
  await expect(page.getByText('Load Failed')).toBeVisible()
  fails = false
  await page.getByRole('button', { name: 'Tap to reload' }).click()
  await expect(page.getByText('Order number 0', { exact: true })).toBeVisible()
  const row = page.getByText('Order number 200', { exact: true })
  const top = page.locator('[aria-posinset]').first()
  await expect(async () => {
    const rowsAway = 200 - Number(await top.getAttribute('aria-posinset'))
    const { height } = (await top.boundingBox())!
    await page.evaluate((by) => window.scrollBy(0, by), rowsAway * height)
    expect(await row.isVisible()).toBe(true)
  }).toPass()
  // Where it stands when it is clicked: whatever had to move for that has moved.
  await row.click({ trial: true })
  await row.evaluate((element) => {
    const note = () => Object.assign(window, { clickedAt: element.getBoundingClientRect().y })
    element.addEventListener('click', note, { capture: true })
  })
  // Only what is in sight is drawn.
  expect(await page.getByRole('listitem').count()).toBeLessThan(40)
  await row.click()
  await expect(page).toHaveURL(/shopOrderDetail/)
  const before = await page.evaluate(() => (window as unknown as { clickedAt: number }).clickedAt)
  await expect(page.getByRole('heading', { level: 1, name: 'Order', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(row).toBeVisible()
  await expect.poll(async () => Math.abs(((await row.boundingBox())?.y ?? 0) - before)).toBeLessThan(4)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/)
})

test('a list that is left before its rows are measured keeps its place', { tag: '@full' }, async ({
  visitor,
}) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  const data = { items: await longList(page), next: null }
  await page.route('**/api/v1/order/all?*', (route) =>
    route.fulfill({ json: { code: 200, msg: 'OK', data } }),
  )
  await page.goto(LIST)
  await expect(page.getByText('Order number 0', { exact: true })).toBeVisible()
  const before = await page.evaluate(async () => {
    const rows = () => [...document.querySelectorAll('[aria-posinset]')]
    const wanted = () => rows().find((row) => row.textContent?.includes('Order number 200'))
    const frame = () => new Promise(requestAnimationFrame)
    while (wanted() === undefined) {
      const [top] = rows()
      window.scrollBy(0, (200 - Number(top?.ariaPosInSet)) * (top?.getBoundingClientRect().height ?? 0))
      await frame()
    }
    const row = wanted()
    row?.querySelector('a')?.click()
    // The rows that were just drawn are measured in this frame, while the other page loads.
    await frame()
    return row?.getBoundingClientRect().y
  })
  await expect(page.getByRole('heading', { level: 1, name: 'Order', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Order number 200' })
  await expect.poll(async () => Math.abs((await row.boundingBox())!.y - before!)).toBeLessThan(4)
})

test.describe('what the server does not have', () => {
  test.use({ provoked: [/responded with a status of 404/] })

  test('is not offered for a second try', { tag: '@full' }, async ({ visitor }) => {
    const { page } = await signInAsDemo(visitor, 'Ann')
    for (const [path, text] of [
      ['/pages/found/productDetail?product_id=99999', 'Fund product not found'],
      ['/pages/shop/shopOrderDetail?order_id=99999', 'Order not found'],
    ] as const) {
      await page.goto(path)
      const state = page.getByRole('main').getByRole('alert').filter({ hasText: text })
      await expect(state.getByRole('link', { name: 'Go to home' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
    }
  })
})

test('a page whose code does not arrive is loaded again by a tap', { tag: '@full' }, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  // Everything but the files of the first screen, which the document names.
  const html = await (await page.request.get('/')).text()
  const isFirst = (url: string) => html.includes(new URL(url).pathname)
  const scripts = '**/assets/*.js'
  await page.route(scripts, (route) => (isFirst(route.request().url()) ? route.continue() : route.abort()))
  // The router loads the page anew once by itself before it gives up.
  await page.goto('/pages/withdrawal/index').catch(() => undefined)
  await expect(page.getByText('Tap to reload')).toBeVisible()
  await page.unroute(scripts)
  await page.getByRole('button', { name: /Tap to reload/ }).click()
  await expect(amount(page)).toBeVisible()
})

test('the app whose first file does not arrive is loaded again by a tap', { tag: '@full' }, async ({
  visitor,
}) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  const first = '**/assets/early-*.js'
  await page.route(first, (route) => route.abort())
  await page.goto('/')
  const reload = page.getByRole('link', { name: 'Load Failed. Tap to reload.' })
  await expect(reload).toBeVisible()
  await page.unroute(first)
  await reload.click()
  await expect(page.getByRole('main')).toBeVisible()
  await expect(reload).toBeHidden()
})

test('a transaction is tracked on another device, an approval is shown and revoked', {
  tag: '@full',
}, async ({ chain, member }) => {
  const first = await member({ usdt: '70', amc: '60', typedData: false })
  const second = await member({ key: first.key })
  await order(first.page, 'Launch 100')
  first.wallet.refuseNext('eth_sendTransaction', chain.contracts.bank)
  const release = await chain.hold()
  await first.page.getByRole('button', { name: PAY }).click()
  const preview = first.page.getByRole('region', { name: 'What you are about to sign' })
  await expect(preview).toContainText('60.00 AMC')
  await look(first.page, 'signature-preview')
  await expect.poll(() => first.wallet.sent.length).toBe(1)
  await second.page.goto('/')
  await second.page.getByRole('button', { name: '1 transaction under way' }).click()
  const drawer = second.page.getByRole('dialog', { name: 'Transactions' })
  await expect(drawer.getByText('Approval for AMC')).toBeVisible()
  await expect(drawer.getByText('Sent', { exact: true })).toBeVisible()
  await look(second.page, 'transactions')
  await release()
  await expect(drawer.getByText(/Confirming|Done/).first()).toBeVisible()
  // Both approvals stand; the payment is refused.
  await expect(first.page.getByText('You refused in the wallet.')).toBeVisible()
  expect(first.wallet.sent).toHaveLength(2)
  await first.page.goto('/pages/my/approvals')
  const usdt = first.page.getByRole('listitem').filter({ hasText: '70.00 USDT' })
  await expect(usdt).toBeVisible()
  await look(first.page, 'approvals')
  await usdt.getByRole('button', { name: 'Revoke USDT approval' }).click()
  await expect(first.page.getByText('Taken back', { exact: true })).toBeVisible()
  const last = first.wallet.sent.at(-1)
  expect(last?.to.toLowerCase()).toBe(chain.contracts.usdt.toLowerCase())
  expect(last?.data.endsWith('0'.repeat(64))).toBe(true)
  expect((await chain.balances(first.wallet.address)).usdt).toBe(parseUnits('70', 6))
})

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('installed, the shell opens without a connection and keeps no answer of the API', {
    tag: '@full',
  }, async ({ member }) => {
    const { page } = await member()
    await page.goto('/')
    const manifest = await page.request.get('/manifest.webmanifest')
    expect(manifest.headers()['content-type']).toContain('application/manifest+json')
    for (const { src } of (await manifest.json()).icons) expect((await page.request.get(src)).ok()).toBe(true)
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state))
      .toBe('activated')
    await page.goto('/pages/help/article?name=fees')
    await expect(page.getByText('A withdrawal costs 1%')).toBeVisible()
    await page.context().setOffline(true)
    await page.goto('/pages/help/article?name=fees')
    await expect(page.getByText('A withdrawal costs 1%')).toBeVisible()
    await expect(page.getByRole('main')).toContainText(/Figures of \d/)
    await page.goto('/pages/withdrawal/list')
    // Debian's older Chromium tells a page that was opened offline that it is online.
    await expect(page.getByText(/^(No connection\.|Connection lost\.)/)).toBeVisible()
    await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
    const kept = await page.evaluate(async () => {
      const requests = await Promise.all(
        (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
      )
      return requests.flat().map(({ url }) => new URL(url).pathname)
    })
    expect(kept.length).toBeGreaterThan(20)
    expect(kept.filter((path) => path.startsWith('/api') || path.startsWith('/rpc'))).toEqual([])
  })
})
