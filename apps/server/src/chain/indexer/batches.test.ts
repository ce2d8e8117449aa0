import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { stringToHex, zeroAddress } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { signal } from '../../testing/signal.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createRecord, readRecord, recordingHandlers } from '../testing/recorder.ts'
import { type ApplyDeps, applyEvents } from './apply.ts'
import { createBatchSize } from './batch-size.ts'
import type { ChainEvent, EventHandlers } from './events.ts'
import { rewind } from './rewind.ts'
import { stuckEvent } from './set-aside.ts'
import { loadPosition, storeFinalised } from './store.ts'

const CHAIN_ID = 42161
const COUNT = 450
const hashOf = (block: number) => `0x${block.toString(16).padStart(64, '0')}` as const
const blockOf = (number: number) => ({
  number: BigInt(number),
  hash: hashOf(number),
  parentHash: hashOf(number - 1),
  blockAt: new Date(0),
})

let database: TestDatabase

/** Ten events in each block from 1 on, labelled by position. */
const eventAt = (place: number): ChainEvent<'RevenueDeposited'> => ({
  name: 'RevenueDeposited',
  contract: zeroAddress,
  blockAt: new Date(0),
  blockNumber: BigInt(1 + Math.floor(place / 10)),
  blockHash: hashOf(1 + Math.floor(place / 10)),
  txHash: hashOf(1000 + place),
  logIndex: place % 10,
  args: {
    depositId: BigInt(place),
    from: zeroAddress,
    token: zeroAddress,
    amount: 1n,
    label: stringToHex(`${place}`, { size: 32 }),
    documentHash: hashOf(1),
  } as ChainEvent<'RevenueDeposited'>['args'],
})
const labels = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `final ${from + index}`)

beforeEach(async () => {
  database = await createTestDatabase({ max: 8 })
  await createRecord(database.db)
  await sql`
    insert into chain_cursors (chain_id, contracts, finalised_number, finalised_hash, finalised_block_at,
      applied_number, applied_block_at, head_number, polled_at)
    values (${CHAIN_ID}, '0x', 0, ${hashOf(0)}, now(), 0, now(), 0, now())`.execute(database.db)
  const blocks = Array.from({ length: COUNT / 10 }, (_, index) => blockOf(index + 1))
  const events = Array.from({ length: COUNT }, (_, place) => eventAt(place))
  await storeFinalised(database.db, CHAIN_ID, await loadPosition(database.db, CHAIN_ID), { blocks, events })
})
afterEach(() => database.close())

const apply = (handlers: EventHandlers, more: Partial<ApplyDeps> = {}) =>
  applyEvents({
    db: database.db,
    chainId: CHAIN_ID,
    handlers,
    now: () => new Date(),
    signal: new AbortController().signal,
    ...more,
  })
const deliveries = () => readRecord(database.db)
/** The numbers of the database transactions that delivered events. */
const transactions = async () => {
  const { rows } = await sql<{ size: number }>`
    select count(*)::integer as size from told_record group by xmin order by min(id)`.execute(database.db)
  return rows.map(({ size }) => size)
}

describe('final events', () => {
  test('are applied in order, at most 200 per transaction', async () => {
    await apply(recordingHandlers())
    expect(await deliveries()).toEqual(labels(0, COUNT))
    const sizes = await transactions()
    expect(Math.max(...sizes)).toBeLessThanOrEqual(200)
    expect(sizes.length).toBeLessThan(30)
  })

  test('of a handler without a batch function are applied alone', async () => {
    await apply(recordingHandlers(undefined, { alone: true }))
    expect(await deliveries()).toEqual(labels(0, COUNT))
    expect(await transactions()).toHaveLength(COUNT)
  })

  test('before a failing one stay applied, and only that one is recorded, for two persons to set aside', async () => {
    const splits: number[] = []
    const handlers = recordingHandlers((_step, label) => {
      if (label === '333') throw new Error('poisoned')
    })
    const onSplit = (events: number) => splits.push(events)
    await expect(apply(handlers, { onSplit })).rejects.toThrow(/RevenueDeposited \(final\).*poisoned/)
    expect(await deliveries()).toEqual(labels(0, 333))
    expect(splits.length).toBeGreaterThan(0)
    const stuck = await stuckEvent(database.db, CHAIN_ID)
    expect(stuck).toMatchObject({ event: { logIndex: 3, blockNumber: 34n }, waiting: COUNT - 334 })
    // It is retried alone from now on.
    splits.length = 0
    await expect(apply(handlers, { onSplit })).rejects.toThrow(/poisoned/)
    expect(splits).toEqual([])
    await apply(recordingHandlers())
    expect(await deliveries()).toEqual(labels(0, COUNT))
  })

  test('that two processes apply concurrently are applied once', async () => {
    const slowly = recordingHandlers(() => sleep(Math.random()))
    await Promise.all([apply(slowly), apply(slowly), apply(slowly)])
    expect((await deliveries()).sort()).toEqual(labels(0, COUNT).sort())
  })

  test('are not applied if a reorganisation removes their blocks after they were read', async () => {
    const [began, replaced] = [signal(), signal()]
    const handlers = recordingHandlers(async () => {
      began.give()
      await replaced.promise
    })
    const applying = apply(handlers)
    await began.promise
    const position = await loadPosition(database.db, CHAIN_ID)
    const rewinding = rewind(database.db, CHAIN_ID, position, blockOf(20))
    await waitsForALock(1)
    replaced.give()
    await Promise.all([applying, rewinding])
    expect(await deliveries()).toEqual(labels(0, 200))
  })

  test('that are being applied when a reorganisation removes their blocks are undone', async () => {
    const [began, goOn] = [signal(), signal()]
    const handlers = recordingHandlers(async (step) => {
      began.give()
      if (step === 'final') await goOn.promise
    })
    const stopped = new AbortController()
    const applying = apply(handlers, { signal: stopped.signal })
    await began.promise
    // Another process leads, and this one ends after the current batch.
    stopped.abort()
    const position = await loadPosition(database.db, CHAIN_ID)
    const rewinding = rewind(database.db, CHAIN_ID, position, blockOf(1))
    await waitsForALock(1)
    goOn.give()
    await applying
    const applied = (await deliveries()).length
    expect(applied).toBeGreaterThan(10)
    expect(await rewinding).toBe(applied - 10)

    // The new branch is as long as the old one, without events.
    const replaced = Array.from({ length: COUNT / 10 - 1 }, (_, index) => ({
      ...blockOf(index + 2),
      hash: hashOf(5000 + index),
    }))
    await storeFinalised(database.db, CHAIN_ID, await loadPosition(database.db, CHAIN_ID), {
      blocks: replaced,
      events: [],
    })
    await apply(handlers)
    const undone = Array.from({ length: applied - 10 }, (_, index) => `undone ${applied - 1 - index}`)
    expect((await deliveries()).slice(applied)).toEqual(undone)
  })

  test('of a new branch are not applied before those of the old one are undone, not even by a former leader', async () => {
    await apply(recordingHandlers())
    // All blocks from 41 on have other hashes, and the last event is in another block.
    const branch = Array.from({ length: 5 }, (_, index) => ({
      ...blockOf(index + 41),
      hash: hashOf(5000 + index),
    }))
    const again = { ...eventAt(COUNT - 1), blockNumber: 43n, blockHash: branch[2]!.hash }
    const [locked, waits] = [signal(), signal()]
    const replacing = inTx(database.db, async (dbTx) => {
      await sql`lock table chain_events in access exclusive mode`.execute(dbTx)
      locked.give()
      await waits.promise
      await rewind(dbTx, CHAIN_ID, await loadPosition(dbTx, CHAIN_ID), blockOf(40))
      const position = await loadPosition(dbTx, CHAIN_ID)
      await storeFinalised(dbTx, CHAIN_ID, position, { blocks: branch, events: [again] })
    })
    await locked.promise
    const applying = apply(recordingHandlers())
    await waitsForALock(1)
    waits.give()
    await replacing
    await applying
    expect(await deliveries()).toEqual(labels(0, COUNT))
    await apply(recordingHandlers())
    expect((await deliveries()).slice(COUNT, COUNT + 2)).toEqual([
      `moved ${COUNT - 1}`,
      `undone ${COUNT - 2}`,
    ])
    expect(await deliveries()).toHaveLength(COUNT + 50)
  })
})

async function waitsForALock(connections: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db)
    if (rows[0]!.waiting >= connections) return
    await sleep(10)
  }
}

test('a batch grows while it is fast, shrinks to its time, and starts again after a failure', () => {
  const size = createBatchSize()
  for (let round = 0; round < 10; round++) size.took(size.events, 20)
  expect(size.events).toBe(200)
  size.took(200, 400)
  expect(size.events).toBe(50)
  size.failed()
  expect(size.events).toBe(1)
  size.took(1, 500)
  expect(size.events).toBe(1)
  size.took(1, 5)
  expect(size.events).toBe(2)
})
