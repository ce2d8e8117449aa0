import type { Page } from '@playwright/test'
import { findNothing, look, overflow } from '../support/inspect.ts'
import { expect, signInAsDemo, test } from '../support/product.ts'

const PIN = '135790'

/** Returns the values of local storage that the lock is made of, and the plain token. */
const keptBy = (page: Page) =>
  page.evaluate(() => ({
    token: localStorage.getItem('token'),
    isSealed: localStorage.getItem('sealed_token') !== null,
    hasLock: localStorage.getItem('app_lock') !== null,
  }))

async function inspect(page: Page, name: string) {
  await look(page, name)
  expect(await overflow(page)).toEqual([])
  await findNothing(page)
}

async function typePin(page: Page, pin: string) {
  await page.getByLabel('PIN', { exact: true }).fill(pin)
  await page.getByRole('button', { name: 'Unlock' }).click()
}

const locked = (page: Page) => page.getByRole('heading', { name: 'Locked' })
const open = (page: Page) => page.getByRole('button', { name: 'Lock now' })

async function lockWithPin(page: Page) {
  await page.getByRole('button', { name: 'Choose a PIN' }).click()
  const sheet = page.getByRole('dialog', { name: 'Choose a PIN' })
  await sheet.getByLabel('PIN', { exact: true }).fill(PIN)
  await sheet.getByLabel('PIN again').fill(PIN)
  await sheet.getByRole('button', { name: 'Turn on the lock' }).click()
  await expect(open(page)).toBeVisible()
}

test('a PIN locks: nothing is read before it is entered, and five wrong ones end the session', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ann', '/pages/my/lock')
  const token = (await keptBy(page)).token!
  await lockWithPin(page)
  expect(await keptBy(page)).toEqual({ token: null, isSealed: true, hasLock: true })
  expect(JSON.stringify(await page.context().storageState())).not.toContain(token)

  const calls: string[] = []
  page.on('request', (request) => request.url().includes('/api/') && calls.push(request.url()))
  // Until then, the page before can still call.
  page.on('framenavigated', () => calls.splice(0))
  const atStart = async () => {
    await page.reload()
    await expect(locked(page)).toBeVisible()
    expect(calls).toEqual([])
  }
  await atStart()
  await expect(page.getByLabel('PIN', { exact: true })).toBeFocused()
  await inspect(page, 'lock-screen')
  await typePin(page, '246802')
  await expect(page.getByText('Wrong PIN. 4 tries left.')).toBeVisible()
  await typePin(page, PIN)
  await expect(open(page)).toBeVisible()
  expect(calls.length).toBeGreaterThan(0)

  await open(page).click()
  for (const left of ['4 tries', '3 tries', '2 tries', '1 try']) {
    await typePin(page, '246802')
    await expect(page.getByText(`Wrong PIN. ${left} left`)).toBeVisible()
    // Starting the app again gives no try back.
    if (left === '3 tries') await atStart()
  }
  await typePin(page, '246802')
  await expect(page).toHaveURL(/\/pages\/login\/index/)
  await expect(page.getByText('The PIN was wrong 5 times.')).toBeVisible()
  expect(await keptBy(page)).toEqual({ token: null, isSealed: false, hasLock: false })
})

test('a PIN locks all tabs, after a time without use, and when the clock is set back', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  await page.clock.install()
  await page.goto('/pages/my/lock')
  await lockWithPin(page)

  // Another tab opens without the PIN while this one is open, locks with it, and opens with it.
  const tab = await page.context().newPage()
  await tab.goto('/pages/my/lock')
  await expect(open(tab)).toBeVisible()
  await open(tab).click()
  await expect(locked(page)).toBeVisible()
  await expect(locked(tab)).toBeVisible()
  await typePin(page, PIN)
  await expect(open(page)).toBeVisible()
  await expect(open(tab)).toBeVisible()
  await tab.close()

  await page.clock.fastForward('04:50')
  await page.mouse.click(5, 5)
  await page.clock.fastForward('04:50')
  await expect(open(page)).toBeVisible()
  await page.clock.fastForward('00:11')
  await expect(locked(page)).toBeVisible()
  await typePin(page, PIN)
  await expect(open(page)).toBeVisible()
  await page.clock.setSystemTime(new Date(Date.now() - 3_600_000))
  await expect(locked(page)).toBeVisible()
})

test('a passkey locks and opens; one without a key is not used; the wallet is the fallback', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const addAuthenticator = async (hasPrf: boolean) => {
    const options = {
      ...({ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal', hasPrf } as const),
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    }
    return (await cdp.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId
  }
  const plain = await addAuthenticator(false)
  await page.goto('/pages/my/lock')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText('cannot encrypt')).toBeVisible()
  expect((await keptBy(page)).token).not.toBeNull()

  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: plain })
  const authenticatorId = await addAuthenticator(true)
  await page.reload()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(open(page)).toBeVisible()
  await inspect(page, 'lock-on')
  expect(await keptBy(page)).toEqual({ token: null, isSealed: true, hasLock: true })

  await page.reload()
  const unlock = page.getByRole('button', { name: 'Unlock with your passkey' })
  await unlock.click()
  await expect(open(page)).toBeVisible()

  // Off and on again without a reload.
  await page.getByRole('button', { name: 'Turn off the lock' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off the lock' }).click()
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeVisible()
  expect(await keptBy(page)).toMatchObject({ token: expect.any(String), isSealed: false, hasLock: false })
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await open(page).click()

  await expect(unlock).toBeVisible()
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await unlock.click()
  await expect(page.getByText('The passkey was not confirmed.')).toBeVisible()
  await page.getByRole('button', { name: 'Sign in with your wallet instead' }).click()
  await page.getByRole('button', { name: 'End the session and sign in' }).click()
  await expect(page).toHaveURL(/\/pages\/login\/index/)
  expect(await keptBy(page)).toEqual({ token: null, isSealed: false, hasLock: false })
})
