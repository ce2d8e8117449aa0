import type { TypedStatement } from '@rif/rules'
import { getTypesForEIP712Domain, type Hex, hashStruct, hashTypedData, type TypedDataDefinition } from 'viem'

/** The hashes of a typed statement that a hardware wallet shows. */
export interface StatementHashes {
  readonly domain_hash: Hex
  readonly message_hash: Hex
  /** The signed digest: keccak256(0x1901, domain hash, message hash). */
  readonly digest: Hex
}

/** Returns the hashes of a typed statement (EIP-712). */
export function hashesOf(statement: TypedStatement): StatementHashes {
  const { domain, types, primaryType, message } = statement
  const structHash = (data: object, type: string, all: object): Hex =>
    hashStruct({ data, primaryType: type, types: all } as unknown as Parameters<typeof hashStruct>[0])
  return {
    domain_hash: structHash(domain, 'EIP712Domain', { EIP712Domain: getTypesForEIP712Domain({ domain }) }),
    message_hash: structHash(message, primaryType, types),
    digest: hashTypedData(statement as TypedDataDefinition),
  }
}
