import { rifBankAbi } from '@rif/contracts/abi'
import { createPublicClient, http, type PublicClient, parseAbiItem } from 'viem'
import { createLogRanges } from '../chain/nodes/log-ranges.ts'
import { isRefusal } from '../chain/nodes/nodes.ts'
import { packOnChainId } from '../chain/onchain-id.ts'
import type { BankTerms } from './terms.ts'
import type { Voucher } from './vouchers.ts'

/** The ids on chain of the claims that the banks paid, and the last block read. */
export interface PaidClaims {
  readonly claims: readonly bigint[]
  readonly upTo: bigint
}

/** The fate of a voucher: paid, never to be claimed any more, or undecided. */
export type BankReadOutcome = 'paid' | 'lapsed' | 'open'

/** The reads of the banks that decide how the signer counts; each by a quorum of the signer's own nodes. */
export interface BankReads {
  /**
   * Returns what became of a voucher: it is decided when more than half of the nodes have a final block after its deadline
   * and agree whether it is claimed in it. Throws when too few nodes answer.
   */
  outcomeOf(voucher: Voucher): Promise<BankReadOutcome>
  /** Returns the claims after a block that are not older than a time. Throws when too few nodes answer or agree. */
  claims(after: bigint, sinceMs: number): Promise<PaidClaims>
}

const TIMEOUT_MS = 5_000
/** Asked for at once, if the nodes allow it. */
const RANGE_BLOCKS = 10_000n
const claimedEvent = parseAbiItem(
  'event Claimed(uint256 indexed withdrawalId, address indexed token, address indexed to, uint256 amount)',
)

/** Creates the reads of the banks. At least one node is needed. */
export function createBankReads(
  rpcUrls: readonly string[],
  { chainId, banks }: Pick<BankTerms, 'chainId' | 'banks'>,
): BankReads {
  const clients = rpcUrls.map((url) =>
    createPublicClient({ cacheTime: 0, transport: http(url, { timeout: TIMEOUT_MS, retryCount: 0 }) }),
  )
  const quorum = Math.floor(clients.length / 2) + 1
  const ranges = createLogRanges(isRefusal)

  /** Returns the answers of the nodes of this chain. Throws when too few answer. */
  async function ask<T>(read: (client: PublicClient) => Promise<T>): Promise<T[]> {
    const settled = await Promise.allSettled(
      clients.map(async (client) => {
        if ((await client.getChainId()) !== chainId)
          throw new Error('a node is of another chain (SIGNER_RPC_URL)')
        return read(client)
      }),
    )
    const answers = settled.flatMap((item) => (item.status === 'fulfilled' ? [item.value] : []))
    if (answers.length < quorum) throw settled.find((item) => item.status === 'rejected')?.reason
    return answers
  }

  /** Returns the answer of more than half of the nodes. */
  async function agreed<T>(read: (client: PublicClient) => Promise<T>): Promise<T> {
    const answers = await ask(read)
    const textOf = (answer: T) =>
      JSON.stringify(answer, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value))
    const agreedAnswer = answers.find(
      (answer) => answers.filter((other) => textOf(other) === textOf(answer)).length >= quorum,
    )
    if (agreedAnswer === undefined) throw new Error('the nodes disagree (SIGNER_RPC_URL)')
    return agreedAnswer
  }

  /** Returns the newest block that more than half of the nodes have. */
  async function newest(): Promise<bigint> {
    const heads = (await ask((client) => client.getBlockNumber())).sort((a, b) => (a < b ? 1 : -1))
    return heads[quorum - 1]!
  }

  /** Returns the last block before a time, at least `after`. */
  async function blockBefore(
    atMs: number,
    { after, upTo }: { after: bigint; upTo: bigint },
  ): Promise<bigint> {
    let [low, high] = [after, upTo]
    while (low < high) {
      const middle = (low + high + 1n) / 2n
      const timestamp = await agreed(
        async (client) => (await client.getBlock({ blockNumber: middle })).timestamp,
      )
      if (Number(timestamp) * 1_000 < atMs) low = middle
      else high = middle - 1n
    }
    return low
  }

  async function claimsIn(fromBlock: bigint, toBlock: bigint): Promise<bigint[]> {
    const claims: bigint[] = []
    for (let from = fromBlock; from <= toBlock; ) {
      const part = await ranges.oldest({ fromBlock: from, toBlock }, RANGE_BLOCKS, (range) =>
        agreed(async (client) => {
          const logs = await client.getLogs({
            address: [...banks],
            event: claimedEvent,
            strict: true,
            ...range,
          })
          return logs.map(({ args }) => args.withdrawalId)
        }),
      )
      claims.push(...part.answer)
      from = part.toBlock + 1n
    }
    return claims
  }

  return {
    async outcomeOf({ memberId, withdrawalId, bank, token, to, amount, untilMs }) {
      const outcomes = await ask<BankReadOutcome>(async (client) => {
        const block = await client.getBlock({ blockTag: 'finalized' })
        if (Number(block.timestamp) * 1_000 <= untilMs) return 'open'
        const args = [packOnChainId(memberId, withdrawalId), token, to, amount] as const
        const contract = { address: bank, abi: rifBankAbi } as const
        const isPaid = await client.readContract({
          ...contract,
          functionName: 'claimed',
          args,
          blockNumber: block.number,
        })
        return isPaid ? 'paid' : 'lapsed'
      })
      const isAgreed = (outcome: BankReadOutcome) =>
        outcomes.filter((item) => item === outcome).length >= quorum
      return (['paid', 'lapsed'] as const).find(isAgreed) ?? 'open'
    },

    async claims(after, sinceMs) {
      const upTo = await newest()
      const old = await blockBefore(sinceMs, { after, upTo })
      return { claims: await claimsIn(old + 1n, upTo), upTo }
    },
  }
}
