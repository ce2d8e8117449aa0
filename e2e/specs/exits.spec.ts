import type { Locator, Page } from '@playwright/test'
import type { FundBill, FundRedemption } from '@rif/api-schema'
import { type Hex, parseTransaction, toHex } from 'viem'
import { approve, prepare } from '../support/admins.ts'
import { type Account, accounts, differences } from '../support/books.ts'
import type { Chain } from '../support/chain.ts'
import { row, rows } from '../support/database.ts'
import {
  announce,
  awaitTreasury,
  exitOf,
  listDestination,
  pagesOf,
  publish,
  send,
  type Treasurers,
  treasurers,
} from '../support/exits.ts'
import { fundAdmins } from '../support/fund-admins.ts'
import { findNothing, look, overflow } from '../support/inspect.ts'
import { api, expect, post, test } from '../support/product.ts'
import { runningProduct } from '../support/running.ts'

// Exits wait for days on the chain, whose clock moves ahead here: nothing can be bought on chain afterwards.
test.describe.configure({ mode: 'default' })

const M = 1_000_000n
const PAPER = `0x${'ab'.repeat(32)}`
const PAYOUT = '100.00 USDT from revenue'

/** An approval of so long ago is paid by now: 72 hours have passed. */
const HOURS_BEFORE = -73
/** By then this month has ended, whichever day it is. */
const NEXT_MONTH = 32 * 24
const INVESTMENT = '150.00 USDT of a fund, to invest'
const CUSTODIAN = 'Harbour Custody'

test('units bought on chain, invested on chain and valued: a redemption waits for cash, a return pays it, the bill adds up', async ({
  visitor,
  member: signUp,
  chain,
}) => {
  const name = `Invested Fund ${Date.now()}`
  const [opened] = await fundAdmins(runningProduct(), [{ do: 'open', name, nav: '10' }])
  const productId = opened!.productId!
  const { page, address, memberId } = await signUp({ usdt: '250' })
  const before = await accounts()
  const { bank } = chain.contracts
  const { usdt: bankUsdt } = await chain.balances(bank)

  await page.goto(`/pages/found/buy?product_id=${productId}&units=20`)
  await page.getByText('My wallet').click()
  await page.getByRole('button', { name: 'Buy 20 units' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pay 202.00 USDT' }).click()
  await expect(page.getByText(`20 units of ${name} are yours`)).toBeVisible()
  await post(page, 'order', { product_id: '1' })

  const people = await treasurers(visitor)
  const custodian = await listDestination(chain, people, CUSTODIAN)
  // The quote of the order that nobody paid has ended by the chain's clock.
  await page.goto('/pages/shop/orderList')
  await expect(page.getByText('Canceled')).toBeVisible()
  expect(await chain.balances(address)).toMatchObject({ usdt: 48n * M })

  const product = { name, desk: `/pages/admin/fundDesk?product_id=${productId}` }
  await invest(chain, people, product)
  expect(await chain.balances(custodian)).toMatchObject({ usdt: 150n * M })
  await value(people, product)
  await page.goto('/pages/found/my')
  const holding = page.getByRole('article', { name })
  await expect(holding.getByText('240.00')).toBeVisible()
  await expect(holding.getByText('+40.00')).toBeVisible()
  await redeem(page, productId, memberId)
  // The product has 50 of the 120.
  await page.reload()
  await expect(page.getByText('Place 1 in the queue')).toBeVisible()
  await expect(page.getByText('It waits until the product has the cash for it')).toBeVisible()
  await expect(page.getByText('≈ 115.40')).toBeVisible()
  await expect(page.getByText('An estimate at the net value of now.')).toBeVisible()
  await findNothing(page)
  await look(page, 'fund-waits-for-cash', { fullPage: true })
  await bringBack(chain, people, product)
  await expect(page.getByRole('heading', { name: 'It has arrived' })).toBeVisible()
  await expect(page.getByText('It is in your balance.')).toBeVisible()
  await look(page, 'fund-redemption-arrived', { fullPage: true })

  await seeBill(page)
  expect(await custodyPostings(productId)).toEqual([
    'fund_divest external>custody 150000000',
    'fund_invest custody>external 150000000',
    'fund_purchase external>custody 200000000',
    'fund_redemption custody>available 115400000',
    'fund_redemption custody>fees 4600000',
  ])
  // The sponsor has a tenth of the management fee.
  expect(movedSince(before, await accounts())).toEqual({
    external: -202n * M,
    fund_custody: 80n * M,
    available: 115_400_000n,
    fees: 6_200_000n,
    fund_income: 400_000n,
  })
  expect(await chain.balances(bank)).toMatchObject({ usdt: bankUsdt + 202n * M })
})

/** A fund product, and the path of its desk. */
interface Product {
  name: string
  desk: string
}

/** Two people invest 150 of the 200 in cash, the treasurer announces it, and after 48 hours it leaves. */
async function invest(chain: Chain, people: Treasurers, { name, desk }: Product): Promise<void> {
  const { paul, otto, vera } = people
  const sheet = paul.page.getByRole('dialog')
  await paul.page.goto(desk)
  await paul.page.getByRole('button', { name: 'Prepare an investment' }).click()
  await sheet.getByLabel('Amount').fill('150')
  await sheet.getByText(new RegExp(`^${CUSTODIAN} 0x`)).click()
  await evidence(sheet, 'Where it will be held')
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await prepare(paul.page, `invest for ${name}`)
  await approve(vera.page, `invest for ${name}`)
  await announce(chain, people, INVESTMENT)
  await publish(chain, pagesOf(people))
  await awaitTreasury(otto.page, (page) => exitOf(page, INVESTMENT), 'Can leave')
  await exitOf(otto.page, INVESTMENT).getByRole('button', { name: 'Let it leave' }).click()
  await send(otto.page, chain)
  await awaitTreasury(otto.page, (page) => historyOf(page, /150\.00 USDT/), 'Left')
}

/** The investment of 150 is worth 190 by a report: with the 50 in cash, 240 for 20 units. */
async function value({ paul: { page }, vera }: Treasurers, { name, desk }: Product): Promise<void> {
  // The product's own clock has not moved.
  await page.clock.setSystemTime(new Date())
  await page.goto(desk)
  const valuation = page.getByRole('region', { name: 'Propose a valuation' })
  await valuation.getByLabel(`${CUSTODIAN} is worth`).fill('190')
  await evidence(valuation, 'Where they are held')
  await look(page, 'desk-valuation', { fullPage: true })
  await valuation.getByRole('button', { name: 'Propose 12.00 for each unit' }).click()
  await prepare(page, `report on ${name}`)
  await approve(vera.page, `report on ${name}`)
}

/** Has 10 of the 20 units redeemed. The admins approved it so long ago that it is due. */
async function redeem(page: Page, productId: string, memberId: string): Promise<void> {
  await page.goto(`/pages/found/redemption?product_id=${productId}&units=10`)
  // 120 less 0.5%, and 20% of the profit of 20.
  await expect(page.getByText('About 115.40 USDT arrive in your balance')).toBeVisible()
  await page.getByRole('button', { name: 'Redeem 10 units' }).click()
  await expect(page.getByRole('heading', { name: 'Redemption submitted' })).toBeVisible()
  const { items } = await api<{ items: FundRedemption[] }>(page, 'fund/redemptions?tab=Pending')
  const { redemption_id: redemptionId } = items[0]!
  await fundAdmins(runningProduct(), [{ do: 'approve', memberId, redemptionId }], HOURS_BEFORE)
}

/** A deposit brings 150 back, and what remains is worth 40. */
async function bringBack(
  chain: Chain,
  { paul: { page }, vera }: Treasurers,
  { name, desk }: Product,
): Promise<void> {
  const sheet = page.getByRole('dialog')
  await chain.depositRevenue('150', toHex(BigInt(Date.now()), { size: 32 }))
  await expect(async () => {
    await page.goto(desk)
    await expect(page.getByText('waits for cash')).toBeVisible()
    await page.getByRole('button', { name: 'Prepare a return' }).click()
    await expect(sheet.getByRole('button').first()).toBeVisible()
    await expect(sheet.locator('.animate-pulse')).toHaveCount(0)
    expect(await sheet.getByText(/^150\.00 USDT, 0x/).isVisible()).toBe(true)
  }).toPass()
  await sheet.getByText(/^150\.00 USDT, 0x/).click()
  await sheet.getByLabel(`${CUSTODIAN} is worth`).fill('40')
  await evidence(sheet, 'Where they are held')
  await look(page, 'desk-return')
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await prepare(page, `sold for ${name}`)
  await approve(vera.page, `sold for ${name}`)
}

/** The bill of this month: 120 redeemed and 120 held, less 200 paid and fees of 2, 0.60 and 4. */
async function seeBill(page: Page): Promise<void> {
  const month = new Date().toISOString().slice(0, 'yyyy-mm'.length)
  await fundAdmins(runningProduct(), [{ do: 'bills', month }], NEXT_MONTH)
  await page.goto('/pages/found/month_list')
  const shown = new Date(month).toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  await page.getByRole('link', { name: new RegExp(shown) }).click()
  await expect(page.getByText('+33.40').first()).toBeVisible()
  expect(await api<FundBill>(page, `fund/bill/${month}`)).toMatchObject({
    purchased_value: '200.000000',
    redeemed_value: '120.000000',
    closing_value: '120.000000',
    subscription_fees: '2.000000',
    redemption_fees: '0.600000',
    management_fees: '4.000000',
    profit: '33.400000',
  })
  await findNothing(page)
  await look(page, 'fund-bill', { fullPage: true })
  for (const kind of ['PDF', 'CSV']) {
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: `Save ${kind}` }).click()
    expect((await saved).suggestedFilename()).toMatch(new RegExp(`${month}.*\\.${kind.toLowerCase()}$`))
  }
}

test('a payout is refused while the published liabilities need the money, and leaves when they do not', async ({
  visitor,
  chain,
}) => {
  const people = await treasurers(visitor)
  const { paul, otto, vera } = people
  const pages = pagesOf(people)
  const custodian = await listDestination(chain, people, CUSTODIAN)
  const { usdt: paidBefore } = await chain.balances(custodian)
  const before = await accounts()
  const { bank } = chain.contracts
  const { usdt: bankUsdt } = await chain.balances(bank)

  await paul.page.goto('/pages/admin/treasury')
  await paul.page.getByRole('button', { name: 'Prepare a payout' }).click()
  const sheet = paul.page.getByRole('dialog')
  await sheet.getByLabel('Amount').fill('100')
  await sheet.getByText(new RegExp(`^${CUSTODIAN} 0x`)).click()
  await sheet.getByLabel('Purpose').fill('rent of May')
  await sheet.getByLabel('SHA-256 of the attesting paper').fill(PAPER)
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await prepare(paul.page, 'the rent of May')
  await approve(vera.page, 'the rent of May')
  expect(movedSince(before, await accounts())).toEqual({ revenue: -100n * M, exit_hold: 100n * M })
  await announce(chain, people, PAYOUT)

  // What is owed leaves 40 USDT of the operator free.
  await publish(chain, pages, 40n * M)
  await awaitTreasury(paul.page, (page) => exitOf(page, PAYOUT), 'What is owed would not stay covered')
  await expect(paul.page.getByRole('row', { name: /^The contract allows/ })).toContainText('40.00')
  expect(await overflow(paul.page)).toEqual([])
  await findNothing(paul.page)
  await look(paul.page, 'treasury-refused', { fullPage: true })
  await exitOf(paul.page, PAYOUT).getByRole('button', { name: 'Let it leave' }).click()
  await sheet.getByRole('button', { name: 'Send with the wallet' }).click()
  const refusal = paul.page.getByRole('alertdialog')
  await expect(refusal).toContainText('The bank contract refuses this exit now: what is owed would not stay')
  await look(paul.page, 'treasury-refusal')
  await refusal.getByRole('button', { name: 'OK' }).click()
  await paul.page.keyboard.press('Escape')
  // Nothing left the wallet; whoever sends the call all the same gets it back undone.
  const { exit_id: id } = await row('select max(exit_id) as exit_id from exits')
  const { raw_tx } = await api<{ raw_tx: Hex }>(paul.page, `admin/treasury/exits/${id}/tx/execute`)
  expect(await chain.sendFrom(vera.key, bank, parseTransaction(raw_tx).data!)).toBe('reverted')
  await chain.finalise()
  expect(await chain.balances(custodian)).toMatchObject({ usdt: paidBefore })
  expect(await row(`select state, released_at from exits where exit_id = ${id}`)).toMatchObject({
    state: 'Announced',
    released_at: null,
  })
  expect(movedSince(before, await accounts())).toEqual({ revenue: -100n * M, exit_hold: 100n * M })

  // The next day less is owed. Anybody may let it leave.
  await publish(chain, pages)
  await awaitTreasury(otto.page, (page) => exitOf(page, PAYOUT), 'All that is owed stays covered')
  await exitOf(otto.page, PAYOUT).getByRole('button', { name: 'Let it leave' }).click()
  await send(otto.page, chain)
  await awaitTreasury(otto.page, (page) => historyOf(page, /100\.00 USDT/), 'Left')
  await look(otto.page, 'treasury-left', { fullPage: true })
  expect(await chain.balances(custodian)).toMatchObject({ usdt: paidBefore + 100n * M })
  expect(await chain.balances(bank)).toMatchObject({ usdt: bankUsdt - 100n * M })
  expect(movedSince(before, await accounts())).toEqual({ revenue: -100n * M, external: 100n * M })
  // Of both tests: an audit that finds a difference closes the gate, and it finds these publications.
  expect(await differences()).toEqual([])
})

const ACCOUNTS = [
  'external',
  'revenue',
  'fees',
  'exit_hold',
  'shortfall',
  'fund_custody',
  'suspense',
  'commission_pool',
  'available',
  'locked',
  'withdrawing',
  'savings',
  'savings_leaving',
  'fund_income',
]

/** Returns the accounts that moved, members' among them, and by how much. */
function movedSince(before: Account, now: Account): Record<string, bigint> {
  const moved = ACCOUNTS.map((name) => [name, now(name) - before(name)] as const)
  return Object.fromEntries(moved.filter(([, amount]) => amount !== 0n))
}

/** The postings to and from the custody of a product, added up by flow. */
async function custodyPostings(productId: string): Promise<string[]> {
  const custody = `fund_custody:${productId}`
  const postings = await rows(`
    select kind, replace(source, '${custody}', 'custody') as source, replace(destination, '${custody}', 'custody')
      as destination, sum(amount) as amount
    from ledger_postings where '${custody}' in (source, destination) group by 1, 2, 3 order by 1, 2, 3`)
  return postings.map((item) => `${item.kind} ${item.source}>${item.destination} ${item.amount}`)
}

const historyOf = (page: Page, name: RegExp) =>
  page.getByRole('list', { name: 'History' }).getByRole('listitem').filter({ hasText: name })

/** Fills in where investments are held, and a document that shows it. */
async function evidence(form: Locator, where: string): Promise<void> {
  await form.getByLabel(where).fill('Harbour Bank')
  const paper = { name: 'statement.txt', mimeType: 'text/plain', buffer: Buffer.from('Statement') }
  await form.locator('input[type=file]').setInputFiles(paper)
  await expect(form.getByText('statement.txt')).toBeVisible()
}
