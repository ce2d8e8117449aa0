import type { decisionStatement } from '@rif/rules'
import { type Hex, type PublicClient, verifyMessage, verifyTypedData } from 'viem'
import { AppError } from '../../lib/errors.ts'

/** An admin's decision with the signature that came with it. */
export interface SignedStatement {
  readonly address: Hex
  readonly typedData: ReturnType<typeof decisionStatement>
  readonly signature: Hex
}

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
  return askChain(client, () => client.verifyMessage(signed))
}

/** As `isSignedBy`, for the typed statement of an admin's decision (EIP-712). */
export async function isStatementSignedBy(
  client: Pick<PublicClient, 'verifyTypedData' | 'getChainId'>,
  signed: SignedStatement,
): Promise<boolean> {
  const { typedData, ...by } = signed
  if (await verifyTypedData({ ...by, ...typedData }).catch(() => false)) return true
  return askChain(client, () => client.verifyTypedData({ ...by, ...typedData }))
}

async function askChain(
  client: Pick<PublicClient, 'getChainId'>,
  ask: () => Promise<boolean>,
): Promise<boolean> {
  try {
    if (await ask()) return true
    await client.getChainId()
    return false
  } catch {
    throw new AppError('CHAIN_UNAVAILABLE')
  }
}
