import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { ExitDestination } from '@rif/api-schema'
import { encodeFunctionData, type Hex, parseAbi, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { approve, prepare } from './admins.ts'
import { accounts } from './books.ts'
import type { Chain } from './chain.ts'
import { reloadUntil } from './inspect.ts'
import { api, expect, type Fixtures, signInAsDemo, type Visitor } from './product.ts'

/** The time that destinations and exits wait in public. */
export const DELAY_S = 48 * 3_600
const DAY_S = 24 * 3_600
/** No report stands behind these publications. */
const ROOT = toHex(1n, { size: 32 })
const AMC_UNITS_OF_MICRO = 10n ** 12n

const bankAbi = parseAbi([
  'struct Heads { bytes32 ledger; bytes32 operators; }',
  'struct AssetTotals { address token; uint128 liabilities; uint128 fundCash; }',
  'function publishSolvency(uint32 day, bytes32 root, Heads heads, AssetTotals[] totals)',
  'function lastSolvencyDay() view returns (uint32)',
])

/** Sends a transaction of an operator's wallet from the sheet that explains it, and makes it final. */
export async function send(page: Page, chain: Chain): Promise<void> {
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Send with the wallet' }).click()
  await expect(sheet).toBeHidden()
  await chain.finalise()
}

/** Moves the chain's clock ahead, and with it those of browsers, which show what can leave by now. */
export async function passTime(chain: Chain, seconds: number, pages: readonly Page[]): Promise<void> {
  await chain.passTime(seconds)
  const at = await chain.time()
  for (const page of pages) await page.clock.setSystemTime(at)
}

/** Reloads the treasury page until a part of it has a text: the indexer may be a moment behind. */
export async function awaitTreasury(page: Page, part: (page: Page) => Locator, text: string): Promise<void> {
  await page.goto('/pages/admin/treasury')
  await reloadUntil(page, () => part(page).filter({ hasText: text }).isVisible())
}

/** A destination of exits, on the treasury page. */
export const placeOf = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Destinations' }).getByRole('listitem').filter({ hasText: name })

/** The people of the demonstration who have a part in exits. */
export interface Treasurers {
  /** Prepares proposals, and announces exits with the treasurer's wallet. */
  paul: Visitor
  /** Is the default admin of the contract. */
  otto: Visitor
  vera: Visitor
}

export const pagesOf = (people: Treasurers): Page[] => Object.values(people).map(({ page }: Visitor) => page)

/** Signs them in. */
export async function treasurers(visitor: Fixtures['visitor']): Promise<Treasurers> {
  const names = ['Paul', 'Otto', 'Vera'] as const
  const [paul, otto, vera] = await Promise.all(names.map((name) => signInAsDemo(visitor, name)))
  return { paul: paul!, otto: otto!, vera: vera! }
}

/**
 * Has two people name a destination, and the default admin list it in the contract after its delay, unless an earlier test did.
 * Returns its wallet.
 */
export async function listDestination(chain: Chain, people: Treasurers, name: string): Promise<Hex> {
  const { paul, otto, vera } = people
  const { items } = await api<{ items: ExitDestination[] }>(paul.page, 'admin/treasury/destinations')
  const listed = items.find(({ state, approved }) => state === 'listed' && approved?.name === name)
  if (listed !== undefined) return listed.address as Hex
  const wallet = privateKeyToAddress(generatePrivateKey())
  await paul.page.goto('/pages/admin/treasury')
  await paul.page.getByRole('button', { name: 'Add a destination' }).click()
  const sheet = paul.page.getByRole('dialog')
  await sheet.getByLabel('Wallet', { exact: true }).fill(wallet)
  await sheet.getByLabel('Whose wallet it is').fill(name)
  await sheet.getByLabel('Purpose').fill('as tested')
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await prepare(paul.page, `the wallet of ${name}`)
  await approve(vera.page, `the wallet of ${name}`)
  await otto.page.goto('/pages/admin/treasury')
  await placeOf(otto.page, name).getByRole('button', { name: 'Announce on chain' }).click()
  await send(otto.page, chain)
  await passTime(chain, DELAY_S, pagesOf(people))
  await awaitTreasury(otto.page, (page) => placeOf(page, name), 'Put it on the list')
  await placeOf(otto.page, name).getByRole('button', { name: 'Put it on the list' }).click()
  await send(otto.page, chain)
  await awaitTreasury(paul.page, (page) => placeOf(page, name), 'Usable')
  return wallet
}

/** An exit that is under way, on the treasury page. */
export const exitOf = (page: Page, name: string) => page.getByRole('region', { name })

/** Has the treasurer announce an exit, which can leave when this ends. */
export async function announce(chain: Chain, people: Treasurers, name: string): Promise<void> {
  const { paul } = people
  await awaitTreasury(paul.page, (page) => exitOf(page, name), 'Announce with the wallet')
  await exitOf(paul.page, name).getByRole('button', { name: 'Announce with the wallet' }).click()
  await send(paul.page, chain)
  await awaitTreasury(paul.page, (page) => exitOf(page, name), 'Waits')
  await passTime(chain, DELAY_S, pagesOf(people))
}

/**
 * Publishes what the books owe, with the publisher's key; with `free`, so much that the contract lets only that many micro-USDT
 * of the operator leave. Moves the clock to the next day when this one has a publication already.
 */
export async function publish(chain: Chain, pages: readonly Page[], free?: bigint): Promise<void> {
  const { bank, usdt, amc } = chain.contracts
  const last = await chain.readContract({ address: bank, abi: bankAbi, functionName: 'lastSolvencyDay' })
  const yesterday = async () => Math.floor((await chain.time()).getTime() / 1_000 / DAY_S) - 1
  if ((await yesterday()) <= last) await passTime(chain, DAY_S, pages)
  const ofUsdt = await totalsOf('USDT')
  const { usdt: bankUsdt } = await chain.balances(bank)
  const totals = [
    { token: usdt, ...ofUsdt, ...(free !== undefined && { liabilities: bankUsdt - ofUsdt.fundCash - free }) },
    { token: amc, ...(await totalsOf('AMC', AMC_UNITS_OF_MICRO)) },
  ]
  const args = [await yesterday(), ROOT, { ledger: ROOT, operators: ROOT }, totals] as const
  const data = encodeFunctionData({ abi: bankAbi, functionName: 'publishSolvency', args })
  expect(await chain.sendFrom(publisherKey(), bank, data)).toBe('success')
}

/** Returns what the books owe in one asset, in units of the token. */
async function totalsOf(asset: 'USDT' | 'AMC', unitsOfMicro = 1n) {
  const of = await accounts(asset)
  const fundCash = of('fund_custody')
  const own = of('revenue') + of('fees') + of('exit_hold') + of('shortfall')
  const liabilities = -of('external') - own - fundCash
  return { liabilities: liabilities * unitsOfMicro, fundCash: fundCash * unitsOfMicro }
}

function publisherKey(): Hex {
  const path = join(process.env.E2E_DATA_DIR as string, 'chain', 'operator-keys.json')
  return (JSON.parse(readFileSync(path, 'utf8')) as { publisher: Hex }).publisher
}
