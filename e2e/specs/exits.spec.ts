import { type Hex, parseTransaction } from 'viem'
import { approve, prepare } from '../support/admins.ts'
import { type Account, accounts, audit } from '../support/books.ts'
import { row } from '../support/database.ts'
import { announce, awaitTreasury, exitOf, listDestination, publish, send } from '../support/exits.ts'
import { findNothing, look, overflow } from '../support/inspect.ts'
import { api, expect, signInAsDemo, test } from '../support/product.ts'

// Exits wait for days on the chain, whose clock moves ahead here: nothing can be bought on chain afterwards.
test.describe.configure({ mode: 'default' })

const M = 1_000_000n
const PAPER = `0x${'ab'.repeat(32)}`
const PAYOUT = '100.00 USDT from revenue'
const CLEAN = /The books agree\.$/

test('a payout is refused while the published liabilities need the money, and leaves when they do not', async ({
  visitor,
  chain,
}) => {
  test.setTimeout(120_000)
  const [paul, otto, vera] = await Promise.all([
    signInAsDemo(visitor, 'Paul'),
    signInAsDemo(visitor, 'Otto'),
    signInAsDemo(visitor, 'Vera'),
  ])
  const people = { paul, otto, vera }
  const pages = [paul.page, otto.page, vera.page]
  const landlord = await listDestination(chain, people, 'Our landlord')
  const before = await accounts()
  const { bank } = chain.contracts
  const { usdt: held } = await chain.balances(bank)

  await paul.page.getByRole('button', { name: 'Prepare a payout' }).click()
  const sheet = paul.page.getByRole('dialog')
  await sheet.getByLabel('Amount').fill('100')
  await sheet.getByText(/^Our landlord 0x/).click()
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
  const { exit_id: id } = await row(`select exit_id from exits where destination = lower('${landlord}')`)
  const { raw_tx } = await api<{ raw_tx: Hex }>(paul.page, `admin/treasury/exits/${id}/tx/execute`)
  expect(await chain.sendFrom(vera.key, bank, parseTransaction(raw_tx).data!)).toBe('reverted')
  await chain.finalise()
  expect(await chain.balances(landlord)).toMatchObject({ usdt: 0n })
  expect(await row(`select state, released_at from exits where exit_id = ${id}`)).toMatchObject({
    ...{ state: 'Announced', released_at: null },
  })
  expect(movedSince(before, await accounts())).toEqual({ revenue: -100n * M, exit_hold: 100n * M })

  // The next day less is owed. Anybody may let it leave.
  await publish(chain, pages)
  await awaitTreasury(otto.page, (page) => exitOf(page, PAYOUT), 'All that is owed stays covered')
  await exitOf(otto.page, PAYOUT).getByRole('button', { name: 'Let it leave' }).click()
  await send(otto.page, chain)
  const history = (page: typeof otto.page) => page.getByRole('table', { name: 'History' })
  await awaitTreasury(otto.page, history, 'Our landlord')
  await expect(history(otto.page)).toContainText('Left')
  await look(otto.page, 'treasury-left', { fullPage: true })
  expect(await chain.balances(landlord)).toMatchObject({ usdt: 100n * M })
  expect(await chain.balances(bank)).toMatchObject({ usdt: held - 100n * M })
  expect(movedSince(before, await accounts())).toEqual({ revenue: -100n * M, external: 100n * M })
  expect(await audit()).toMatch(CLEAN)
})

const ACCOUNTS = [
  ...['external', 'revenue', 'fees', 'exit_hold', 'shortfall', 'fund_custody', 'suspense', 'commission_pool'],
  ...['available', 'locked', 'withdrawing', 'savings', 'savings_leaving', 'fund_income'],
]

/** Returns the accounts that moved, members' among them, and by how much. */
function movedSince(before: Account, now: Account): Record<string, bigint> {
  const moved = ACCOUNTS.map((name) => [name, now(name) - before(name)] as const)
  return Object.fromEntries(moved.filter(([, amount]) => amount !== 0n))
}
