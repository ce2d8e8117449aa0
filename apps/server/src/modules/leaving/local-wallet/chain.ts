import type { WalletAsset } from '@rif/api-schema'
import { amcTokenAbi, rifTransferAbi } from '@rif/contracts/abi'
import { type Address, decodeFunctionData, type Hash, type Hex, isAddressEqual, type Transaction } from 'viem'
import type { Chain } from '../../../chain/client.ts'

/** A send decoded from a wallet's transaction. */
export interface DecodedSend {
  readonly asset: WalletAsset
  /** Lower case. */
  readonly to: string
  readonly amountUnits: bigint
  readonly byContract: boolean
}

type Sent = Pick<Transaction, 'to' | 'input' | 'value'>

/** Decodes a transaction as a send of ETH, USDT or AMC; returns null for any other transaction. */
export function decodeSend({ contracts }: Pick<Chain, 'contracts'>, tx: Sent): DecodedSend | null {
  if (tx.to === null) return null
  if (tx.input === '0x') {
    const isEther = tx.value > 0n
    return isEther
      ? { asset: 'ETH', to: tx.to.toLowerCase(), amountUnits: tx.value, byContract: false }
      : null
  }
  if (tx.value > 0n) return null
  if (isAddressEqual(tx.to, contracts.transfer)) return decodeByContract(contracts, tx.input)
  const asset = assetOf(contracts, tx.to)
  return asset === null ? null : decodePlain(asset, tx.input)
}

function decodePlain(asset: WalletAsset, input: Hex): DecodedSend | null {
  const call = attempt(() => decodeFunctionData({ abi: amcTokenAbi, data: input }))
  if (call?.functionName !== 'transfer') return null
  const [to, amountUnits] = call.args
  return amountUnits > 0n ? { asset, to: to.toLowerCase(), amountUnits, byContract: false } : null
}

function decodeByContract(contracts: Chain['contracts'], input: Hex): DecodedSend | null {
  const call = attempt(() => decodeFunctionData({ abi: rifTransferAbi, data: input }))
  if (call === undefined) return null
  const [token, to, amountUnits] = call.args
  const asset = assetOf(contracts, token)
  return asset === null ? null : { asset, to: to.toLowerCase(), amountUnits, byContract: true }
}

/** Returns the asset of a token's address, or null. */
export function assetOf(contracts: Chain['contracts'], token: Address): 'USDT' | 'AMC' | null {
  if (isAddressEqual(token, contracts.usdt)) return 'USDT'
  return isAddressEqual(token, contracts.amc) ? 'AMC' : null
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/**
 * The number of doublings in the search for a replacement. A node keeps the state of old blocks only for a
 * while.
 */
const MAX_DOUBLINGS = 16

/**
 * Returns the transaction of an account that used a nonce, found by binary search over the account's
 * transaction count. Returns null if the nonce is unused, or was used so long ago that the node has no state
 * of that block.
 */
export async function findByNonce(
  { untrustedClient: client }: Pick<Chain, 'untrustedClient'>,
  from: Address,
  nonce: number,
): Promise<{ hash: Hash; tx: Transaction } | null> {
  const isUsedAt = async (blockNumber: bigint) =>
    (await client.getTransactionCount({ address: from, blockNumber })) > nonce
  let used = await client.getBlockNumber()
  if (!(await isUsedAt(used))) return null
  let unused = used
  for (let step = 0; ; step++) {
    if (step === MAX_DOUBLINGS) return null
    unused = used - 2n ** BigInt(step)
    if (unused < 0n) unused = 0n
    if (!(await isUsedAt(unused))) break
    if (unused === 0n) return null
    used = unused
  }
  while (used - unused > 1n) {
    const middle = (used + unused) / 2n
    if (await isUsedAt(middle)) used = middle
    else unused = middle
  }
  const block = await client.getBlock({ blockNumber: used, includeTransactions: true })
  const tx = block.transactions.find(
    (transaction) => isAddressEqual(transaction.from, from) && transaction.nonce === nonce,
  )
  return tx === undefined ? null : { hash: tx.hash, tx }
}
