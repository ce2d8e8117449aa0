import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** A key that signs digests and cannot be read. */
export interface SigningKey {
  readonly address: Address
  /** Returns the recoverable signature of a 32-byte digest (r, s, v), with the lower s. */
  sign(digest: Hex): Promise<Hex>
  close(): Promise<void>
}

/** Creates a key that is held in the memory of this process. */
export function keyInMemory(privateKey: Hex): SigningKey {
  const account = privateKeyToAccount(privateKey)
  return {
    address: account.address,
    sign: (digest) => account.sign({ hash: digest }),
    close: async () => undefined,
  }
}
