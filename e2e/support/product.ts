import { join } from 'node:path'
import { type Browser, type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Chain, createChain } from './chain.ts'
import { developmentKey } from './development-keys.ts'
import { fundAdmins } from './fund-admins.ts'
import { runningProduct } from './running.ts'
import { callApi, type Invitation, openSession, ownPlace, type Session } from './session.ts'
import { recordToasts } from './toasts.ts'
import { createTurn } from './turn.ts'
import { installWallet, type TestWallet, WALLET_ID } from './wallet.ts'

/** Returns a lock that one of the tests running at the same time can hold. */
const turnOf = (what: string) => createTurn(join(process.env.E2E_DATA_DIR as string, `turn of ${what}`))

/** Runs work on a shared resource that no other test may use at the same time. */
export async function alone<T>(what: string, work: () => Promise<T>): Promise<T> {
  const turn = turnOf(what)
  await turn.take()
  return work().finally(turn.giveBack)
}

interface MemberOptions {
  /** On-chain money of a new wallet, decimal strings. */
  usdt?: string
  amc?: string
  /** An existing wallet instead of a new one. */
  key?: Hex
  /** EIP-5792 batches; off by default. */
  batches?: boolean
  /** EIP-712 signatures; on by default. */
  typedData?: boolean
  /** EIP-6963: the wallet announces itself; on by default. */
  announced?: boolean
  /** A browser other than the test's own. It is closed with the test. */
  browser?: Browser
  /** Signed in already, with the wallet connected. */
  session?: Session
}

export interface Visitor {
  page: Page
  wallet: TestWallet
  key: Hex
}

export interface Member extends Visitor {
  address: Hex
  memberId: string
}

export interface Fixtures {
  chain: Chain
  /** Opens a browser context with a wallet, not signed in. Each call is another person. */
  visitor: (options?: MemberOptions) => Promise<Visitor>
  /**
   * A visitor who is signed in, by the API, and has opened no page of the app yet: a new member, in the place that is given or else one of its own
   * (`ownPlace`), or with `key` one that there is, on another device.
   */
  member: (options?: MemberOptions & Partial<Invitation>) => Promise<Member>
  /** Further messages of the browser's console that a test causes: `test.use({ provoked: [...] })`. */
  provoked: RegExp[]
}

/** Refused calls, which the browser's console shows: also those of a server on a busy machine, which a page repeats. */
const EXPECTED = [/Failed to load resource: the server responded with a status of (400|401|404|409|429|503)/]

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  chain: async ({}, use) => {
    const { rpcUrl, contracts } = runningProduct()
    const chain = createChain(rpcUrl, contracts, turnOf('mining'))
    await use(chain)
    await chain.letGo()
  },
  provoked: [[], { option: true }],
  visitor: async ({ browser, chain, provoked }, use) => {
    const contexts: BrowserContext[] = []
    const others = new Set<Browser>()
    const complaints: string[] = []
    await use(async ({ usdt = '0', amc = '0', key, browser: other, session, ...behaviour } = {}) => {
      if (other !== undefined) others.add(other)
      const context = await (other ?? browser).newContext(session && { storageState: keptBy(session) })
      contexts.push(context)
      await recordToasts(context)
      const page = await context.newPage()
      collectComplaints(page, complaints, [...EXPECTED, ...provoked])
      const privateKey = key ?? (await chain.newWallet({ usdt, amc }))
      const connected = session !== undefined
      const wallet = await installWallet(page, chain, privateKey, { ...behaviour, connected })
      return { page, key: privateKey, wallet }
    })
    for (const context of contexts) await context.close()
    for (const other of others) await other.close()
    expect(complaints).toEqual([])
  },
  member: async ({ visitor, chain }, use) => {
    await use(async ({ code, side = 'auto', usdt = '0', amc = '0', ...options } = {}) => {
      const invitation = () => (code === undefined ? ownPlace(productUrl()) : { code, side })
      const key = options.key ?? (await chain.newWallet({ usdt, amc }))
      const session = await openSession(productUrl(), key, options.key ? undefined : await invitation())
      const person = await visitor({ ...options, key, session })
      await person.page.goto(NO_PAGE)
      return { ...person, address: session.address, memberId: session.memberId! }
    })
  },
})

/** A page of the product's origin that has the browser's storage and loads no app. */
export const NO_PAGE = '/robots.txt'

const productUrl = () => test.info().project.use.baseURL!

/** Returns the browser storage of a signed-in member. */
function keptBy({ token, address, memberId }: Session) {
  const values = {
    token,
    token_address: address,
    wallet_id: WALLET_ID,
    ...(memberId === null && { no_member: 'true' }),
  }
  const localStorage = Object.entries(values).map(([name, value]) => ({ name, value }))
  return { cookies: [], origins: [{ origin: productUrl(), localStorage }] }
}

/** Collects the errors of a page, which fail the test. */
function collectComplaints(page: Page, complaints: string[], expected: readonly RegExp[]): void {
  const complain = (text: string) => {
    if (!expected.some((pattern) => pattern.test(text))) complaints.push(`${page.url()}: ${text}`)
  }
  page.on('pageerror', (error) => complain(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complain(message.text())
  })
}

export { expect }

/** Returns the path of the login page with an invitation into a new place. */
export async function loginPath(): Promise<string> {
  const { code, side } = await ownPlace(productUrl())
  return `/pages/login/index?code=${code}&side=${side}`
}

/** Connects the wallet and signs, on the login page. */
export async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await page.getByRole('button', { name: 'Test Wallet' }).click()
  await expect(page).toHaveURL('/')
}

/** Waits until the app has reconnected the wallet after a page load and receives its events. */
export const reconnected = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => JSON.parse(sessionStorage.getItem('wallet') ?? '{}').connected))
    .toBe(true)

/** The mark of the history entry that an open sheet has. Playwright goes back faster than any person. */
const guardIn = (page: Page) => expect.poll(() => page.evaluate(() => history.state.guard))

/** Waits until the browser's history has the entry of a sheet that was opened. */
export const isCovered = (page: Page) => guardIn(page).toBeDefined()

/** Waits until the browser's history has let go of a sheet that was closed. */
export const isUncovered = (page: Page) => guardIn(page).toBeUndefined()

/** Signs up a new member without opening a page. */
export const signUp = (invitation: Invitation): Promise<Session> =>
  openSession(productUrl(), generatePrivateKey(), invitation)

/**
 * A browser signed in as a member of the demonstration, who has a history from the start, or as one of its admins.
 * Tests run side by side: none changes a member of the demonstration whom another one reads. The balances of `GIVERS` pay for
 * what new members are given; of them a test reads only what came before today.
 */
export async function signInAsDemo(
  visitor: Fixtures['visitor'],
  name: string,
  path = NO_PAGE,
): Promise<Visitor & { address: Hex }> {
  const key = await demoKey(name)
  const session = await openSession(productUrl(), key)
  const person = await visitor({ key, session })
  await person.page.goto(path)
  return { ...person, address: session.address }
}

export async function demoKey(name: string): Promise<Hex> {
  const { demo } = await callApi<{ demo: { address: Hex; label: string }[] }>(productUrl(), 'config')
  return developmentKey(demo.find(({ label }) => label.startsWith(`${name} -`))!.address)
}

/** Ruth has enough for all tests, but not for all repeated ones as well. */
const GIVERS = ['Ruth', 'Finn']

/** Transfers a part of the balance of the first giver with enough to a member. Throws INSUFFICIENT_BALANCE. */
export async function give(
  address: Hex,
  asset: 'USDT' | 'AMC',
  amount: string,
  givers: readonly string[] = GIVERS,
): Promise<void> {
  const [name, ...others] = givers
  const from = privateKeyToAccount(await demoKey(name!)).address
  try {
    await fundAdmins(runningProduct(), [{ do: 'transfer', from, to: address, asset, amount }])
  } catch (error) {
    if (others.length === 0 || !/INSUFFICIENT_BALANCE/.test(String(error))) throw error
    await give(address, asset, amount, others)
  }
}

/** Calls the API with the page's own session. */
export const api = async <T>(page: Page, path: string): Promise<T> =>
  callApi<T>(productUrl(), path, { session: await sessionOf(page) })

/** Posts to the API with the page's own session. */
export const post = async <T>(page: Page, path: string, body: object): Promise<T> =>
  callApi<T>(productUrl(), path, { session: await sessionOf(page), body })

const sessionOf = (page: Page) =>
  page.evaluate(() => ({
    token: localStorage.getItem('token') ?? '',
    address: (localStorage.getItem('token_address') ?? '0x') as `0x${string}`,
  }))

/** Refuses the calls of a route, as a server that cannot answer them, until the returned function is called. */
export async function refuse(page: Page, route: string): Promise<() => Promise<void>> {
  const url = `**/api/v1/${route}`
  const json = { code: 409, msg: 'Not now', data: { error: 'INTERNAL', details: {} } }
  await page.route(url, (call) => call.fulfill({ status: 409, json }))
  return () => page.unroute(url)
}

/** Orders a package in the shop and pays it, up to the page that confirms it. */
export async function buy(page: Page, name: string): Promise<void> {
  await seePrice(page, name)
  await page.getByRole('button', { name: PAY }).click()
  await expect(page.getByText(`${name} is yours`)).toBeVisible()
}

/** The button that pays an order: it says what leaves the wallet. */
export const PAY = /^Pay [\d.,]+ USDT/

/** Opens the sheet with a package's price, which orders nothing. */
export async function seePrice(page: Page, name: string): Promise<void> {
  await page.goto('/pages/shop/index')
  await page.getByRole('button', { name: `See the price of ${name}`, exact: true }).click()
  await expect(page.getByRole('dialog', { name })).toBeVisible()
}

/** Stores an order of a package and opens its sheet in the shop. */
export async function order(page: Page, name: string): Promise<void> {
  // The session is read from the page's storage.
  if (page.url() === 'about:blank') await page.goto('/pages/shop/index')
  const { items } = await api<{ items: { product_id: string; name: string }[] }>(page, 'products')
  const { product_id } = items.find((item) => item.name === name)!
  await post(page, 'order', { product_id })
  await page.goto('/pages/shop/index')
  await page.getByRole('button', { name: `Continue with ${name}`, exact: true }).click()
  await expect(page.getByRole('dialog', { name })).toBeVisible()
}

/** Continues an order's payment in any state. */
export async function goOn(page: Page): Promise<void> {
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Go on|Pay [\d.,]+ USDT.*)$/ })
    .click()
}

/** Returns a UTC day as the product writes it in English. */
export const dayInWords = (day: string) =>
  new Date(day).toLocaleDateString('en-US', {
    ...({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const),
  })
