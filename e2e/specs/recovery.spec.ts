import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { approve, prepare } from '../support/admins.ts'
import type { Chain } from '../support/chain.ts'
import { row, rows } from '../support/database.ts'
import { fundAdmins } from '../support/fund-admins.ts'
import { reloadUntil } from '../support/inspect.ts'
import { lookAtAll } from '../support/inspect-all.ts'
import { api, buy, expect, signInAsDemo, test } from '../support/product.ts'
import { runningProduct } from '../support/running.ts'
import { inAnotherTab } from '../support/screens.ts'

const RIF = fileURLToPath(new URL('../../apps/server/src/cli/rif.ts', import.meta.url))

/** Runs a command of `rif` beside the product, as an operator does. Returns what it prints. */
const rif = (command: 'recover' | 'audit') =>
  promisify(execFile)(process.execPath, [RIF, command], {
    env: { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR, CONFIRMATIONS: '2' },
  }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )

const blockNumber = async (chain: Chain) => Number(await chain.rpc('eth_blockNumber'))
const card = (page: Page) => page.locator('section').filter({ hasText: 'Reorganisations' })
const cardWith = (page: Page, hasText: string) => card(page).filter({ hasText })

/** A buyer below Finn pays, and Finn sends the commission away. Returns the payment, and the block before it. */
async function payAndSpend(
  finn: Page,
  { buyer, chain, to }: { buyer: Page; chain: Chain; to: string },
): Promise<{ before: number; txHash: string }> {
  const before = await blockNumber(chain)
  await buy(buyer, 'Launch 100')
  await chain.finalise()
  const [{ tx_hash: txHash, block_number: block }] = (await rows(
    `select tx_hash, block_number from chain_events where name = 'OrderPaid' order by block_number desc limit 1`,
  )) as [Record<string, string>]
  const final = () => row('select l1_final_number as block from chain_cursors')
  await expect.poll(async () => BigInt((await final()).block!) >= BigInt(block!)).toBe(true)
  const me = await api<{ receive_address: string; balances: { USDT: { available: string } } }>(finn, 'me')
  const { receive_address: from, balances } = me
  const amount = balances.USDT.available
  await fundAdmins(runningProduct(), [{ do: 'transfer', from, to, asset: 'USDT', amount }])
  return { before, txHash: txHash! }
}

test('below L1 finality the card asks for rif recover, two admins decide, and it shows what was undone and who owes', async ({
  visitor,
  member,
  chain,
}) => {
  const finn = await signInAsDemo(visitor, 'Finn')
  const { invite_code: code } = await api<{ invite_code: string }>(finn.page, 'me/invite')
  const buyer = await member({ usdt: '70', amc: '60', code })
  const { address: to } = await signInAsDemo(visitor, 'Ruth')
  const { before, txHash } = await payAndSpend(finn.page, { buyer: buyer.page, chain, to })
  await chain.rpc('anvil_reorg', [(await blockNumber(chain)) - before, []])
  await chain.finalise()

  const operator = await signInAsDemo(visitor, 'Paul')
  await operator.page.goto('/pages/admin/emergency')
  // The indexer pauses up to half a minute between its attempts while it is halted.
  await reloadUntil(operator.page, () => cardWith(operator.page, 'Halted: run rif recover').isVisible())
  await expect(card(operator.page).getByRole('button', { name: 'Propose it' })).toBeHidden()

  expect(await rif('recover')).toContain(`undone: OrderPaid of ${txHash}`)
  await operator.page.reload()
  // A solvency report may have been published in these blocks too.
  await expect(card(operator.page)).toContainText(/A recovery was found: (1 event|2 events)/)
  const ofOperator = await inAnotherTab(operator.page)
  await lookAtAll(operator.page, 'reorganisation-found', ofOperator)
  await card(operator.page).getByRole('button', { name: 'Propose it' }).click()
  await prepare(operator.page, 'the chain replaced these blocks')
  const vera = await signInAsDemo(visitor, 'Vera')
  await approve(vera.page, 'the chain replaced these blocks')

  await reloadUntil(operator.page, () => cardWith(operator.page, 'Nothing waits').isVisible())
  await expect(card(operator.page)).toContainText('OrderPaid')
  await expect(card(operator.page)).toContainText(txHash.slice(0, 8))
  await expect(card(operator.page)).toContainText('Owed back by members')
  await lookAtAll(operator.page, 'reorganisation-undone', ofOperator)
  expect(await rif('recover')).toBe('Every booked event is on the chain.\n')
  expect(await rif('audit')).toBe('The books agree.\n')

  await finn.page.goto('/')
  await expect(finn.page.getByRole('region', { name: 'To be repaid' })).toBeVisible()
  await lookAtAll(finn.page, 'member-owes', await inAnotherTab(finn.page))
})
