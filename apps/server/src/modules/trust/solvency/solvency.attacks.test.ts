import { rifBankAbi } from '@rif/contracts/abi'
import { dayOf, nextDay, startOfDay } from '@rif/rules'
import { dayNumberOf, rootOf } from '@rif/solvency'
import pg from 'pg'
import { createWalletClient, type Hex, http, pad, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { arbitrum } from '../../../chain/arbitrum.ts'
import { inTx } from '../../../db/database.ts'
import { fundActions } from '../../../testing/fund-actions.ts'
import { tamperAs } from '../../../testing/tampering.ts'
import { backupOf, type TestDatabase } from '../../../testing/test-database.ts'
import {
  restartTestProduct,
  startTestProduct,
  TEST_SALT_KEY,
  type TestMember,
  type TestProduct,
} from '../../../testing/test-product.ts'
import { SOLVENCY_CHECKS } from './audit.ts'
import { collectMembers } from './snapshot/members.ts'
import { saltsOf } from './snapshot/salts.ts'
import { sha256Into } from './snapshot/sha256.ts'
import { storeReport } from './snapshot/store.ts'
import { buildTree } from './snapshot/tree.ts'
import { contextOf, reportOf } from './solvency.proofs.service.ts'
import type { SolvencyDayRow } from './solvency.repository.ts'
import * as repository from './solvency.repository.ts'

// The attacker has all rights in the database, but no access to the chain or the log of the signing process.
// Each test states the check of `rif audit` that finds the attack.

let product: TestProduct
let owner: pg.Client
let root: TestMember
let member: TestMember
/** The first published day. */
let firstDay: string
/** The product whose database is replaced by a backup. */
let lived: TestProduct | undefined

beforeAll(async () => {
  product = await startTestProduct()
  await connect()
  root = await product.join(null)
  member = await product.join(root)
  for (const holder of [root, member]) await product.grant(holder, 'USDT', '1000')
  const fund = fundActions(product)
  const productId = await fund.open('Bonds', '10', { subscriptionPpm: 0 })
  await fund.buy(member, productId, 30n)
  await fund.buy(root, productId, 2n)
  await fund.invest(productId, '120')
  await product.services.settlement.begin(dayOf(product.now().getTime()))
  firstDay = await settleDay()
  await publish()
})
afterAll(async () => {
  await owner.end()
  await lived?.database.close()
  await product.stop()
})

async function connect(): Promise<void> {
  owner = new pg.Client({ connectionString: product.database.adminUrl })
  owner.on('error', () => undefined)
  await owner.connect()
}

/** Advances to the next day, settles the last one and builds its report. Returns its day. */
async function settleDay(): Promise<string> {
  const day = dayOf(product.now().getTime())
  await product.advance(startOfDay(nextDay(day)) + 120_000 - product.now().getTime())
  await product.finalise()
  await product.services.settlement.settle(day)
  await product.services.solvencySnapshots.catchUp()
  return day
}
async function publish(): Promise<void> {
  expect(await product.services.solvencyPublishing.step()).toBe(true)
  await product.finalise()
}

const report = async (day: string) => (await repository.findSolvencyDay(product.db, day))!
const bank = () => product.chain.contracts.bank
const bytes32 = (text: string) => Buffer.from(text.slice(2), 'hex')

/** Returns the findings of the `rif audit` checks about reports, as "check: subject". */
async function findings(): Promise<string[]> {
  const texts = (await product.services.publishedReports.findings()).map(textOf)
  for (const { name, run } of SOLVENCY_CHECKS)
    texts.push(...(await run(product.db)).map(({ subject }) => textOf({ check: name, subject })))
  return texts.sort()
}
const textOf = ({ check, subject }: { check: string; subject: string }) => `${check}: ${subject}`

/** Runs statements as the owner of the database with all triggers disabled. */
async function tamper(...statements: string[]): Promise<void> {
  await tamperAs(owner, ...statements)
}

/** Runs `attack`, and restores the books. */
async function undone(tables: readonly string[], attack: () => Promise<void>): Promise<void> {
  for (const table of tables) await owner.query(`create table kept_${table} as table ${table}`)
  try {
    await attack()
  } finally {
    await tamper(...[...tables].reverse().map((table) => `delete from ${table}`))
    for (const table of tables) {
      await tamper(`insert into ${table} overriding system value select * from kept_${table}`)
      await owner.query(`drop table kept_${table}`)
    }
  }
  expect(await findings()).toEqual([])
}

const REPORTS = ['solvency_days', 'solvency_tops', 'solvency_groups', 'solvency_members', 'solvency_sends']
const CHAIN = ['ledger_chain_days', 'ledger_chain_members']

test('honest books pass, including a fund whose cash and investments are in the published report', async () => {
  const row = await report(firstDay)
  // 32 units at 10 were sold for 320, of which 120 are invested.
  expect(row).toMatchObject({ fund_cash: 200_000_000n, fund_invested: 120_000_000n })
  expect(row.members_fund).toBe(320_000_000n)
  const cover = await product.chain.untrustedClient.readContract({
    address: bank(),
    abi: rifBankAbi,
    functionName: 'coverOf',
    args: [product.chain.contracts.usdt],
  })
  expect(cover).toMatchObject({ fundCash: row.fund_cash, liabilities: row.members_usdt + row.other_usdt })
  expect((await product.audit()).filter(({ isNote }) => !isNote)).toEqual([])
  expect(await findings()).toEqual([])
})

test('a posting rewritten on a published day is found, however much of the history is rewritten with it', async () => {
  const seq = `member_id = ${member.memberId} and seq = 1`
  await undone(['ledger_entries', ...CHAIN, ...REPORTS, 'solvency_publications'], async () => {
    await tamper(`update ledger_entries set posted_at = '2020-01-01Z' where ${seq}`)
    const texts = await findings()
    expect(texts).toContain(`ledger chain: postings of member ${member.memberId}`)
    expect(texts).toContain(`ledger chain: postings up to the end of ${firstDay}`)

    // The hash chain is recomputed.
    await tamper(...CHAIN.map((table) => `delete from ${table}`), `select ledger_close_chain('${firstDay}')`)
    const afterChain = await findings()
    expect(afterChain.filter((item) => item.startsWith('ledger chain'))).toEqual([])
    expect(afterChain).toContain(`solvency report: ledger head in the report of ${firstDay}`)

    // The report is rebuilt, too.
    await tamper(...[...REPORTS].reverse().map((table) => `delete from ${table}`))
    await product.services.solvencySnapshots.catchUp()
    const afterReport = await findings()
    expect(afterReport.filter((item) => item.startsWith('solvency report'))).toEqual([])
    expect(afterReport).toContain(`solvency publication: root of ${firstDay} on chain`)

    // And the data that the indexer had read from the chain. Only the chain itself remains.
    const { root: forged, ledger_head: head } = await report(firstDay)
    await owner.query('update solvency_publications set root = $1, ledger_head = $2', [forged, head])
    expect(await findings()).toEqual([
      `solvency on chain: event of ${firstDay} in the bank ${bank()}`,
      `solvency on chain: root by the figures of ${firstDay} in the bank ${bank()}`,
      `solvency on chain: root of ${firstDay} in the bank ${bank()}`,
    ])
  })
})

test('other liabilities, heads or leaves in a published report are found by comparing the figures', async () => {
  await undone(['solvency_days', 'solvency_groups'], async () => {
    await tamper('update solvency_days set other_usdt = other_usdt + 1')
    expect(await findings()).toEqual([
      `solvency on chain: liabilities of ${firstDay} in the bank ${bank()}`,
      `solvency on chain: other USDT in the report of ${firstDay}`,
      `solvency on chain: root by the figures of ${firstDay} in the bank ${bank()}`,
    ])
    await tamper('update solvency_days set other_usdt = other_usdt - 1')
    await tamper('update solvency_groups set leaves = set_byte(leaves, 39, get_byte(leaves, 39) # 1)')
    expect(await findings()).toEqual([`solvency on chain: tree of the leaves of ${firstDay}`])
  })
})

/** Builds the report of a day without a member, as an attacker would, and replaces the report by it. */
async function forgeWithout(left: bigint, day: string): Promise<SolvencyDayRow> {
  const honest = await report(day)
  const { rows } = await owner.query<{ id: bigint; address: string; entries: Buffer }>(
    `select member_id as id, address from members where member_id <> ${left} order by member_id`,
  )
  const { members, addMember, addHeld } = collectMembers(rows.length)
  const reader = (...values: (bigint | Buffer)[]) => {
    const next = () => values.shift()
    return { int: () => Number(next()), micros: next, bytes: next } as never
  }
  for (const { id, address } of rows) addMember(reader(BigInt(id), bytes32(address)))
  for (const { id } of rows) addHeld(reader(BigInt(id), 1_000_000n, 0n))
  const tree = await buildTree(contextOf(honest), members, saltsOf(TEST_SALT_KEY, day))
  const forged = { ...reportOf(honest), tree: tree.tree, leaves: tree.leaves, members: tree.sums }
  await tamper(...[...REPORTS].reverse().map((table) => `delete from ${table} where day = '${day}'`))
  const holdings = { usdt: honest.held_usdt, amc: honest.held_amc }
  const about = { day, context: contextOf(honest), saltKeyId: honest.salt_key_id, builtAt: product.now() }
  await inTx(product.db, (dbTx) => storeReport(dbTx, { ...about, report: forged, holdings }, members, tree))
  return report(day)
}

test('an omitted member who checks gets no proof, and the audit finds the sum, before and after the publication', async () => {
  const day = await settleDay()
  await undone(REPORTS, async () => {
    const forged = await forgeWithout(member.memberId, day)
    expect(forged.leaves).toBe(1)
    const proof = (of: TestMember) => product.services.solvencyProofs.proof(of, day)
    expect(await proof(root)).toMatchObject({ day })
    await expect(proof(member)).rejects.toMatchObject({ code: 'NOT_IN_REPORT' })
    expect(await findings()).toEqual([`solvency on chain: USDT of members in the report of ${day}`])
  })
  // The books themselves cannot give a report without a member: its leaf is missing from the sum.
  await undone(['members', ...REPORTS], async () => {
    await tamper(
      `update members set joined_at = now() + interval '900 days' where member_id = ${member.memberId}`,
      ...[...REPORTS].reverse().map((table) => `delete from ${table} where day = '${day}'`),
    )
    await expect(product.services.solvencySnapshots.catchUp()).rejects.toThrow('which no leaf can hold')
  })
  await publish()
})

test("a database restored from the previous day's backup is found by comparison with the chain, and cannot publish the day again", async () => {
  const backup: TestDatabase = await backupOf(product.database)
  await product.grant(member, 'USDT', '1')
  const day = await settleDay()
  await publish()
  const published = await report(day)
  lived = product
  await owner.end()
  product = await restartTestProduct(lived, lived.testChain.contracts, backup)
  await connect()
  // Before the indexer has read a block again.
  expect(await findings()).toEqual([`solvency on chain: root of ${day} in the bank ${bank()}`])

  // The day is settled again, without the member's posting from after the backup.
  await product.indexer.runOnce()
  expect(await findings()).toContain(`solvency publication: root of ${day} on chain`)
  await product.services.settlement.catchUp(0)
  await product.services.solvencySnapshots.catchUp()
  const again = await report(day)
  expect(again.root).not.toEqual(published.root)
  expect(`0x${again.root.toString('hex')}`).toBe(rootOf(contextOf(again), reportOf(again), sha256Into))
  expect(await product.services.solvencyPublishing.step()).toBe(false)
  const terms = { day, nonce: 99n, gas: 1_000_000n, maxFee: 10n ** 9n, priorityFee: 1n }
  await expect(product.services.signer.publication(terms)).rejects.toMatchObject({ code: 'INTERNAL' })
  expect(await findings()).toContain(`solvency on chain: root of ${day} in the bank ${bank()}`)
})

test('an on-chain root by another publisher is found, and nothing is published over it', async () => {
  const day = await settleDay()
  // A thief of the publisher's key publishes first.
  const { keys, contracts } = product.testChain
  const account = privateKeyToAccount(keys.publisher as Hex)
  const wallet = createWalletClient({ account, chain: arbitrum, transport: http(product.testChain.rpcUrl) })
  const word = pad(toHex(7), { size: 32 })
  const totals = [contracts.usdt, contracts.amc].map((token) => ({ token, liabilities: 1n, fundCash: 0n }))
  const hash = await wallet.writeContract({
    address: contracts.bank,
    abi: rifBankAbi,
    functionName: 'publishSolvency',
    args: [dayNumberOf(day), word, { ledger: word, operators: word }, totals],
  })
  expect((await product.receiptOf(hash)).status).toBe('success')
  await product.finalise()
  expect(await product.services.solvencyPublishing.step()).toBe(false)
  const texts = await findings()
  expect(texts).toContain(`solvency publication: root of ${day} on chain`)
  expect(texts).toContain(`solvency on chain: root of ${day} in the bank ${bank()}`)
  expect(texts).toContain(`solvency on chain: liabilities of ${day} in the bank ${bank()}`)
  const [shown] = (await product.services.solvency.overview()).days
  expect(shown).toMatchObject({ day, state: 'differs', other_root: word })
})
