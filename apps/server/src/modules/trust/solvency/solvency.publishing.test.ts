import { rifBankAbi } from '@rif/contracts/abi'
import { dayOf, nextDay, startOfDay } from '@rif/rules'
import { checkProof, dayNumberOf, holds, readProofFile } from '@rif/solvency'
import { sql } from 'kysely'
import { pino } from 'pino'
import { keccak256, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestProduct, TEST_SALT_KEY, type TestProduct } from '../../../testing/test-product.ts'
import { servicesThroughProxy } from '../../../testing/through-proxy.ts'
import { treasuryBank } from '../../fund/treasury/testing/treasury-bank.ts'
import { SOLVENCY_CHECKS } from './audit.ts'
import { sha256Into } from './snapshot/sha256.ts'
import * as repository from './solvency.repository.ts'
import { createSolvency } from './solvency.ts'

let product: TestProduct
let parts: ReturnType<typeof createSolvency>
/** The time by which the publisher's clock is ahead of the chain's. */
let aheadMs = 0
/** The log of the publisher. */
const lines: string[] = []
let member: { memberId: bigint; address: string }

beforeAll(async () => {
  product = await startTestProduct()
  const { services } = product
  const now = () => new Date(product.now().getTime() + aheadMs)
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  parts = createSolvency({ ...services, now, log, saltKey: TEST_SALT_KEY })
  member = await product.join(null)
  await services.settlement.begin(dayOf(product.now().getTime()))
  await settleDay()
})
afterAll(() => product.stop())

/** Advances to the next day, settles the last one and builds its report. Returns its day. */
async function settleDay(): Promise<string> {
  const day = dayOf(product.now().getTime())
  await product.advance(startOfDay(nextDay(day)) + 120_000 - product.now().getTime())
  await product.finalise()
  await product.services.settlement.settle(day)
  await parts.solvencySnapshots.catchUp()
  return day
}

const published = async (day: string) => {
  const rows = await repository.listDays(product.db, 10)
  return rows.find((row) => row.day === day)!.published
}
const rootOnChain = (day: string) =>
  product.chain.untrustedClient.readContract({
    address: product.chain.contracts.bank,
    abi: rifBankAbi,
    functionName: 'solvencyRoot',
    args: [dayNumberOf(day)],
  })
const findings = async () => {
  const results = await Promise.all(SOLVENCY_CHECKS.map(({ run }) => run(product.db)))
  return results.flat().map(({ subject }) => subject)
}

test('a report is published once, and a member can check the own proof against the chain', async () => {
  const row = (await repository.listDays(product.db, 1))[0]!
  expect(await parts.solvencyPublishing.step()).toBe(true)
  await product.finalise()
  expect(await rootOnChain(row.day)).toBe(`0x${row.root.toString('hex')}`)
  expect(await published(row.day)).toMatchObject({
    root: row.root,
    ledger_head: row.ledger_head,
    is_final: true,
  })
  expect(await parts.solvencyPublishing.step()).toBe(false)

  const proof = readProofFile(await parts.solvencyProofs.proof(member))
  const expected = {
    chainId: 42161,
    bank: product.chain.contracts.bank,
    address: member.address,
    dayNumber: dayNumberOf(row.day),
    publishedRoot: await rootOnChain(row.day),
    publishedTotals: null,
  }
  expect(holds(checkProof(proof, expected, sha256Into))).toBe(true)
  expect(await parts.solvency.lastPublishedSnapshotAt()).toBeInstanceOf(Date)
  const { sends } = await parts.solvencyPublishing.sends()
  expect(sends).toMatchObject([
    { day: row.day, status: 'success', gas_used: expect.stringMatching(/^\d{5,}$/) },
  ])
  expect(await findings()).toEqual([])
})

test('a transaction that waits too long is replaced by one with the same nonce and a higher fee', async () => {
  const day = await settleDay()
  await product.testChain.rpc('evm_setAutomine', [false])
  expect(await parts.solvencyPublishing.step()).toBe(true)
  expect(await parts.solvencyPublishing.step()).toBe(false)
  aheadMs += 3 * 60_000
  expect(await parts.solvencyPublishing.step()).toBe(true)
  const [second, first] = await repository.listSends(product.db, 2, day)
  expect(second!.nonce).toBe(first!.nonce)
  expect(BigInt(second!.max_fee_wei)).toBeGreaterThan(BigInt(first!.max_fee_wei))
  await product.testChain.rpc('evm_setAutomine', [true])
  await product.finalise()
  expect(await published(day)).toMatchObject({ tx_hash: second!.tx_hash })
})

test('a publication that a node loses is sent again with its nonce, and is mined', async () => {
  const day = await settleDay()
  await product.testChain.rpc('evm_setAutomine', [false])
  expect(await parts.solvencyPublishing.step()).toBe(true)
  const [lost] = await repository.listSends(product.db, 1, day)
  // The node accepts the transaction and then drops it from the mempool.
  await product.testChain.rpc('anvil_dropTransaction', [lost!.tx_hash])
  await product.testChain.rpc('evm_setAutomine', [true])
  await product.finalise()
  expect(await published(day)).toBeNull()
  expect(await parts.solvencyPublishing.step()).toBe(false)

  aheadMs += 3 * 60_000
  expect(await parts.solvencyPublishing.step()).toBe(true)
  const [again] = await repository.listSends(product.db, 1, day)
  expect(again).toMatchObject({ nonce: lost!.nonce })
  expect(again!.tx_hash).not.toBe(lost!.tx_hash)
  await product.finalise()
  expect(await published(day)).toMatchObject({ tx_hash: again!.tx_hash, is_final: true })
  expect(await parts.solvencyPublishing.step()).toBe(false)
})

test('a report whose publication a reorganisation drops is published again', async () => {
  const day = await settleDay()
  const before = await product.testChain.rpc('evm_snapshot', [])
  expect(await parts.solvencyPublishing.step()).toBe(true)
  await product.testChain.mine(1)
  await product.indexer.runOnce()
  expect(await published(day)).toMatchObject({ is_final: false })
  await product.testChain.rpc('evm_revert', [before])
  await product.testChain.mine(3)
  await product.indexer.runOnce()
  expect(await published(day)).toBeNull()
  aheadMs += 3 * 60_000
  expect(await parts.solvencyPublishing.step()).toBe(true)
  await product.finalise()
  expect(await published(day)).toMatchObject({ is_final: true })
})

test('days missed while the signing process was down are late, and are published in order', async () => {
  await product.signer.stop()
  const days = [await settleDay(), await settleDay()]
  await expect(parts.solvencyPublishing.step()).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
  expect((await parts.solvency.overview()).days.slice(0, 2).map(({ day, state }) => [day, state])).toEqual([
    [days[1], 'waiting'],
    [days[0], 'late'],
  ])
  await product.signer.restart()
  for (const day of days) {
    expect(await parts.solvencyPublishing.step()).toBe(true)
    await product.finalise()
    expect(await published(day)).toMatchObject({ is_final: true })
  }
  expect(await findings()).toEqual([])
})

test('a publication that reverts raises an alarm, and is sent again ten minutes later', async () => {
  const day = await settleDay()
  const bank = treasuryBank(product)
  const role = keccak256(toHex('PUBLISHER_ROLE'))
  const { publisher } = await product.services.signer.status()
  await bank.send('admin', 'revokeRole', [role, publisher])
  expect(await parts.solvencyPublishing.step()).toBe(true)
  await product.finalise()
  expect(await parts.solvencyPublishing.step()).toBe(false)
  const [send] = (await parts.solvencyPublishing.sends()).sends
  expect(send).toMatchObject({ day, status: 'reverted', gas_used: expect.stringMatching(/^\d{5,}$/) })
  await bank.send('admin', 'grantRole', [role, publisher])
  lines.length = 0
  aheadMs += 11 * 60_000
  expect(await parts.solvencyPublishing.step()).toBe(true)
  const alarms = product.db.selectFrom('alarm_messages').select(['event', 'subject', 'detail'])
  expect(await alarms.where('name', '=', 'publication_reverted').execute()).toEqual([
    { event: 'once', subject: send!.tx_hash, detail: `day ${day}` },
  ])
  await product.finalise()
  expect(await published(day)).toMatchObject({ is_final: true })
})

test('a transaction that no node accepted is sent again with its nonce, and two processes publish a day once', async () => {
  const day = await settleDay()
  const { services, proxy } = await servicesThroughProxy(product)
  proxy.setTamper((call, answer) =>
    call.method === 'eth_sendRawTransaction'
      ? { id: call.id, error: { code: -32000, message: 'away' } }
      : answer,
  )
  const now = () => new Date(product.now().getTime() + aheadMs)
  const away = createSolvency({ ...services, now, saltKey: null }).solvencyPublishing
  // The transaction reaches the node, and the response is lost.
  expect(await away.step()).toBe(true)
  await proxy.close()
  await product.finalise()
  expect(await published(day)).toMatchObject({ is_final: true })

  const next = await settleDay()
  const sent = await Promise.all([parts.solvencyPublishing.step(), parts.solvencyPublishing.step()])
  expect(sent).toContain(true)
  await product.finalise()
  expect(await published(next)).toMatchObject({ is_final: true })
  expect(await parts.solvencyPublishing.step()).toBe(false)
  expect(await findings()).toEqual([])
})

test('a database restored to a state before a publication is found', async () => {
  const last = (await repository.listDays(product.db, 1))[0]!
  const subjects = await product.db
    .transaction()
    .execute(async (dbTx) => {
      await sql`update solvency_publications set root = ${Buffer.alloc(32, 1)}, ledger_head = ${Buffer.alloc(32, 2)}
        where day = ${last.day}`.execute(dbTx)
      const differences = await Promise.all(SOLVENCY_CHECKS.map(({ run }) => run(dbTx)))
      throw Object.assign(new Error('undo'), { subjects: differences.flat().map(({ subject }) => subject) })
    })
    .catch((error: { subjects: string[] }) => error.subjects)
  expect(subjects).toEqual([`ledger head of ${last.day} on chain`, `root of ${last.day} on chain`])
})

test('a publisher whose ETH runs out is an alarm and a metric, before money stops', async () => {
  const { publisher } = await product.services.signer.status()
  const setBalance = (wei: bigint) =>
    product.testChain.rpc('anvil_setBalance', [publisher, `0x${wei.toString(16)}`])
  const alarms = () =>
    product.db.selectFrom('alarms').select('detail').where('name', '=', 'publisher_eth_low').execute()
  const balance = async () => (await product.services.solvencyPublishing.readings[0]!.read())[0]!.value
  await setBalance(10n ** 18n)
  await parts.solvencyPublishing.step()
  expect(await alarms()).toEqual([])
  expect(await balance()).toBe(1)
  await setBalance(0n)
  await parts.solvencyPublishing.step()
  expect(await alarms()).toMatchObject([
    { detail: expect.stringContaining(`publisher ${publisher}, holds 0 ETH`) },
  ])
  expect(await balance()).toBe(0)
  await setBalance(10n ** 18n)
  await parts.solvencyPublishing.step()
  expect(await alarms()).toEqual([])
})
