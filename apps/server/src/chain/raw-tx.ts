import { amcTokenAbi, rifBankAbi } from '@rif/contracts/abi'
import { type Address, encodeFunctionData, type Hex, serializeTransaction } from 'viem'
import { AppError } from '../lib/errors.ts'
import type { SignableClaim, SignableOrder } from './bank-messages.ts'
import type { Chain } from './client.ts'

/**
 * Returns an unsigned EIP-1559 transaction, RLP-serialised: chain, receiver, calldata and no value. Nonce,
 * gas and fees are left for the wallet to fill in. The browser decodes and checks it before the wallet sees
 * it.
 */
export type RawTx = Hex

/** Returns the transactions to send, in order, before a bank may take `amount` (base units); empty if none. */
export async function approvalTxs(
  chain: Chain,
  bank: Address,
  approval: { token: 'usdt' | 'amc'; owner: Address; amount: bigint },
): Promise<RawTx[]> {
  const address = chain.contracts[approval.token]
  const allowance = await chain.untrustedClient
    .readContract({
      address,
      abi: amcTokenAbi,
      functionName: 'allowance',
      args: [approval.owner, bank],
    })
    .catch((cause: unknown) => {
      throw Object.assign(new AppError('CHAIN_UNAVAILABLE'), { cause })
    })
  if (allowance >= approval.amount) return []
  const approve = (amount: bigint): RawTx =>
    rawTx(
      chain,
      address,
      encodeFunctionData({ abi: amcTokenAbi, functionName: 'approve', args: [bank, amount] }),
    )
  // The original USDT refuses to change an allowance that is not zero.
  const mustReset = approval.token === 'usdt' && allowance > 0n
  return mustReset ? [approve(0n), approve(approval.amount)] : [approve(approval.amount)]
}

/** Returns the payment of an order that was signed for a bank. */
export function payOrderTx(chain: Chain, bank: Address, order: SignableOrder, signature: Hex): RawTx {
  const data = encodeFunctionData({ abi: rifBankAbi, functionName: 'payOrder', args: [order, signature] })
  return rawTx(chain, bank, data)
}

/** Returns the claim of a voucher that was signed for a bank. */
export function claimTx(chain: Chain, bank: Address, claim: SignableClaim, signature: Hex): RawTx {
  const data = encodeFunctionData({ abi: rifBankAbi, functionName: 'claim', args: [claim, signature] })
  return rawTx(chain, bank, data)
}

/** Returns a call of a bank contract by an operator's wallet. */
export function bankCallTx(chain: Chain, bank: Address, data: Hex): RawTx {
  return rawTx(chain, bank, data)
}

function rawTx(chain: Chain, to: Address, data: Hex): RawTx {
  return serializeTransaction({ type: 'eip1559', chainId: chain.chainId, to, data, value: 0n })
}
