import type { TypedStatement } from '@rif/rules'
import { recover } from 'tiny-secp256k1'
import {
  bytesToHex,
  getTypesForEIP712Domain,
  type Hex,
  hashMessage,
  hashTypedData,
  hexToBytes,
  keccak256,
  type PublicClient,
  type TypedDataDefinition,
} from 'viem'
import { AppError } from '../lib/errors.ts'

/** A typed statement of an admin or a member, with its signature. */
export interface SignedStatement {
  readonly address: Hex
  readonly typedData: TypedStatement
  readonly signature: Hex
}

/**
 * Reports whether a wallet signed a text (EIP-191): by a key, as a contract wallet (EIP-1271), or as a
 * contract wallet that is not deployed yet (EIP-6492). Only the first works without the chain. Throws
 * CHAIN_UNAVAILABLE if the chain is needed and does not respond: viem reports that as an invalid signature,
 * so a negative result is verified by another call.
 */
export async function isSignedBy(
  client: Pick<PublicClient, 'verifyMessage' | 'getChainId'>,
  signed: { address: Hex; message: string; signature: Hex },
): Promise<boolean> {
  if (isSignedByKey(signed, () => hashMessage(signed.message))) return true
  return askChain(client, () => client.verifyMessage(signed))
}

/** Reports whether a wallet signed a typed statement (EIP-712), as `isSignedBy`. */
export async function isStatementSignedBy(
  client: Pick<PublicClient, 'verifyTypedData' | 'getChainId'>,
  signed: SignedStatement,
): Promise<boolean> {
  if (isStatementSignedByKey(signed)) return true
  return askChain(client, () => client.verifyTypedData(requestOf(signed)))
}

/** Reports whether the key of a wallet signed a typed statement (EIP-712). Needs no chain. */
export function isStatementSignedByKey(signed: SignedStatement): boolean {
  return isSignedByKey(signed, () => hashTypedData(requestOf(signed)))
}

/** The bytes of a key's signature: r and s, and the recovery bit. */
const KEY_SIGNATURE_BYTES = 65

/**
 * Reports whether the key of an address signed a hash; false also for a text that is not a key's signature.
 * Takes 0.2 ms; viem's BigInts would take 1.3 ms, and anybody can send signatures.
 */
function isSignedByKey(
  { address, signature }: { readonly address: Hex; readonly signature: Hex },
  hashOf: () => Hex,
): boolean {
  try {
    const bytes = hexToBytes(signature)
    const bit = bytes[KEY_SIGNATURE_BYTES - 1]!
    const recovery = bit < 27 ? bit : bit - 27
    if (bytes.length !== KEY_SIGNATURE_BYTES || (recovery !== 0 && recovery !== 1)) return false
    const publicKey = recover(
      hexToBytes(hashOf()),
      bytes.subarray(0, KEY_SIGNATURE_BYTES - 1),
      recovery,
      false,
    )
    // The first byte gives the encoding of the key.
    if (publicKey === null) return false
    return `0x${keccak256(bytesToHex(publicKey.subarray(1))).slice(-40)}` === address.toLowerCase()
  } catch {
    return false
  }
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

/** Returns a statement in the form of `eth_signTypedData_v4`. */
export function typedDataJson(statement: TypedStatement): string {
  const EIP712Domain = getTypesForEIP712Domain({ domain: statement.domain })
  return JSON.stringify(
    { ...statement, types: { EIP712Domain, ...statement.types } },
    (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value),
  )
}
