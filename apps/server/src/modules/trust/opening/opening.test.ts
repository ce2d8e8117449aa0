import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dayOf, defaultPlan, serialisePlan } from '@rif/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../../app.ts'
import { foundProduct } from '../../../cli/product.ts'
import { createLogger } from '../../../lib/logger.ts'
import { decide, prepare, type TestAdmin, tryPrepare } from '../../../testing/admin-actions.ts'
import { startTestProduct, type TestProduct } from '../../../testing/test-product.ts'
import {
  call,
  exchange,
  messageOf,
  newWallet,
  signIn,
  type TestServer,
} from '../../../testing/test-server.ts'

const HOUR_MS = 3_600_000
const MISSING = ['plan', 'prices', 'operator', 'approvers', 'destination', 'publication', 'alarm']
const BACKUP = 'Otto restored the backup of yesterday'

let product: TestProduct
let server: TestServer
const [root, vera, otto] = [newWallet(), newWallet(), newWallet()]
const hook = createServer((_request, response) => response.end())

beforeAll(async () => {
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`
  product = await startTestProduct({
    settings: { publicUrl: 'http://rif.test:8080', alarms: { webhook: { url, secret: 's'.repeat(32) } } },
    setUp: (services) =>
      foundProduct(services, {
        isReal: true,
        rootAddress: root.address,
        admins: [
          { address: vera.address, role: 'owner', person: 'Vera' },
          { address: otto.address, role: 'owner', person: 'Otto' },
        ],
      }),
  })
  const { services, database, testChain } = product
  const app = await createApp(services, {
    log: createLogger({ level: 'silent' }),
    rateLimits: { perIp: 1e9, perMember: 1e9, signInPerIp: 1e9 },
  })
  const member = await services.members.root(database.db)
  server = {
    app,
    services,
    database,
    chain: testChain,
    proxies: [],
    root: { wallet: root, memberId: member!.memberId, inviteCode: member!.inviteCode },
    close: () => app.close(),
  }
})
afterAll(async () => {
  await server.close()
  await product.stop()
  hook.close()
})

/** Signs an admin in without an invitation. */
async function admin(wallet: TestAdmin['wallet']): Promise<TestAdmin> {
  const { data: terms } = await call(server, `nonce?address=${wallet.address}`)
  const message = messageOf(terms, wallet.address, { issuedAt: product.now() })
  const data = await exchange(server, { message, signature: await wallet.signMessage({ message }) })
  return { wallet, token: data.token, address: wallet.address, memberId: 0n }
}

test('from an empty set-up to the first order: two owners open it when every first step is done', async () => {
  const [owner, other] = [await admin(vera), await admin(otto)]
  const steps = async () =>
    (await call(server, 'admin/today', { as: owner })).data.opening.steps as { name: string; done: boolean }[]
  const missing = async () => (await steps()).filter(({ done }) => !done).map(({ name }) => name)
  const agree = async (by: TestAdmin, of: TestAdmin, ...what: [Parameters<typeof prepare>[2], object]) => {
    const decided = await decide(server, by, await prepare(server, of, ...what))
    expect(decided.data, JSON.stringify(what)).toMatchObject({ state: 'Applied' })
  }
  const terms = async () => (await server.services.termsTexts.inForce()).version
  const open = async () => tryPrepare(server, owner, 'opening', { backup: BACKUP, terms: await terms() })

  // Nobody signs up, nothing is sold, nothing is settled, and no area is resumed by itself.
  expect(await missing()).toEqual(MISSING)
  expect((await call(server, 'config')).status).toBe(200)
  await expect(signIn(server, newWallet())).rejects.toThrow('PAUSED')
  const early = await signIn(server, root)
  expect((await call(server, 'order', { as: early, payload: { product_id: '1' } })).data.error).toBe('PAUSED')
  expect((await open()).data).toMatchObject({
    error: 'NOT_READY_TO_OPEN',
    details: { missing: MISSING.join(' ') },
  })
  expect((await tryPrepare(server, owner, 'resume', { area: 'orders' })).data.error).toBe('NOT_READY_TO_OPEN')

  const [operator, first, second] = [newWallet(), newWallet(), newWallet()]
  for (const [wallet, role, person] of [
    [operator, 'operator', 'Ida'],
    [first, 'approver', 'Paul'],
    [second, 'approver', 'Quinn'],
  ] as const)
    await agree(other, owner, 'role', { address: wallet.address, role, person: { new_name: person } })
  const [ida, paul] = [await admin(operator), await admin(first)]
  const tomorrow = dayOf(product.now().getTime() + 24 * HOUR_MS)
  // The demonstration's plan is a first draft, in force nowhere; every figure of the first plan is approved.
  const { data: drafted } = await call(server, 'admin/plan', { as: ida })
  expect(drafted).toMatchObject({ in_force: null, versions: [], figures: serialisePlan(defaultPlan) })
  const firstPlan = { effective_day: tomorrow, figures: drafted.figures }
  const proposed = await prepare(server, ida, 'plan', firstPlan)
  const { headline, difference } = JSON.parse(proposed.content)
  expect(headline).toEqual({ name: 'plan_first', values: { day: tomorrow, count: `${difference.length}` } })
  expect(difference).toContainEqual({
    item: null,
    field: 'packages[0].price',
    before: null,
    after: '100.000000',
  })
  expect((await decide(server, owner, proposed)).data).toMatchObject({ state: 'Applied' })
  expect((await call(server, 'admin/plan', { as: ida })).data).toMatchObject({
    in_force: null,
    versions: [{ effective_day: tomorrow }],
  })
  await agree(paul, ida, 'price', { asset: 'AMC', price: '0.5' })
  await agree(paul, ida, 'price', { asset: 'RIF', price: '2.5' })
  const destination = { address: newWallet().address, name: 'Reserve', purpose: 'payouts' }
  await agree(paul, ida, 'exit_destination', destination)
  // As `rif alarm test` does.
  await product.services.alarms.once('test', {}, { subject: 'now' })
  await product.services.alarmSender.sendDue()
  expect(await missing()).toEqual(['plan', 'publication'])

  await product.advance(40 * HOUR_MS)
  const { services } = product
  expect(await services.settlement.catchUp(0)).toEqual([])
  expect(await services.solvencySnapshots.catchUp()).toHaveLength(1)
  expect(await missing()).toEqual(['publication'])
  expect(await services.solvencyPublishing.step()).toBe(true)
  await product.finalise()
  await services.guard.checkSnapshot()
  expect(await missing()).toEqual([])
  expect(
    (await tryPrepare(server, owner, 'opening', { backup: BACKUP, terms: '2000-01-01' })).data,
  ).toMatchObject({ error: 'NOT_READY_TO_OPEN', details: { missing: 'terms' } })

  // One owner is not enough.
  const [vera2, otto2] = [await admin(vera), await admin(otto)]
  const proposal = await prepare(server, vera2, 'opening', { backup: BACKUP, terms: await terms() })
  expect((await decide(server, vera2, proposal)).data.error).toBe('OWN_PROPOSAL')
  const openedAt = product.now()
  expect((await decide(server, otto2, proposal)).data).toMatchObject({ state: 'Applied' })
  expect((await call(server, 'admin/today', { as: vera2 })).data.opening).toBeNull()

  // The first settled day and the 36 hours of the guard begin now.
  expect(await services.settlement.firstDay()).toBe(dayOf(openedAt.getTime()))
  expect((await services.guard.stopsAt())!.getTime()).toBeGreaterThanOrEqual(
    openedAt.getTime() + 36 * HOUR_MS,
  )
  const member = await signIn(server, newWallet())
  const order = await call(server, 'order', { as: member, payload: { product_id: '1' } })
  expect(order).toMatchObject({ status: 200, data: { status: 'UnPaid' } })

  // The days until the opening are reported too, and the audit agrees.
  await product.advance(48 * HOUR_MS)
  expect((await services.settlement.catchUp(0)).at(0)).toBe(dayOf(openedAt.getTime()))
  await services.solvencySnapshots.catchUp()
  expect(await product.audit()).toEqual([])
})
