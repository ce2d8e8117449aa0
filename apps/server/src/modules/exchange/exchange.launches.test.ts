import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { allotLaunch, parseMicros } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { childProgram } from '../../testing/child-program.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createTestCentre, type TestCentre } from './testing/exchange-actions.ts'

const CHILD = new URL('./testing/exchange-kill-child.ts', import.meta.url)
const HOUR_MS = 3_600_000
const KILLS = 2
const CROWD = 60
const OFFER = { allocation: '100', price: '3' }

let database: TestDatabase
let centre: TestCentre

beforeAll(async () => {
  database = await createTestDatabase({ max: 20, role: 'rif_app' })
  centre = createTestCentre(database)
  await centre.services.plans.ensureDefault(database.db)
})
afterAll(async () => {
  expect(await centre.audit()).toEqual([])
  await database.close()
})

async function holder(vc: string): Promise<bigint> {
  const member = await centre.join()
  await centre.give(member, 'VC', vc)
  return member
}
const open = (offer = OFFER) => centre.launch({ ...offer, startMs: 0, endMs: HOUR_MS })
const vcOf = async (member: bigint) => (await centre.balances(member)).VC
const ownOf = async (member: bigint, launchId: bigint) => {
  const { items } = await centre.services.launches.list(database.db, member, { limit: 50 })
  return items.find((item) => item.launch_id === `${launchId}`)!
}

test('nobody takes a part of a launch for free: a subscription locks the VC that it counts with', async () => {
  const [launchId, penniless, funded] = [await open(), await holder('0.000001'), await holder('30')]
  const before = await ownOf(funded, launchId)
  await expect(centre.subscribe(penniless, launchId, '1')).rejects.toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
  })
  expect(await ownOf(funded, launchId)).toEqual(before)
  await centre.subscribe(funded, launchId, '30')
  expect(await vcOf(funded)).toMatchObject({ available: 0n, locked: 30_000_000n })
})

describe('an admin', () => {
  const draft = () => ({
    name: 'Harbour',
    introduction: '',
    allocationMicros: 1_000_000n,
    priceMicros: 1_000_000n,
    startsAt: centre.now(),
    endsAt: new Date(centre.now().getTime() + HOUR_MS),
    actor: 'anna',
  })
  const prepare = (change: object = {}) =>
    inTx(database.db, (dbTx) => centre.services.launchReview.prepare(dbTx, { ...draft(), ...change }))
  const review = (launchId: bigint, actor: string, approve = true) =>
    inTx(database.db, (dbTx) => centre.services.launchReview.review(dbTx, { launchId, actor, approve }))

  test('prepares a launch, another one approves it, and only then members see it', async () => {
    const member = await holder('5')
    const { launchId } = await prepare()
    expect(await ownOf(member, launchId)).toBeUndefined()
    await expect(centre.subscribe(member, launchId, '1')).rejects.toMatchObject({ code: 'LAUNCH_NOT_FOUND' })
    await expect(review(launchId, 'anna')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await review(launchId, 'ben')
    await expect(review(launchId, 'ben')).rejects.toMatchObject({ code: 'NOTHING_TO_REVIEW' })
    expect(await ownOf(member, launchId)).toMatchObject({ phase: 'Open', own: null })
    const rejected = await prepare()
    await review(rejected.launchId, 'anna', false)
    await expect(centre.subscribe(member, rejected.launchId, '1')).rejects.toMatchObject({
      code: 'LAUNCH_NOT_FOUND',
    })
  })

  test('gets an error for an invalid launch', async () => {
    const start = centre.now()
    for (const change of [
      { allocationMicros: 0n },
      { priceMicros: 0n },
      { allocationMicros: 1n, priceMicros: 1n },
      { allocationMicros: 2n ** 62n, priceMicros: 2n ** 62n },
    ]) {
      await expect(prepare(change)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
    }
    await expect(prepare({ endsAt: start })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    const { launchId } = await prepare()
    centre.advance(HOUR_MS)
    await expect(review(launchId, 'ben')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await review(launchId, 'ben', false)
  })
})

describe('a member', () => {
  test('subscribes while the launch is open, up to the balance, any number of times', async () => {
    const member = await holder('10')
    const launchId = await centre.launch({ ...OFFER, startMs: 1_000, endMs: HOUR_MS })
    await expect(centre.subscribe(member, launchId, '1')).rejects.toMatchObject({ code: 'LAUNCH_NOT_OPEN' })
    centre.advance(1_000)
    await expect(centre.subscribe(member, launchId, '0')).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
    await expect(centre.subscribe(member, 999n, '1')).rejects.toMatchObject({ code: 'LAUNCH_NOT_FOUND' })
    const many = await Promise.allSettled(
      Array.from({ length: 6 }, () => centre.subscribe(member, launchId, '3')),
    )
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await vcOf(member)).toMatchObject({ available: 1_000_000n, locked: 9_000_000n })
    expect(await ownOf(member, launchId)).toMatchObject({
      subscribed: '9.000000',
      capacity: '300.000000',
      own: { vc: '9.000000', units: null },
    })
    centre.advance(HOUR_MS)
    await expect(centre.subscribe(member, launchId, '1')).rejects.toMatchObject({ code: 'LAUNCH_NOT_OPEN' })
    expect((await ownOf(member, launchId)).phase).toBe('Closed')
    await centre.services.allocation.run()
    expect(await vcOf(member)).toMatchObject({ available: 1_000_000n, locked: 0n })
    expect(await ownOf(member, launchId)).toMatchObject({
      phase: 'Allocated',
      own: { units: '3.000000', spent: '9.000000', returned: '0.000000' },
    })
  })

  test('cannot subscribe once the sum is stored, whatever the own clock shows', async () => {
    const member = await holder('5')
    const launchId = await open()
    await centre.subscribe(member, launchId, '1')
    centre.advance(HOUR_MS)
    await centre.services.allocation.run()
    centre.advance(-HOUR_MS)
    await expect(centre.subscribe(member, launchId, '1')).rejects.toMatchObject({ code: 'LAUNCH_NOT_OPEN' })
    centre.advance(HOUR_MS)
  })

  test('a launch without subscriptions is allocated too', async () => {
    const launchId = await open()
    centre.advance(HOUR_MS)
    await centre.services.allocation.run()
    expect((await ownOf(await holder('1'), launchId)).phase).toBe('Allocated')
  })
})

describe('an oversubscribed launch', () => {
  const amountOf = (index: number) => `${7 + index * 3}.${100_003 + index}`
  let launchId: bigint
  let crowd: bigint[]

  beforeAll(async () => {
    crowd = []
    for (let index = 0; index < CROWD; index++) crowd.push(await holder(amountOf(index)))
    launchId = await open()
    await Promise.all(crowd.map((member, index) => centre.subscribe(member, launchId, amountOf(index))))
    centre.advance(HOUR_MS)
  })

  /** Runs a process that allocates one member at a time, and kills it after some of them. */
  async function runChild(killAfter?: number): Promise<boolean> {
    const args = [childProgram(CHILD), database.url, centre.now().toISOString()]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const closed = once(child, 'close')
    let posted = 0
    let done = false
    for await (const line of createInterface(child.stdout)) {
      if (line === 'done') done = true
      else if (++posted === killAfter) child.kill('SIGKILL')
    }
    await closed
    return done
  }

  test('killed at any point and run by many processes, gives everybody the allotment of the rules once', async () => {
    for (let kill = 1; kill <= KILLS; kill++) expect(await runChild(kill * 4)).toBe(false)
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from vc_subscriptions
      where launch_id = ${launchId} and allotted_at is null`.execute(database.db)
    expect(rows[0]!.count).toBeGreaterThan(0)
    await Promise.all(Array.from({ length: 4 }, () => centre.services.allocation.run()))

    const offer = { allocationMicros: parseMicros('100'), priceMicros: parseMicros('3') }
    const amounts = crowd.map((_, index) => parseMicros(amountOf(index)))
    const all = amounts.reduce((sum, amount) => sum + amount, 0n)
    expect(all > 300_000_000n).toBe(true)
    let units = 0n
    for (const [index, member] of crowd.entries()) {
      const due = allotLaunch(offer, amounts[index]!, all)
      const { own } = await ownOf(member, launchId)
      expect([own!.units, own!.spent, own!.returned].map((text) => parseMicros(text!))).toEqual([
        due.unitsMicros,
        due.spentMicros,
        due.returnedMicros,
      ])
      expect(await vcOf(member)).toMatchObject({ available: due.returnedMicros, locked: 0n })
      units += due.unitsMicros
    }
    expect(units <= offer.allocationMicros).toBe(true)
    expect(await centre.audit()).toEqual([])
  })
})
