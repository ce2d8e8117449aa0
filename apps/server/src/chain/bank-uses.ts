import { rifBankAbi } from '@rif/contracts/abi'
import type { Address, PublicClient } from 'viem'
import { AppError } from '../lib/errors.ts'
import type { SignableClaim, SignableOrder } from './bank-messages.ts'
import { banksOf } from './banks.ts'
import type { Chain } from './client.ts'

/**
 * Checks with a bank contract whether a claim with these terms was paid up to the end of a block. The block
 * is final and its events are all applied, so a paid claim that is not in the books means that an event was
 * missed. Throws CHAIN_UNAVAILABLE.
 */
export function isClaimed(
  chain: Chain,
  bank: Address,
  claim: Omit<SignableClaim, 'deadline'>,
  blockNumber: bigint,
): Promise<boolean> {
  return readBank(chain, bank, (contract, client) =>
    client.readContract({
      ...contract,
      functionName: 'claimed',
      args: [claim.withdrawalId, claim.token, claim.to, claim.amount],
      blockNumber,
    }),
  )
}

/**
 * Checks with every followed bank whether it has paid a claim with these terms, in the same way. Throws
 * CHAIN_UNAVAILABLE.
 */
export async function isClaimedAnywhere(
  chain: Chain,
  claim: Omit<SignableClaim, 'deadline'>,
  blockNumber: bigint,
): Promise<boolean> {
  const answers = banksOf(chain.contracts).map((bank) => isClaimed(chain, bank, claim, blockNumber))
  return (await Promise.all(answers)).includes(true)
}

/** Checks with a bank whether a payer has paid an order, in the same way. Throws CHAIN_UNAVAILABLE. */
export function isOrderPaid(
  chain: Chain,
  bank: Address,
  order: Pick<SignableOrder, 'orderId' | 'payer'>,
  blockNumber: bigint,
): Promise<boolean> {
  return readBank(chain, bank, (contract, client) =>
    client.readContract({
      ...contract,
      functionName: 'orderPaid',
      args: [order.orderId, order.payer],
      blockNumber,
    }),
  )
}

/**
 * Returns the copies of packages that were paid to the banks up to the end of a block, by package, as the newest bank that
 * exists there counts them. Throws CHAIN_UNAVAILABLE.
 */
export async function copiesPaid(
  chain: Chain,
  packageIds: readonly number[],
  blockNumber: bigint,
): Promise<ReadonlyMap<number, bigint>> {
  for (const address of banksOf(chain.contracts).toReversed()) {
    const code = await readBank(chain, address, (_bank, client) => client.getCode({ address, blockNumber }))
    if (code === undefined) continue
    const counts = packageIds.map(async (id) => {
      const count = await readBank(chain, address, (contract, client) =>
        client.readContract({
          ...contract,
          functionName: 'copiesPaid',
          args: [BigInt(id)],
          blockNumber,
        }),
      )
      return [id, count] as const
    })
    return new Map(await Promise.all(counts))
  }
  return new Map(packageIds.map((id) => [id, 0n]))
}

/** Requires a quorum of the nodes, because the answer decides about money. */
async function readBank<T>(
  { nodes }: Chain,
  address: Address,
  read: (bank: { address: Address; abi: typeof rifBankAbi }, client: PublicClient) => Promise<T>,
): Promise<T> {
  const bank = { address, abi: rifBankAbi } as const
  return nodes
    .quorumRead((client) => read(bank, client))
    .catch((cause: unknown) => {
      throw Object.assign(new AppError('CHAIN_UNAVAILABLE'), { cause })
    })
}
