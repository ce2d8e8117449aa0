import { join } from 'node:path'
import { type Address, parseGwei, toHex } from 'viem'
import { inject } from 'vitest'
import type { ContractAddresses } from '../chain/client.ts'
import { type Anvil, BLOCKS_TO_FINALITY, startAnvil } from '../local/anvil.ts'
import { deployContracts, generateOperatorKeys, giveTestTokens } from '../local/deploy.ts'
import type { OperatorKeys } from '../local/operator-files.ts'

interface Deployed {
  readonly anvil: Anvil
  readonly contracts: ContractAddresses
  readonly keys: OperatorKeys
  /** The unlocked development accounts; the first is the deployer and holds the AMC. */
  readonly accounts: Address[]
}

export type TestChain = Anvil &
  Omit<Deployed, 'anvil'> & {
    /** Mines empty blocks. */
    mine(blocks: number): Promise<void>
    /** Gives an account test tokens, in base units. */
    fund(to: Address, amounts: { usdt: bigint; amc: bigint }): Promise<void>
  }

/** More blocks than all test files of a worker mine. */
const STATES_IN_MEMORY = 1_000_000

/** The chains of this worker that no test file uses, each with the snapshot of its deployment. They end with the worker. */
const idle: { readonly deployed: Deployed; readonly snapshot: string }[] = []

/**
 * Returns an Anvil with the contracts deployed, for a test file alone: call it in `beforeAll`, and `stop` in `afterAll`.
 * The files of a worker use one after the other the same, which forgets what they did.
 * Mines a block for every transaction, unless `automine` is false (then `rpc('evm_mine')`, or `mine`).
 */
export async function startTestChain(
  options: { automine?: boolean; usdtDecimals?: 6 | 18; blocksToFinality?: number } = {},
): Promise<TestChain> {
  const { usdtDecimals = 6, blocksToFinality = BLOCKS_TO_FINALITY } = options
  const isUsual = usdtDecimals === 6 && blocksToFinality === BLOCKS_TO_FINALITY
  const idleChain = isUsual ? idle.pop() : undefined
  if (idleChain) await forget(idleChain.deployed.anvil, idleChain.snapshot)
  const deployed = idleChain?.deployed ?? (await deploy(usdtDecimals, blocksToFinality))
  const { anvil, contracts, keys, accounts } = deployed
  // A node forgets a snapshot to which it returned.
  const snapshot = await anvil.rpc<string>('evm_snapshot')
  if (options.automine === false) await anvil.rpc('evm_setAutomine', [false])
  let isUsed = true
  return {
    ...anvil,
    contracts,
    keys,
    accounts,
    mine: (blocks) => anvil.rpc('anvil_mine', [toHex(blocks)]),
    fund: (to, amounts) => giveTestTokens(anvil, contracts, to, amounts),
    async stop() {
      if (!isUsed) return
      isUsed = false
      if (isUsual) idle.push({ deployed, snapshot })
      else await anvil.stop()
    },
  }
}

async function deploy(usdtDecimals: 6 | 18, blocksToFinality: number): Promise<Deployed> {
  const logFile = join(inject('logs'), `anvil-${process.pid}.log`)
  const anvil = await startAnvil({ logFile, blocksToFinality, statesInMemory: STATES_IN_MEMORY })
  const keys = generateOperatorKeys()
  const contracts = await deployContracts(anvil, keys, { usdtDecimals })
  return { anvil, keys, contracts, accounts: await anvil.rpc<Address[]>('eth_accounts') }
}

/** Returns a node to a snapshot, with what a snapshot does not hold: waiting transactions, the mining, the price of gas and the clock. */
async function forget({ rpc }: Anvil, snapshot: string): Promise<void> {
  await rpc('anvil_dropAllTransactions')
  await rpc('evm_revert', [snapshot])
  await rpc('evm_setAutomine', [true])
  await rpc('anvil_setNextBlockBaseFeePerGas', [toHex(parseGwei('1'))])
  await rpc('evm_setTime', [Math.floor(Date.now() / 1000)])
}
