import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { bankDomain } from './bank-domain.ts'

/** An order as the bank contract checks it. Amounts are base units of the tokens, `deadline` is in Unix seconds. */
export type SignableOrder = {
  readonly orderId: bigint
  readonly payer: Address
  readonly usdtAmount: bigint
  readonly amcAmount: bigint
  readonly deadline: bigint
}

const types = {
  Order: [
    { name: 'orderId', type: 'uint256' },
    { name: 'payer', type: 'address' },
    { name: 'usdtAmount', type: 'uint256' },
    { name: 'amcAmount', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

export type QuoteSigner = {
  readonly address: Address
  /** The EIP-712 signature with which `payOrder` accepts exactly this order. */
  sign(order: SignableOrder): Promise<Hex>
}

/** Signs quotes with the key that holds QUOTE_SIGNER_ROLE in the bank. */
export function createQuoteSigner(deps: { privateKey: Hex; chainId: number; bank: Address }): QuoteSigner {
  const account = privateKeyToAccount(deps.privateKey)
  const domain = bankDomain(deps.chainId, deps.bank)
  return {
    address: account.address,
    sign: (order) => account.signTypedData({ domain, types, primaryType: 'Order', message: order }),
  }
}
