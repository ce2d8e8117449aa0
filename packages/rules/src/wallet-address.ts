/** The addresses below this are kept for what the chain itself executes. No key and no contract can have one. */
const FIRST_WALLET = 0x1_0000n

/**
 * Reports whether an address can be a person's wallet: 40 hexadecimal digits, not zero, no precompile and none of the
 * given contracts of the product. Rules, section 12.
 */
export function isWalletAddress(address: string, contracts: readonly string[] = []): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address) || BigInt(address) < FIRST_WALLET) return false
  const lower = address.toLowerCase()
  return contracts.every((contract) => contract.toLowerCase() !== lower)
}
