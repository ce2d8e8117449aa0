import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { type Hex, toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { type Chain, type Contracts, createChain } from './chain.ts'
import { installWallet, type TestWallet } from './wallet.ts'

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
  /** Another browser than the test's own; it is closed with the test. */
  browser?: Browser
}

export interface Visitor {
  page: Page
  wallet: TestWallet
  key: Hex
}

interface Fixtures {
  chain: Chain
  /** A browser of its own with a wallet in it, not signed in. Several in one test are several people. */
  visitor: (options?: MemberOptions) => Promise<Visitor>
  /** A visitor who signed up: under the given code, else under the demonstration's. */
  member: (options?: MemberOptions & { code?: string; side?: string }) => Promise<Visitor>
  /** What the browser's console may say besides, because a test provokes it: `test.use({ provoked: [...] })`. */
  provoked: RegExp[]
}

/** The answers to what a test provokes on purpose: a refused call shows in the console of the browser. */
const EXPECTED = [/Failed to load resource: the server responded with a status of (400|401|404|409|429)/]

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  chain: async ({}, use) => {
    const { rpcUrl, contracts } = runningProduct()
    await use(createChain(rpcUrl, contracts))
  },
  provoked: [[], { option: true }],
  visitor: async ({ browser, contextOptions, chain, provoked }, use) => {
    const contexts: BrowserContext[] = []
    const others = new Set<Browser>()
    const complaints: string[] = []
    await use(async ({ usdt = '0', amc = '0', key, browser: other, ...behaviour } = {}) => {
      if (other !== undefined) others.add(other)
      const context = await (other ?? browser).newContext(contextOptions)
      contexts.push(context)
      const page = await context.newPage()
      collectComplaints(page, complaints, [...EXPECTED, ...provoked])
      const privateKey = key ?? (await chain.newWallet({ usdt, amc }))
      return { page, key: privateKey, wallet: await installWallet(page, chain, privateKey, behaviour) }
    })
    for (const context of contexts) await context.close()
    for (const other of others) await other.close()
    expect(complaints).toEqual([])
  },
  member: async ({ visitor }, use) => {
    await use(async ({ code, side = 'auto', ...options } = {}) => {
      const person = await visitor(options)
      const { page } = person
      await page.goto(`/pages/login/index?code=${code ?? (await demoInvite(page))}&side=${side}`)
      await signIn(page)
      return person
    })
  },
})

/** Whatever a page complains about fails the test. */
function collectComplaints(page: Page, complaints: string[], expected: readonly RegExp[]): void {
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !expected.some((known) => known.test(text))) complaints.push(text)
  })
}

export { expect }

/** The invitation that the demonstration offers to newcomers. */
export async function demoInvite(page: Page): Promise<string> {
  const response = await page.request.get('/api/v1/config')
  const { data } = (await response.json()) as { data: { demo_invite_code: string } }
  return data.demo_invite_code
}

/** Connects the wallet and signs, from the login page; an admin who is no member begins on another page. */
export async function signIn(page: Page, home = '/'): Promise<void> {
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await page.getByRole('button', { name: 'Test Wallet' }).click()
  await expect(page).toHaveURL(home)
}

/** What every development node makes its accounts of. */
const TEST_MNEMONIC = 'test test test test test test test test test test test junk'
const TEST_ACCOUNTS = 60

/** A browser signed in as a member of the demonstration, who has balances from the start, or as one of its admins. */
export async function signInAsDemo(
  visitor: Fixtures['visitor'],
  name: string,
  home = '/',
): Promise<Visitor & { address: Hex }> {
  const response = await fetch(`${test.info().project.use.baseURL}/api/v1/config`)
  const { data } = (await response.json()) as { data: { demo: { address: Hex; label: string }[] } }
  const { address } = data.demo.find(({ label }) => label.startsWith(`${name} -`))!
  const accounts = Array.from({ length: TEST_ACCOUNTS }, (_, addressIndex) =>
    mnemonicToAccount(TEST_MNEMONIC, { addressIndex }),
  )
  const account = accounts.find((one) => one.address === address)!
  const person = await visitor({ key: toHex(account.getHdKey().privateKey!) })
  await person.page.goto('/pages/login/index')
  await signIn(person.page, home)
  return { ...person, address }
}

/** A call of the API with the page's own session. */
export const api = <T>(page: Page, path: string): Promise<T> => callApi<T>(page, path)

/** The same, one that moves something. */
export const post = <T>(page: Page, path: string, body: object): Promise<T> => callApi<T>(page, path, body)

async function callApi<T>(page: Page, path: string, body?: object): Promise<T> {
  const { data, msg } = await page.evaluate(
    async ([where, content]) => {
      const answer = await fetch(`/api/v1/${where}`, {
        headers: {
          authorization: `Bearer ${localStorage.getItem('token')}`,
          'x-wallet-address': localStorage.getItem('token_address') ?? '',
          ...(content !== undefined && {
            'content-type': 'application/json',
            'idempotency-key': crypto.randomUUID(),
          }),
        },
        ...(content !== undefined && { method: 'POST', body: JSON.stringify(content) }),
      })
      return answer.json()
    },
    [path, body] as const,
  )
  if (data === null || data === undefined) throw new Error(`${path}: ${msg}`)
  return data as T
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
