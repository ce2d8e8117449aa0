import { amcTokenAbi, rifBankAbi } from '@rif/contracts/abi'
import {
  type Address,
  createTestClient,
  getAddress,
  type Hash,
  type Hex,
  http,
  publicActions,
  stringToHex,
  type TransactionReceipt,
  walletActions,
} from 'viem'
import { startTestChain } from '../../testing/test-chain.ts'
import { arbitrum } from '../arbitrum.ts'

const PLENTY = 10n ** 24n

export type TestBank = Awaited<ReturnType<typeof startTestBank>>

/**
 * Starts a separate chain with the contracts deployed, an account that may pay both tokens into the bank, and
 * functions to reorganise the chain. `stop` ends it.
 */
export async function startTestBank(options: { usdtDecimals?: 6 | 18 } = {}) {
  const testChain = await startTestChain(options)
  const { contracts, rpc } = testChain
  const [, account, member] = testChain.accounts.map((text) => getAddress(text)) as [
    Address,
    Address,
    Address,
  ]
  const node = createTestClient({
    mode: 'anvil',
    chain: arbitrum,
    transport: http(testChain.rpcUrl),
    cacheTime: 0,
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions)
  const mined = (hash: Hash): Promise<TransactionReceipt> =>
    node.waitForTransactionReceipt({ hash, checkReplacement: false })

  await testChain.fund(account, { usdt: PLENTY, amc: PLENTY })
  for (const address of [contracts.usdt, contracts.amc]) {
    const approve = { functionName: 'approve', args: [contracts.bank, PLENTY] } as const
    await mined(await node.writeContract({ account, address, abi: amcTokenAbi, ...approve }))
  }

  return {
    ...testChain,
    node,
    account,
    member,
    /** The block at which an indexer starts; a test that shares the chain raises it. */
    startBlock: 1n,
    /** Creates one uniquely named event: one whole USDT of revenue paid in under `label`. */
    async deposit(label: string): Promise<TransactionReceipt> {
      const args = [bytes32(label), contracts.usdt, 1_000_000n, bytes32('document')] as const
      const call = { address: contracts.bank, abi: rifBankAbi, functionName: 'depositRevenue', args } as const
      return mined(await node.writeContract({ account, ...call }))
    },
    /** Replaces the last `depth` blocks by as many empty ones. */
    reorg: (depth: number) => rpc('anvil_reorg', [depth, []]),
    /** Removes the last `depth` blocks. */
    rollback: (depth: number) => rpc('anvil_rollback', [depth]),
  }
}

function bytes32(text: string): Hex {
  return stringToHex(text, { size: 32 })
}
