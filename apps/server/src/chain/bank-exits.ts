import { rifBankAbi } from '@rif/contracts/abi'
import { fromChainUnits, type Micros, toChainUnits } from '@rif/rules'
import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  type PublicClient,
  toBytes,
} from 'viem'
import type { Chain } from './client.ts'
import { bankCallTx, type RawTx } from './raw-tx.ts'

/** The time within which an announced change, destination or exit can be executed after its delay. */
export const EXECUTION_WINDOW_MS = 7 * 86_400_000
/** The age above which a publication of the liabilities covers nothing. */
export const PUBLICATION_LASTS_MS = 48 * 3_600_000

const TREASURER_ROLE = keccak256(toBytes('TREASURER_ROLE'))

/** The terms of an exit in the contract's format: amounts are base units of the token. */
export interface ChainExit {
  readonly exitId: bigint
  /** 0: treasury payout, 1: fund investment. */
  readonly kind: number
  readonly productId: bigint
  readonly token: Address
  readonly to: Address
  readonly amount: bigint
}

/** An exit in the terms of the product. */
export interface ExitTerms {
  readonly onchainId: string
  readonly kind: 'treasury_payout' | 'fund_invest'
  readonly productId: bigint | null
  readonly asset: 'USDT' | 'AMC'
  readonly amountMicros: Micros
  /** In any case. */
  readonly destination: string
}

/** Returns an exit in the contract's format. */
export function chainExit({ contracts, decimals }: Chain, terms: ExitTerms): ChainExit {
  return {
    exitId: BigInt(terms.onchainId),
    kind: terms.kind === 'treasury_payout' ? 0 : 1,
    productId: terms.productId ?? 0n,
    token: terms.asset === 'USDT' ? contracts.usdt : contracts.amc,
    to: getAddress(terms.destination as Hex),
    amount: toChainUnits(terms.amountMicros, decimals[terms.asset]),
  }
}

/**
 * Returns the wallet that sent a transaction. Throws NoQuorumError, or viem's error if a quorum does not have it.
 */
export async function readSender({ nodes }: Chain, txHash: string): Promise<Address> {
  const read = async (client: PublicClient) => (await client.getTransaction({ hash: txHash as Hex })).from
  return getAddress(await nodes.quorumRead(read, { blames: false }))
}

/** Returns the unsigned transaction of a step of an exit, for its bank. */
export function exitTx(
  chain: Chain,
  bank: Address,
  call: 'announce' | 'execute' | 'cancel',
  exit: ChainExit,
): RawTx {
  const data =
    call === 'cancel'
      ? encodeFunctionData({ abi: rifBankAbi, functionName: 'cancelExit', args: [exit.exitId] })
      : encodeFunctionData({ abi: rifBankAbi, functionName: `${call}Exit`, args: [exit] })
  return bankCallTx(chain, bank, data)
}

/**
 * The last publication of the liabilities in one asset, and its cover, at the head of the chain. Rules,
 * section 2.
 */
export interface ExitCover {
  readonly liabilitiesMicros: Micros
  readonly fundCashMicros: Micros
  readonly investedMicros: Micros
  readonly heldMicros: Micros
  /** The time from which its age counts; null before the first. */
  readonly publishedAt: Date | null
  /** The largest payout that the contract would execute now. */
  readonly payoutMicros: Micros
}

/**
 * Reads the cover of the last publication in a bank from a quorum of the nodes. Throws NoQuorumError or
 * viem's error.
 */
export async function readExitCover(
  { nodes, contracts, decimals }: Chain,
  address: Address,
  asset: 'USDT' | 'AMC',
): Promise<ExitCover> {
  const bank = { address, abi: rifBankAbi } as const
  const token = asset === 'USDT' ? contracts.usdt : contracts.amc
  const { hash: blockHash } = await nodes.newestBlock()
  const at = { ...bank, args: [token], blockHash } as const
  const [cover, [payout]] = await Promise.all([
    nodes.quorumRead((client) => client.readContract({ ...at, functionName: 'coverOf' })),
    nodes.quorumRead((client) => client.readContract({ ...at, functionName: 'coveredExits' })),
  ])
  const micros = (units: bigint) => fromChainUnits(units, decimals[asset]).micros
  return {
    liabilitiesMicros: micros(cover.liabilities),
    fundCashMicros: micros(cover.fundCash),
    investedMicros: micros(cover.invested),
    heldMicros: micros(cover.held),
    publishedAt: cover.publishedAt === 0 ? null : new Date(cover.publishedAt * 1_000),
    payoutMicros: micros(payout),
  }
}

/** Reports whether a wallet may announce exits of a bank. Throws NoQuorumError or viem's error. */
export async function isTreasurer({ nodes }: Chain, bank: Address, wallet: Address): Promise<boolean> {
  const { hash: blockHash } = await nodes.newestBlock()
  const read = { address: bank, abi: rifBankAbi, functionName: 'hasRole', blockHash } as const
  return nodes.quorumRead((client) => client.readContract({ ...read, args: [TREASURER_ROLE, wallet] }))
}
