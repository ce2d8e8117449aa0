import { type Address, type Hash, type Hex, numberToHex, parseTransaction, stringToHex } from 'viem'
import type { RawTx } from '../../chain/raw-tx.ts'
import type { LocalChain } from '../chain.ts'

/**
 * The chain that the product itself started: its accounts are unlocked and it mines on request. Changes are
 * made in the order of the calls. Concurrent changes are saved together, before the calls return.
 */
export type DemoNode = Pick<LocalChain, 'rpc' | 'demoAccounts'>

/** A transaction that the wallet of `from` sends. */
export interface DemoTx {
  readonly from: Address
  readonly tx: RawTx | { readonly to: Address; readonly data: Hex }
}

export type DemoChain = ReturnType<typeof createDemoChain>

/**
 * A fixed gas limit instead of an estimate, because a payment is sent before its approvals are mined. Far
 * below the block's limit.
 */
const GAS = numberToHex(500_000)

/** The local chain as the demonstration uses it. */
export function createDemoChain(deps: {
  node: DemoNode
  confirmations: number
  /** One pass of the indexer over the chain, with all its handlers. */
  index: () => Promise<void>
  /** The time of new blocks, where the caller mines; the node's own clock by default. */
  now?: () => Date
}) {
  const { confirmations, index, now } = deps
  const { rpc, demoAccounts } = deps.node

  function submit({ from, tx }: DemoTx): Promise<Hash> {
    const { to, data } = typeof tx === 'string' ? parseTransaction(tx) : tx
    return rpc<Hash>('eth_sendTransaction', [{ from, to, data, gas: GAS }])
  }

  async function assertSucceeded(hash: Hash): Promise<void> {
    const receipt = await rpc<{ status: Hex } | null>('eth_getTransactionReceipt', [hash])
    if (receipt?.status !== '0x1') throw new Error(`transaction ${hash} of the demonstration failed`)
  }

  let lastBlockAt = 0

  /** Gives the next block the caller's time, later than that of the block before. */
  async function setBlockTime(blocks: number): Promise<void> {
    if (now === undefined) return
    const at = Math.max(Math.floor(now().getTime() / 1000), lastBlockAt + 1)
    lastBlockAt = at + blocks - 1
    await rpc('evm_setNextBlockTimestamp', [numberToHex(at)])
  }

  return {
    accounts: demoAccounts,

    /** The account that deployed the contracts and holds the AMC. */
    async treasury(): Promise<Address> {
      const [first] = await rpc<[Address]>('eth_accounts')
      return first
    },

    /** Returns the signature of a text (EIP-191) by an unlocked account. */
    sign: (account: Address, text: string) => rpc<Hex>('personal_sign', [stringToHex(text), account]),

    /** Returns the signature of typed data (EIP-712), as JSON, by an unlocked account. */
    signTyped: (account: Address, typedData: string) =>
      rpc<Hex>('eth_signTypedData_v4', [account, typedData]),

    /**
     * Sends transactions in one block, in the given order, and returns their hashes. Throws unless all
     * succeed. One block, because the node gives every block a second of its own: hundreds of blocks would
     * put its clock minutes ahead.
     */
    async mineTogether(txs: readonly DemoTx[]): Promise<Hash[]> {
      if (txs.length === 0) return []
      // Requested together, so that a crash leaves all of them or none.
      const paused = rpc('evm_setAutomine', [false])
      const sent = Promise.all(txs.map(submit))
      const timed = setBlockTime(1)
      const mined = rpc('evm_mine')
      const resumed = rpc('evm_setAutomine', [now === undefined])
      const [hashes] = await Promise.all([sent, paused, timed, mined, resumed])
      await Promise.all(hashes.map(assertSucceeded))
      return hashes
    },

    /** Finalises everything on the chain and lets the modules process it. */
    async finalise(): Promise<void> {
      await setBlockTime(confirmations)
      // One second apart where the caller sets the times.
      await rpc('anvil_mine', [numberToHex(confirmations), ...(now === undefined ? [] : [numberToHex(1)])])
      await index()
    },

    /** Lets the modules process the events of the chain so far. */
    index,
  }
}
