import { type Address, getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import { deployBank } from '../../local/deploy.ts'
import { startTestChain, type TestChain } from '../../testing/test-chain.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { type Chain, connectChain } from '../client.ts'
import { startRpcProxy } from '../testing/rpc-proxy.ts'
import { checkFollowedChain } from './followed-chain.ts'
import { openCursor } from './store.ts'

const CHAIN_ID = 42161
const AT = new Date('2026-01-05T00:00:00Z')

let database: TestDatabase
let nodes: TestChain[]
let chain: Chain
let newChain: Chain
const lines: string[] = []
const log = createLogger({ level: 'warn', stream: { write: (line) => void lines.push(line) } })

const connect = ({ rpcUrl, contracts }: Pick<TestChain, 'rpcUrl' | 'contracts'>) =>
  connectChain({ rpcUrls: [rpcUrl], chainId: CHAIN_ID, contracts })

beforeAll(async () => {
  nodes = await Promise.all([startTestChain(), startTestChain()])
  ;[chain, newChain] = (await Promise.all(nodes.map(connect))) as [Chain, Chain]
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.close()
  await Promise.all(nodes.map((node) => node.stop()))
})

const check = (
  of: Chain,
  isOwnChain: boolean,
  blocks: { startBlock?: bigint; bankStartBlock?: bigint } = {},
) => checkFollowedChain(database.db, of, { isOwnChain, startBlock: 0n, bankStartBlock: 0n, ...blocks, log })
const refusal = async (of: Chain, isOwnChain: boolean) =>
  (await check(of, isOwnChain).catch((e) => e)).message
const MIXED = /^the database and the chain in DATA_DIR do not belong together: .*$/

/** Returns the block in which a contract was deployed. */
async function deploymentOf(address: Address): Promise<bigint> {
  for (let blockNumber = 0n; ; blockNumber++)
    if (await chain.untrustedClient.getCode({ address, blockNumber })) return blockNumber
}

test('a CONTRACTS.start_block that the chain does not have is refused before the indexing begins', async () => {
  const newest = await chain.untrustedClient.getBlockNumber()
  await expect(check(chain, false, { startBlock: newest + 1n })).rejects.toThrow(
    `CONTRACTS.start_block is ${newest + 1n}, and the newest block of the chain is ${newest}`,
  )
})

test('a CONTRACTS.start_block after the deployment of a contract is refused before the indexing begins', async () => {
  const { bank, transfer } = chain.contracts
  const deployed = await deploymentOf(bank)
  await check(chain, false, { startBlock: deployed })
  // Also if the earlier contract is the one of transfers.
  const exchanged = { ...chain, contracts: { ...chain.contracts, bank: transfer, transfer: bank } }
  for (const of of [chain, exchanged])
    await expect(check(of, false, { startBlock: deployed + 1n })).rejects.toThrow(
      `CONTRACTS.start_block is ${deployed + 1n}, and the contract at ${bank} was deployed earlier: its events before that block would be missed`,
    )
  expect(lines).toEqual([])
})

test('a node without the old state does not refuse a CONTRACTS.start_block, and the log says so', async () => {
  const [node] = nodes as [TestChain]
  const proxy = await startRpcProxy(node.rpcUrl)
  try {
    const pruned = await connect({ rpcUrl: proxy.url, contracts: node.contracts })
    proxy.setTamper(({ method, params }, answer) =>
      method === 'eth_getCode' && params[1] !== 'latest'
        ? { id: answer.id, error: { code: -32000, message: 'missing trie node' } }
        : answer,
    )
    await check(pruned, false, { startBlock: await chain.untrustedClient.getBlockNumber() })
    expect(lines.splice(0).map((line) => JSON.parse(line).msg)).toEqual([
      'CONTRACTS.start_block is not checked: no chain node has the state before it',
    ])
  } finally {
    await proxy.close()
  }
})

test('a database belongs to its first chain', async () => {
  await check(chain, true)
  const { number, hash, parentHash } = await chain.untrustedClient.getBlock({ blockTag: 'latest' })
  const tip = { number, hash, parentHash, blockAt: AT }
  await openCursor(database.db, CHAIN_ID, chain.contracts, tip, AT)
  await check(chain, true)
  await check(chain, false)
  // Later only the stored position counts.
  await check(chain, false, { startBlock: number + 1n })
})

test('a CONTRACTS.bank_start_block after the deployment of a new bank is refused, and above the newest block', async () => {
  const { contracts, keys } = nodes[0]!
  const bank = getAddress(await deployBank(nodes[0]!, keys, { ...contracts, predecessor: contracts.bank }))
  const following = await connect({
    rpcUrl: nodes[0]!.rpcUrl,
    contracts: { ...contracts, bank, formerBanks: [contracts.bank] },
  })
  const deployed = await deploymentOf(bank)
  await check(following, false, { bankStartBlock: deployed })
  await nodes[0]!.mine(1)
  await expect(check(following, false, { bankStartBlock: deployed + 1n })).rejects.toThrow(
    `CONTRACTS.bank_start_block is ${deployed + 1n}, and the contract at ${bank} was deployed earlier`,
  )
  await expect(check(following, false, { bankStartBlock: deployed + 2n })).rejects.toThrow(
    `CONTRACTS.bank_start_block is ${deployed + 2n}, and the newest block of the chain is ${deployed + 1n}`,
  )
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
