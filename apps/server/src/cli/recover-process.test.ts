import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { type Instance, takeDataDir } from '../local/instance.ts'
import { decide, newAdmin, prepare, type TestAdmin, tryPrepare } from '../testing/admin-actions.ts'
import { blockNumber, reorganiseAfter } from '../testing/bank-actions.ts'
import { runProductProcess } from '../testing/product-process.ts'
import {
  CONFIRMATIONS,
  startTestProduct,
  type TestMember,
  type TestProduct,
} from '../testing/test-product.ts'
import { call, type TestServer } from '../testing/test-server.ts'

// The commands start as separate processes.

let product: TestProduct
let app: FastifyInstance
let server: TestServer
let dataDir: string
let instance: Instance
let operator: TestAdmin
let approver: TestAdmin

beforeAll(async () => {
  product = await startTestProduct()
  const { services, database, testChain } = product
  const limits = { perIp: 1e9, perMember: 1e9, signInPerIp: 1e9 }
  app = await createApp(services, { rateLimits: limits, log: pino({ level: 'silent' }) })
  server = { app, services, database } as unknown as TestServer
  dataDir = await mkdtemp(join(tmpdir(), 'rif-recover-'))
  // The commands find the product of this process like one run by `npm start`.
  instance = await takeDataDir(dataDir)
  const { rpcUrl, contracts } = testChain
  await instance.publish({ databaseUrl: database.url, rpcUrl, contracts } as never)
  operator = await newAdmin(server, 'operator')
  approver = await newAdmin(server, 'approver')
})
afterAll(async () => {
  await instance.release()
  await app.close()
  await product.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Runs `rif <command>` until it ends. */
async function rif(command: 'recover' | 'audit'): Promise<{ code: number | null; output: string }> {
  const child = await runProductProcess(command, {
    DATA_DIR: dataDir,
    CONFIRMATIONS: `${CONFIRMATIONS}`,
  })
  return { code: await child.ended, output: child.output() }
}
const card = async () => (await call(server, 'admin/reorganisation', { as: operator })).data
const statusOf = async ({ memberId }: TestMember, orderId: string) =>
  (await product.services.shop.get(product.db, memberId, BigInt(orderId))).status

test('rif recover proposes, two admins sign over the API, and rif recover and rif audit end clean', {
  tags: ['full'],
}, async () => {
  const root = await product.join(null)
  await product.publishPrice('AMC', '0.5')
  const first = await product.order(root, 5)
  await product.pay(root, first.order_id)
  await product.finalise()
  const buyer = await product.join(root)
  const block = await blockNumber(product)
  const { order_id: orderId } = await product.order(buyer, 2)
  await product.pay(buyer, orderId)
  await product.finalise()
  expect(await rif('recover')).toEqual({ code: 0, output: 'Every booked event is on the chain.\n' })

  await reorganiseAfter(product, block)
  product.indexer.start()
  await expect.poll(card).toMatchObject({ state: 'halted', recovery: null })
  const result = await rif('recover')
  expect(result.code).toBe(3)
  const [, id] = /^Recovery (\d+): both branches have block \d+/.exec(result.output) ?? []
  expect(result.output).toContain('  undone: OrderPaid of 0x')
  expect(result.output).toMatch(
    /member \d+: [\d.]+ USDT commission_pool -> external \(order_payment:reversal\)/,
  )
  expect(await statusOf(buyer, orderId)).toBe('Paid')
  expect(await card()).toMatchObject({ state: 'halted', recovery: { recovery_id: id, events: 1 } })

  // An approver cannot propose, the proposer cannot approve, and nothing is undone before.
  const payload = { recovery_id: id! }
  expect(await tryPrepare(server, approver, 'recovery', payload)).toMatchObject({ status: 403 })
  const proposal = await prepare(server, operator, 'recovery', payload)
  expect((await decide(server, operator, proposal)).status).toBe(403)
  expect(await statusOf(buyer, orderId)).toBe('Paid')
  expect((await decide(server, approver, proposal)).status).toBe(200)

  // The indexer, which has been waiting, continues by itself.
  await expect.poll(() => statusOf(buyer, orderId)).toBe('UnPaid')
  await expect.poll(card).toMatchObject({ state: 'none' })
  expect(await statusOf(buyer, orderId)).toBe('UnPaid')
  expect(await card()).toMatchObject({ state: 'none', recovery: null, shortfall: { USDT: '0.000000' } })
  expect((await card()).undone[0]).toMatchObject({ name: 'OrderPaid', outcome: 'undone' })
  expect(await rif('recover')).toEqual({ code: 0, output: 'Every booked event is on the chain.\n' })
  expect(await rif('audit')).toEqual({ code: 0, output: 'The books agree.\n' })
})
