import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../testing/test-chain.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { type Chain, connectChain } from '../client.ts'
import { checkFollowedChain } from './followed-chain.ts'
import { openCursor } from './store.ts'

const CHAIN_ID = 42161
const AT = new Date('2026-01-05T00:00:00Z')

let database: TestDatabase
let nodes: TestChain[]
let chain: Chain
let newChain: Chain

beforeAll(async () => {
  nodes = await Promise.all([startTestChain(), startTestChain()])
  const connect = ({ rpcUrl, contracts }: TestChain) =>
    connectChain({ rpcUrls: [rpcUrl], chainId: CHAIN_ID, contracts })
  ;[chain, newChain] = (await Promise.all(nodes.map(connect))) as [Chain, Chain]
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.close()
  await Promise.all(nodes.map((node) => node.stop()))
})

const check = (of: Chain, isOwnChain: boolean, startBlock = 0n) =>
  checkFollowedChain(database.db, of, { isOwnChain, startBlock })
const refusal = async (of: Chain, isOwnChain: boolean) =>
  (await check(of, isOwnChain).catch((e) => e)).message
const MIXED = /^the database and the chain in DATA_DIR do not belong together: .*$/

test('a START_BLOCK that the chain does not have is refused before the indexing begins', async () => {
  const newest = await chain.client.getBlockNumber()
  await check(chain, false, newest)
  await expect(check(chain, false, newest + 1n)).rejects.toThrow(
    `START_BLOCK is ${newest + 1n}, and the newest block of the chain is ${newest}`,
  )
})

test('a database belongs to its first chain', async () => {
  await check(chain, true)
  const { number, hash, parentHash } = await chain.client.getBlock({ blockTag: 'latest' })
  const tip = { number, hash, parentHash, blockAt: AT }
  await openCursor(database.db, CHAIN_ID, chain.contracts, tip, AT)
  await check(chain, true)
  await check(chain, false)
  // Later only the stored position counts.
  await check(chain, false, number + 1n)
})

test('another local chain is refused in one line, although its contracts have the same addresses', async () => {
  expect(newChain.contracts).toEqual(chain.contracts)
  expect(await refusal(newChain, true)).toMatch(MIXED)
  await check(newChain, false)
})

test('a chain that is older than the database is refused', async () => {
  const { db } = database
  await db.updateTable('chain_cursors').set({ finalised_number: 1_000_000n }).execute()
  expect(await refusal(chain, true)).toMatch(MIXED)
})

test('other contracts are refused in one line', async () => {
  const contracts = { ...chain.contracts, bank: chain.contracts.transfer }
  expect(await refusal({ ...chain, contracts }, false)).toMatch(
    /^the database belongs to the bank and transfer contracts 0x\w{40} 0x\w{40}, not to those of the settings$/,
  )
})
