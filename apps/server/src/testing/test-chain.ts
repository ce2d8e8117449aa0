import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from 'viem'
import type { ContractAddresses } from '../chain/client.ts'
import { type Anvil, BLOCKS_TO_FINALITY, startAnvil } from '../local/anvil.ts'
import { deployContracts, generateOperatorKeys, giveTestTokens } from '../local/deploy.ts'
import type { OperatorKeys } from '../local/operator-files.ts'

export type TestChain = Anvil & {
  contracts: ContractAddresses
  keys: OperatorKeys
  /** The unlocked development accounts; the first is the deployer and holds the AMC. */
  accounts: Address[]
  /** Mines empty blocks. */
  mine(blocks: number): Promise<void>
  /** Gives an account test tokens, in base units. */
  fund(to: Address, amounts: { usdt: bigint; amc: bigint }): Promise<void>
}

/**
 * An Anvil of its own with the contracts deployed, for a test file: call it in `beforeAll`, and `stop` in `afterAll`.
 * Mines a block for every transaction, unless `automine` is false (then `rpc('evm_mine')`, or `mine`).
 */
export async function startTestChain(
  options: { automine?: boolean; usdtDecimals?: 6 | 18; blocksToFinality?: number } = {},
): Promise<TestChain> {
  const dir = await mkdtemp(join(tmpdir(), 'rif-chain-'))
  const { blocksToFinality = BLOCKS_TO_FINALITY } = options
  const anvil = await startAnvil({ logFile: join(dir, 'anvil.log'), blocksToFinality })
  const keys = generateOperatorKeys()
  const contracts = await deployContracts(anvil, keys, { usdtDecimals: options.usdtDecimals ?? 6 })
  if (options.automine === false) await anvil.rpc('evm_setAutomine', [false])
  return {
    ...anvil,
    contracts,
    keys,
    accounts: await anvil.rpc<Address[]>('eth_accounts'),
    mine: (blocks) => anvil.rpc('anvil_mine', [`0x${blocks.toString(16)}`]),
    fund: (to, amounts) => giveTestTokens(anvil, contracts, to, amounts),
    stop: async () => {
      await anvil.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
