import { rifBankAbi } from '@rif/contracts/abi'
import { fromChainUnits, type Micros, type PaymentAsset } from '@rif/rules'
import type { Address, Hash, PublicClient } from 'viem'
import type { Chain } from './client.ts'

/** The figures of the bank contract that limit how money leaves it. */
export interface BankFigures {
  /** The delay before an exit, a new destination or a raised cap. */
  readonly changeDelayMs: number
  readonly handOverDelayMs: number
  readonly caps: readonly {
    readonly asset: PaymentAsset
    readonly capMicros: Micros
    /** Claimed since midnight UTC. */
    readonly claimedMicros: Micros
  }[]
  /** The allowed destinations of exits. */
  readonly destinations: readonly Address[]
}

/** Reads the figures at the newest block of a quorum of the nodes. Throws NoQuorumError or viem's error. */
export async function readBankFigures(chain: Chain): Promise<BankFigures> {
  const { hash } = await chain.nodes.newestBlock()
  return chain.nodes.quorumRead((client) => figuresAt(client, chain, hash))
}

async function figuresAt(
  client: PublicClient,
  { contracts, decimals }: Chain,
  blockHash: Hash,
): Promise<BankFigures> {
  const bank = { address: contracts.bank, abi: rifBankAbi, blockHash } as const
  const read = client.readContract
  const tokens = [
    { asset: 'USDT', token: contracts.usdt, decimals: decimals.USDT },
    { asset: 'AMC', token: contracts.amc, decimals: decimals.AMC },
  ] as const
  const [changeDelay, handOverDelay, destinations, caps] = await Promise.all([
    read({ ...bank, functionName: 'CHANGE_DELAY' }),
    read({ ...bank, functionName: 'HAND_OVER_DELAY' }),
    read({ ...bank, functionName: 'destinations' }),
    Promise.all(
      tokens.map(async ({ asset, token, decimals }) => {
        const [cap, claimed] = await Promise.all([
          read({ ...bank, functionName: 'dailyCap', args: [token] }),
          read({ ...bank, functionName: 'outflowToday', args: [token] }),
        ])
        return {
          asset,
          capMicros: fromChainUnits(cap, decimals).micros,
          claimedMicros: fromChainUnits(claimed, decimals).micros,
        }
      }),
    ),
  ])
  return {
    changeDelayMs: Number(changeDelay) * 1_000,
    handOverDelayMs: Number(handOverDelay) * 1_000,
    caps,
    destinations,
  }
}
