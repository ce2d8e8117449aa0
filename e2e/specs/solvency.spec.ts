import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import type { SolvencyProof } from '@rif/api-schema'
import { findNothing, look, reloadUntil } from '../support/inspect.ts'
import { lookAtAll } from '../support/inspect-all.ts'
import { api, expect, post, signInAsDemo, test } from '../support/product.ts'
import { runningProduct } from '../support/running.ts'
import { inAnotherTab } from '../support/screens.ts'

const PAGE = '/pages/solvency'
/** The first report is sent within half a minute of the start. */
const FIRST_REPORT = { timeout: 5 * 60_000 }
const ROOT_CALL = '0x344e04ba'
const LAST_DAY_CALL = '0x375c0cd9'
/** The verifier that the product serves, as the build made it. */
const VERIFIER = join(import.meta.dirname, '../../apps/web/dist/verify-solvency.mjs')

const steps = (page: Page) => page.getByRole('list', { name: 'What was checked' }).locator(':scope > li')
const statesOf = (page: Page) =>
  steps(page).evaluateAll((items) => items.map((item) => item.getAttribute('data-state')))
const outcome = (page: Page) =>
  page.getByRole('status').filter({ hasText: /Counted\.|Does not match|Not checked/ })

/** Waits until the chain has a report that the server knows. */
async function published(page: Page): Promise<string> {
  let day = ''
  await expect(async () => {
    const { latest } = await api<{ latest: { day: string } | null }>(page, 'solvency')
    day = latest!.day
  }).toPass(FIRST_REPORT)
  return day
}

/** Runs the verifier on a file; returns its exit code and what it printed. */
async function verify(file: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  const { rpcUrl, contracts } = runningProduct()
  const all = [VERIFIER, file, '--rpc', rpcUrl, '--bank', contracts.bank, ...args]
  try {
    const { stdout } = await promisify(execFile)(process.execPath, all)
    return { code: 0, output: stdout }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: stdout + stderr }
  }
}

const saved = async (page: Page) => {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the proof' }).click()
  return (await download).path()
}

test('a member checks their own balance with the root read by the wallet, and the saved proof passes the verifier', async ({
  visitor,
  chain,
}) => {
  const { page, wallet, address } = await signInAsDemo(visitor, 'Ann')
  await published(page)
  const relayed: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/rpc') relayed.push(request.postData() ?? '')
  })
  await page.goto(PAGE)
  await expect(outcome(page)).toContainText('Counted.')
  const states = await statesOf(page)
  expect(states.length).toBeGreaterThanOrEqual(4)
  expect(new Set(states)).toEqual(new Set(['done']))

  // The root and the day came through the wallet, from the bank, and not through the server.
  const calls = wallet.calls('eth_call').map(({ params }) => params![0] as { to: string; data: string })
  for (const selector of [ROOT_CALL, LAST_DAY_CALL]) {
    const call = calls.find(({ data }) => data.startsWith(selector))
    expect(call?.to.toLowerCase()).toBe(chain.contracts.bank.toLowerCase())
  }
  expect(relayed).toEqual([])
  await page.getByText('Show each step with its sums').click()
  await expect(page.getByText('Level 1', { exact: true })).toBeVisible()

  const file = await saved(page)
  const good = await verify(file, ['--address', address])
  expect(good).toMatchObject({ code: 0, output: expect.stringContaining('ok   root') })
  expect(await verify(file, ['--address', chain.contracts.usdt])).toMatchObject({ code: 1 })

  // A stranger checks the same proof by a link, with the root from the chain.
  const { day } = JSON.parse(readFileSync(file, 'utf8')) as SolvencyProof
  const link = await post<{ token: string }>(page, 'me/shares', { kind: 'proof', day, days: 1 })
  const { page: stranger } = await visitor()
  await stranger.goto(`/pages/shared#${link.token}`)
  await expect(outcome(stranger)).toContainText('Counted.')
  expect(new Set(await statesOf(stranger))).toEqual(new Set(['done']))
  await findNothing(stranger)
  await look(stranger, 'shared-proof')
})

test('an amount that the server changed in the proof is detected, with the differing amount', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page, address } = await signInAsDemo(visitor, 'Ann')
  await published(page)
  await page.route('**/api/v1/solvency/proof?*', async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as { data: SolvencyProof }
    const { leaf } = json.data
    await route.fulfill({
      response,
      json: { ...json, data: { ...json.data, leaf: { ...leaf, usdt: `${BigInt(leaf.usdt) - 5_250_000n}` } } },
    })
  })
  await page.goto(PAGE)
  await expect(outcome(page)).toContainText('Does not match.')
  // The books of the day, not those of now, and the sum at the top: both differ by what was taken.
  await expect(steps(page).first()).toContainText(/USDT: your books of .+ say .* They differ by 5\.25 USDT/)
  await expect(steps(page).nth(2)).toContainText(
    /USDT: your leaf leads to a total of .* differ by 5\.25 USDT/,
  )
  expect(await statesOf(page)).toEqual(['failed', 'done', 'failed', 'skipped', ...(await restOf(page))])
  const forged = await verify(await saved(page), ['--address', address])
  expect(forged).toMatchObject({ code: 1, output: expect.stringContaining('TREE_DIFFERS') })
  await lookAtAll(page, 'solvency-differs', await inAnotherTab(page))
  await page.getByRole('link', { name: 'What can I do?' }).click()
  await expect(page).toHaveURL('/pages/help/article?name=solvency')
})

/** The step of the totals is there when the report is the last one on chain. */
const restOf = async (page: Page) => ((await steps(page).count()) > 4 ? ['skipped'] : [])

test('without the wallet nothing is checked, and nothing is read from the server instead', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page, wallet } = await signInAsDemo(visitor, 'Ann')
  await published(page)
  const proofs: string[] = []
  page.on('request', (request) => {
    if (/solvency\/proof/.test(request.url())) proofs.push(request.url())
  })
  wallet.failNext('eth_call', { code: -32_603, message: 'the node is away' })
  await page.goto(PAGE)
  await expect(outcome(page)).toContainText('The wallet did not read the root from the chain.')
  expect(proofs).toEqual([])
  // The proof itself can be saved without a wallet.
  expect(await saved(page)).toBeTruthy()
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(outcome(page)).toContainText('Counted.')
  await lookAtAll(page, 'solvency-counted', await inAnotherTab(page))
})

test('anybody can read liabilities and holdings without signing in', { tag: '@full' }, async ({
  visitor,
}) => {
  const { page } = await visitor()
  await page.goto('/pages/login/index')
  await page.getByRole('link', { name: 'What we owe and hold' }).click()
  await expect(page).toHaveURL(PAGE)
  for (const asset of ['USDT', 'AMC']) {
    const card = page.getByRole('region', { name: asset, exact: true })
    await expect(card).toContainText(/\d+\.\d\d%/)
  }
  await expect(page.getByText('Sign in to check on your own device')).toBeVisible()
  await expect(page.getByText('SHA-256 of the verifier')).toBeVisible()
  const { verifier } = await api<{ verifier: { sha256: string } }>(page, 'solvency')
  const offered = createHash('sha256').update(readFileSync(VERIFIER)).digest('hex')
  expect(verifier.sha256).toBe(offered)
  await expect(page.getByText(offered)).toBeVisible()
  await expect(page.getByText('RIF Rental Income')).toBeVisible()
  const text = await page.getByText(/^curl -O/).textContent()
  expect(text).toContain('verify-solvency.mjs')
})

test('operators see books and bank down to a difference of 0, and what each publication cost', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Paul')
  await published(page)
  const books = page.getByRole('table', { name: 'Held and owed now' })
  // In AMC: tests of the fund invest USDT in the books alone. Revenue that a test has deposited is a difference until it is attested.
  await page.goto('/pages/admin/solvency')
  const amc = books
    .getByRole('row', { name: /^Difference/ })
    .getByRole('cell')
    .last()
  await reloadUntil(page, async () => (await amc.textContent()) === '0.00')
  const sends = page.getByRole('table', { name: 'Publications' })
  await expect(sends.getByRole('row').nth(1)).toContainText(/In a block|Waiting/)
  await expect(page.getByRole('table', { name: 'Audit runs' }).getByRole('row').nth(1)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Gate' })).toContainText('Open')
  await page.getByRole('button', { name: 'Run the audit' }).click()
  await expect(page.getByRole('status').filter({ hasText: /Ended .*, no difference/ })).toBeVisible()
})
