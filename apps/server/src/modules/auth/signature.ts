import type { TypedStatement } from '@rif/rules'
import { type Hex, type PublicClient, type TypedDataDefinition, verifyMessage, verifyTypedData } from 'viem'
import { AppError } from '../../lib/errors.ts'

/** A typed statement of an admin or a member, with its signature. */
export interface SignedStatement {
  readonly address: Hex
  readonly typedData: TypedStatement
  readonly signature: Hex
}

/**
 * Reports whether a wallet signed a text (EIP-191): by a key, as a contract wallet (EIP-1271), or as a contract wallet
 * that is not deployed yet (EIP-6492). Only the first works without the chain. Throws CHAIN_UNAVAILABLE when the chain is
 * needed and does not respond: viem reports that as an invalid signature, so the result false is checked by another call.
 */
export async function isSignedBy(
  client: Pick<PublicClient, 'verifyMessage' | 'getChainId'>,
  signed: { address: Hex; message: string; signature: Hex },
): Promise<boolean> {
  if (await verifyMessage(signed).catch(() => false)) return true
  return askChain(client, () => client.verifyMessage(signed))
}

/** Reports whether a wallet signed a typed statement (EIP-712), as `isSignedBy`. */
export async function isStatementSignedBy(
  client: Pick<PublicClient, 'verifyTypedData' | 'getChainId'>,
  signed: SignedStatement,
): Promise<boolean> {
  const { address, signature } = signed
  const request = { address, signature, ...(signed.typedData as TypedDataDefinition) }
  if (await verifyTypedData(request).catch(() => false)) return true
  return askChain(client, () => client.verifyTypedData(request))
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
