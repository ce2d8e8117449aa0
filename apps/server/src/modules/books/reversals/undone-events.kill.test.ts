import { type ChildProcess, spawn } from 'node:child_process'
import { formatMicros } from '@rif/rules'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveRecovery } from '../../../chain/indexer/recovery.ts'
import { prepareRecovery } from '../../../cli/recover.ts'
import { inTx } from '../../../db/database.ts'
import { childProgram } from '../../../testing/child-program.ts'
import { waitsForLock } from '../../../testing/lock-waits.ts'
import {
  CONFIRMATIONS,
  startTestProduct,
  type TestMember,
  type TestProduct,
} from '../../../testing/test-product.ts'
import type { UndoChild } from './testing/undo-child.ts'

const CHILD = new URL('./testing/undo-child.ts', import.meta.url)

let product: TestProduct
let seller: TestMember
let friend: TestMember
const children: ChildProcess[] = []

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  const root = await product.join(null)
  seller = await product.join(root)
  friend = await product.join(root)
  await buy(root, 5)
  await buy(seller, 3)
})
afterAll(async () => {
  await Promise.all(children.map(kill9))
  await product.stop()
})

async function buy(member: TestMember, level: number): Promise<string> {
  const { order_id: orderId } = await product.order(member, level)
  await product.pay(member, orderId)
  await product.finalise()
  return orderId
}

function startChild(): ChildProcess {
  const settings: UndoChild = {
    databaseUrl: product.database.url,
    rpcUrl: product.testChain.rpcUrl,
    contracts: product.testChain.contracts,
    settings: product.settings,
    confirmations: CONFIRMATIONS,
    clockOffsetMs: product.clockOffsetMs(),
  }
  const child = spawn(process.execPath, [childProgram(CHILD), JSON.stringify(settings)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.push(child)
  return child
}

async function kill9(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}

/** Runs a child until it waits for a locked table, kills it there, and unlocks the table. */
async function killAt(table: string): Promise<void> {
  const client = new pg.Client({ connectionString: product.database.adminUrl })
  await client.connect()
  await client.query(`begin; lock table ${table} in exclusive mode`)
  const child = startChild()
  const isWaiting = () => waitsForLock(product.database, 'undo-child')
  await expect.poll(isWaiting).toBe(true)
  await kill9(child)
  await client.end()
}

test('a recovery that is killed repeatedly undoes everything once', { tags: ['full'] }, async () => {
  const [first, second] = [await product.join(seller), await product.join(seller)]
  const block = Number(await product.testChain.rpc<string>('eth_blockNumber'))
  const orders = [await buy(first, 2), await buy(second, 1)]
  const { available } = (await product.services.ledger.balances(product.db, seller.memberId)).USDT
  await product.transfer(seller, friend, 'USDT', formatMicros(available))
  const head = Number(await product.testChain.rpc<string>('eth_blockNumber'))
  await product.testChain.rpc('anvil_reorg', [head - block, []])
  await product.testChain.mine(CONFIRMATIONS)
  await expect(product.indexer.runOnce()).rejects.toThrow(/was final as/)
  const { recoveryId, plan } = (await prepareRecovery(product.db, product.services, CONFIRMATIONS))!
  const { chainId } = product.chain
  await inTx(product.db, (dbTx) =>
    approveRecovery(dbTx, chainId, { recoveryId, actor: 'anna', at: product.now() }),
  )
  // After some postings of an event, after all of them, and shortly before the end.
  for (const table of ['member_debts', 'leg_sums', 'chain_undone']) await killAt(table)
  startChild()
  const left = () =>
    product.db.selectFrom('chain_events').select('tx_hash').where('missing', '=', true).execute()
  await expect.poll(left).toEqual([])
  for (const [index, orderId] of orders.entries()) {
    const { memberId } = [first, second][index]!
    expect(await product.services.shop.get(product.db, memberId, BigInt(orderId))).toMatchObject({
      status: 'UnPaid',
    })
  }
  const debts = await product.services.reversals.debts(product.db)
  expect(debts.map(({ owedMicros }) => formatMicros(owedMicros))).toEqual(
    plan.debts.map(({ amount }) => amount),
  )
  const undone = await product.db.selectFrom('chain_undone').select('outcome').execute()
  expect(undone).toEqual([{ outcome: 'undone' }, { outcome: 'undone' }])
  const settled = () => product.indexer.runOnce().then(product.audit, () => null)
  await expect.poll(settled).toEqual([])
})
