import type { Address } from 'viem'

/** The EIP-712 domain of the bank contract; its name and version are fixed in the contract. */
export function bankDomain(chainId: number, bank: Address) {
  return { name: 'RIFund Bank', version: '1', chainId, verifyingContract: bank } as const
}
