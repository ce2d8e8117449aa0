import { rifBankAbi } from '@rif/contracts/abi'
import { fromChainUnits, type Micros } from '@rif/rules'
import { type Address, type Hash, type Hex, keccak256, type PublicClient, toBytes, zeroHash } from 'viem'
import type { Chain } from './client.ts'

/** The roles of the bank contract by their ids. */
export const BANK_ROLES = {
  admin: zeroHash,
  quote_signer: keccak256(toBytes('QUOTE_SIGNER_ROLE')),
  claim_signer: keccak256(toBytes('CLAIM_SIGNER_ROLE')),
  publisher: keccak256(toBytes('PUBLISHER_ROLE')),
  pauser: keccak256(toBytes('PAUSER_ROLE')),
  guardian: keccak256(toBytes('GUARDIAN_ROLE')),
  treasurer: keccak256(toBytes('TREASURER_ROLE')),
} as const satisfies Record<string, Hex>
export type BankRole = keyof typeof BANK_ROLES

/** A pending change in the bank contract, and the time in which it can be executed. */
export interface QueuedChange {
  readonly kind: 'claim_signer' | 'guardian_removal' | 'cap_raise' | 'destination' | 'hand_over'
  /** The key, the guardian, the token or the successor. */
  readonly subject: Address
  readonly asset: 'USDT' | 'AMC' | null
  /** The cap after the raise. */
  readonly capMicros: Micros | null
  readonly executableAt: Date
  readonly expiresAt: Date
}

export interface BankCap {
  readonly asset: 'USDT' | 'AMC'
  readonly capMicros: Micros
  /** The amount that may still leave before the next midnight UTC. */
  readonly remainingMicros: Micros
}

/** The roles, the queue with the hand-over, the caps and the pause of a bank contract at the head of the chain. */
export interface BankState {
  readonly holders: Readonly<Record<BankRole, readonly Address[]>>
  readonly queue: readonly QueuedChange[]
  readonly caps: readonly BankCap[]
  readonly ordersPaused: boolean
  /** The time of the newest block, which determines what the contract can execute. */
  readonly headAt: Date
}

const WINDOW_S = 7n * 86_400n

/** Reads the state of a bank contract from a quorum of the nodes. Throws NoQuorumError or viem's error. */
export async function readBankState(chain: Chain, address: Address): Promise<BankState> {
  const { hash } = await chain.nodes.newestBlock()
  return chain.nodes.quorumRead((client) => stateAt(client, chain, address, hash))
}

async function stateAt(
  client: PublicClient,
  { contracts, decimals }: Chain,
  address: Address,
  blockHash: Hash,
): Promise<BankState> {
  const bank = { address, abi: rifBankAbi, blockHash } as const
  const roles = Object.keys(BANK_ROLES) as BankRole[]
  const tokens = [
    { asset: 'USDT', token: contracts.usdt, decimals: decimals.USDT },
    { asset: 'AMC', token: contracts.amc, decimals: decimals.AMC },
  ] as const
  const read = client.readContract
  const [holders, signers, removals, destinations, handOver, ordersPaused, head, limits] = await Promise.all([
    Promise.all(
      roles.map((role) => read({ ...bank, functionName: 'getRoleMembers', args: [BANK_ROLES[role]] })),
    ),
    read({ ...bank, functionName: 'queuedClaimSigners' }),
    read({ ...bank, functionName: 'queuedGuardianRemovals' }),
    read({ ...bank, functionName: 'queuedDestinations' }),
    read({ ...bank, functionName: 'pendingHandOver' }),
    read({ ...bank, functionName: 'ordersPaused' }),
    client.getBlock({ blockHash }),
    Promise.all(
      tokens.map(({ token }) =>
        Promise.all([
          read({ ...bank, functionName: 'dailyCap', args: [token] }),
          read({ ...bank, functionName: 'remainingToday', args: [token] }),
          read({ ...bank, functionName: 'pendingCapRaise', args: [token] }),
        ]),
      ),
    ),
  ])
  const accounts = (kind: QueuedChange['kind'], changes: typeof signers) =>
    changes.map(({ account, executableAt }) => ({
      kind,
      subject: account,
      asset: null,
      capMicros: null,
      ...timesOf(executableAt),
    }))
  const [successor, handOverAt] = handOver
  const queued = handOverAt === 0n ? [] : [{ account: successor, executableAt: handOverAt }]
  const raises = tokens.flatMap(({ asset, token, decimals }, index) => {
    const [newCap, executableAt] = limits[index]![2]
    const capMicros = fromChainUnits(newCap, decimals).micros
    const raise = { kind: 'cap_raise', subject: token, asset, capMicros } as const
    return executableAt === 0n ? [] : [{ ...raise, ...timesOf(executableAt) }]
  })
  return {
    holders: Object.fromEntries(roles.map((role, index) => [role, holders[index]!])) as BankState['holders'],
    queue: [
      ...accounts('claim_signer', signers),
      ...accounts('guardian_removal', removals),
      ...raises,
      ...accounts('destination', destinations),
      ...accounts('hand_over', queued),
    ],
    caps: tokens.map(({ asset, decimals }, index) => ({
      asset,
      capMicros: fromChainUnits(limits[index]![0], decimals).micros,
      remainingMicros: fromChainUnits(limits[index]![1], decimals).micros,
    })),
    ordersPaused,
    headAt: timeOf(head.timestamp),
  }
}

const timesOf = (executableAt: bigint) => ({
  executableAt: timeOf(executableAt),
  expiresAt: timeOf(executableAt + WINDOW_S),
})

const timeOf = (seconds: bigint) => new Date(Number(seconds) * 1_000)
