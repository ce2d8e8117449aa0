import type { TypedStatement } from '@rif/rules'
import {
  getTypesForEIP712Domain,
  type Hex,
  type PublicClient,
  type TypedDataDefinition,
  verifyMessage,
  verifyTypedData,
} from 'viem'
import { AppError } from '../lib/errors.ts'

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
  if (await isStatementSignedByKey(signed)) return true
  return askChain(client, () => client.verifyTypedData(requestOf(signed)))
}

/** Reports whether the key of a wallet signed a typed statement (EIP-712). Needs no chain. */
export function isStatementSignedByKey(signed: SignedStatement): Promise<boolean> {
  return verifyTypedData(requestOf(signed)).catch(() => false)
}

function requestOf({ address, signature, typedData }: SignedStatement) {
  return { address, signature, ...(typedData as TypedDataDefinition) }
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

/** Returns a statement as `eth_signTypedData_v4` takes it. */
export function typedDataJson(statement: TypedStatement): string {
  const EIP712Domain = getTypesForEIP712Domain({ domain: statement.domain })
  return JSON.stringify(
    { ...statement, types: { EIP712Domain, ...statement.types } },
    (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value),
  )
}
