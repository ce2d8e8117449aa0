import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import type { Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { type Chain, type Contracts, createChain } from './chain.ts'
import { developmentKey } from './development-keys.ts'
import { callApi, type Invitation, openSession, ownPlace, type Session } from './session.ts'
import { recordToasts } from './toasts.ts'
import { createTurn } from './turn.ts'
import { installWallet, type TestWallet, WALLET_ID } from './wallet.ts'

export interface Running {
  rpcUrl: string
  databaseUrl: string
  contracts: Contracts
}

/** Where the parts of the product under test are; it says so itself in its data directory. */
export function runningProduct(): Running {
  const path = join(process.env.E2E_DATA_DIR as string, 'running.json')
  return JSON.parse(readFileSync(path, 'utf8')) as Running
}

/** What one test at a time may have, of those that run side by side. */
const turnOf = (what: string) => createTurn(join(process.env.E2E_DATA_DIR as string, `turn of ${what}`))

/** Does what another test must not do at the same time, as there is one of it for all. */
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
  /** EIP-5792 batches; off unless asked for. */
  batches?: boolean
  /** EIP-712 signatures; on unless switched off. */
  typedData?: boolean
  /** EIP-6963: the wallet tells of itself; on unless switched off. */
  announced?: boolean
  /** Another browser than the test's own; it is closed with the test. */
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

interface Fixtures {
  chain: Chain
  /** A browser of its own with a wallet in it, not signed in. Several in one test are several people. */
  visitor: (options?: MemberOptions) => Promise<Visitor>
  /**
   * A visitor who is signed in, by the API, and has opened no page of the app yet: a new member, in the place that is given or else one of its own
   * (`ownPlace`), or with `key` one that there is, on another device.
   */
  member: (options?: MemberOptions & Partial<Invitation>) => Promise<Member>
  /** What the browser's console may say besides, because a test provokes it: `test.use({ provoked: [...] })`. */
  provoked: RegExp[]
}

/** The answers to what a test provokes on purpose: a refused call shows in the console of the browser. */
const EXPECTED = [/Failed to load resource: the server responded with a status of (400|401|404|409|429)/]

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

/** Of the product's origin, so that the browser's storage is there, and nothing of the app. */
const NO_PAGE = '/manifest.webmanifest'

const productUrl = () => test.info().project.use.baseURL!

/** What the app keeps in the browser of somebody who is signed in. */
function keptBy({ token, address, memberId }: Session) {
  const values = {
    ...{ token, token_address: address, wallet_id: WALLET_ID },
    ...(memberId === null && { no_member: 'true' }),
  }
  const localStorage = Object.entries(values).map(([name, value]) => ({ name, value }))
  return { cookies: [], origins: [{ origin: productUrl(), localStorage }] }
}

/** Whatever a page complains about fails the test. */
function collectComplaints(page: Page, complaints: string[], expected: readonly RegExp[]): void {
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !expected.some((known) => known.test(text))) complaints.push(text)
  })
}

export { expect }

/** The login page with the invitation into a place of one's own. */
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

/** The app has taken up the wallet's connection after a page was loaded, and hears what the wallet tells. */
export const reconnected = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => JSON.parse(sessionStorage.getItem('wallet') ?? '{}').connected))
    .toBe(true)

/** A new member who opens no page. */
export const signUp = (invitation: Invitation): Promise<Session> =>
  openSession(productUrl(), generatePrivateKey(), invitation)

/**
 * A browser signed in as a member of the demonstration, who has a history from the start, or as one of its admins.
 * Tests run side by side: none changes a member of the demonstration whom another one reads. Ruth's balance pays for what
 * new members are given (`give`); of Ruth a test reads only what came before today.
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

async function demoKey(name: string): Promise<Hex> {
  const { demo } = await callApi<{ demo: { address: Hex; label: string }[] }>(productUrl(), 'config')
  return developmentKey(demo.find(({ label }) => label.startsWith(`${name} -`))!.address)
}

/** Moves some of what Ruth has within the product to a member. */
export async function give(address: Hex, asset: 'USDT' | 'AMC', amount: string): Promise<void> {
  const session = await openSession(productUrl(), await demoKey('Ruth'))
  await callApi(productUrl(), 'transfer', { session, body: { address, asset, amount } })
}

/** A call of the API with the page's own session. */
export const api = async <T>(page: Page, path: string): Promise<T> =>
  callApi<T>(productUrl(), path, { session: await sessionOf(page) })

/** The same, one that moves something. */
export const post = async <T>(page: Page, path: string, body: object): Promise<T> =>
  callApi<T>(productUrl(), path, { session: await sessionOf(page), body })

const sessionOf = (page: Page) =>
  page.evaluate(() => ({
    token: localStorage.getItem('token') ?? '',
    address: (localStorage.getItem('token_address') ?? '0x') as `0x${string}`,
  }))

/** Has the calls of a route refused, as by a server that cannot answer them now, until what this answers is called. */
export async function refuse(page: Page, route: string): Promise<() => Promise<void>> {
  const url = `**/api/v1/${route}`
  const json = { code: 409, msg: 'Not now', data: { error: 'INTERNAL', details: {} } }
  await page.route(url, (call) => call.fulfill({ status: 409, json }))
  return () => page.unroute(url)
}

/** Orders a package in the shop and pays it, as far as the page that says it arrived. */
export async function buy(page: Page, name: string): Promise<void> {
  await order(page, name)
  await page.getByRole('button', { name: 'Confirm and pay' }).click()
  await expect(page.getByText(`${name} is yours`)).toBeVisible({ timeout: 45_000 })
}

/** Orders a package; its sheet is open and nothing is paid. */
export async function order(page: Page, name: string): Promise<void> {
  await page.goto('/pages/shop/index')
  await page.getByRole('button', { name: `Buy ${name}`, exact: true }).click()
  await expect(page.getByRole('dialog', { name: `Order ${name}` })).toBeVisible()
}

/** Takes an order's payment up again, in whatever state it is. */
export async function goOn(page: Page): Promise<void> {
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Go on|Confirm and pay)$/ })
    .click()
}
