import { type Hex, type PublicClient, verifyMessage } from 'viem'
import { AppError } from '../../lib/errors.ts'

/**
 * Whether a wallet signed a text (EIP-191): a key's own signature, a contract wallet's (EIP-1271), or that of one that
 * is not deployed yet (EIP-6492). The first needs no chain. Throws CHAIN_UNAVAILABLE when the chain must be asked and
 * cannot be: the library reports that as "not valid", so an answer of "no" counts only from a chain that answers.
 */
export async function isSignedBy(
  client: Pick<PublicClient, 'verifyMessage' | 'getChainId'>,
  signed: { address: Hex; message: string; signature: Hex },
): Promise<boolean> {
  if (await verifyMessage(signed).catch(() => false)) return true
  try {
    if (await client.verifyMessage(signed)) return true
    await client.getChainId()
    return false
  } catch {
    throw new AppError('CHAIN_UNAVAILABLE')
  }
}
