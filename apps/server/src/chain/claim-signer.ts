import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { bankDomain } from './bank-domain.ts'

/** A withdrawal voucher as the bank contract checks it. `amount` is base units, `deadline` is in Unix seconds. */
export type SignableClaim = {
  readonly withdrawalId: bigint
  readonly token: Address
  readonly to: Address
  readonly amount: bigint
  readonly deadline: bigint
}

const types = {
  Claim: [
    { name: 'withdrawalId', type: 'uint256' },
    { name: 'token', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

export type ClaimSigner = {
  readonly address: Address
  /** The EIP-712 signature with which `claim` pays exactly this withdrawal, once. */
  sign(claim: SignableClaim): Promise<Hex>
}

/** Signs vouchers with the key that holds CLAIM_SIGNER_ROLE in the bank. */
export function createClaimSigner(deps: { privateKey: Hex; chainId: number; bank: Address }): ClaimSigner {
  const account = privateKeyToAccount(deps.privateKey)
  const domain = bankDomain(deps.chainId, deps.bank)
  return {
    address: account.address,
    sign: (claim) => account.signTypedData({ domain, types, primaryType: 'Claim', message: claim }),
  }
}
