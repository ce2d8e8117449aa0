import { type Address, type Hex, hashTypedData } from 'viem'

/** The EIP-712 domain of the bank contract; its name and version are fixed in the contract. */
export function bankDomain(chainId: number, bank: Address) {
  return { name: 'RIFund Bank', version: '1', chainId, verifyingContract: bank } as const
}

export type BankDomain = ReturnType<typeof bankDomain>

/**
 * An order in the form that the bank contract checks. `package` is the level of the package, 0 for a fund purchase, and `limit`
 * the most copies of it that may be paid in all. Amounts are base units of the tokens, `deadline` is in Unix seconds.
 */
export type SignableOrder = {
  readonly orderId: bigint
  readonly payer: Address
  readonly package: bigint
  readonly limit: bigint
  readonly usdtAmount: bigint
  readonly amcAmount: bigint
  readonly deadline: bigint
}

/**
 * A withdrawal voucher in the form that the bank contract checks. `amount` is in base units, `deadline` in
 * Unix seconds.
 */
export type SignableClaim = {
  readonly withdrawalId: bigint
  readonly token: Address
  readonly to: Address
  readonly amount: bigint
  readonly deadline: bigint
}

const ORDER = {
  Order: [
    { name: 'orderId', type: 'uint256' },
    { name: 'payer', type: 'address' },
    { name: 'package', type: 'uint256' },
    { name: 'limit', type: 'uint256' },
    { name: 'usdtAmount', type: 'uint256' },
    { name: 'amcAmount', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

const CLAIM = {
  Claim: [
    { name: 'withdrawalId', type: 'uint256' },
    { name: 'token', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** Returns the EIP-712 digest whose signature lets `payOrder` accept exactly this order. */
export function orderDigest(domain: BankDomain, order: SignableOrder): Hex {
  return hashTypedData({ domain, types: ORDER, primaryType: 'Order', message: order })
}

/** Returns the EIP-712 digest whose signature lets `claim` pay exactly this withdrawal, once. */
export function claimDigest(domain: BankDomain, claim: SignableClaim): Hex {
  return hashTypedData({ domain, types: CLAIM, primaryType: 'Claim', message: claim })
}
