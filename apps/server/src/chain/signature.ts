import { isWalletAddress, type TypedStatement } from '@rif/rules'
import pLimit from 'p-limit'
import { recover } from 'tiny-secp256k1'
import {
  type Address,
  bytesToHex,
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  getTypesForEIP712Domain,
  type Hex,
  hashMessage,
  hashTypedData,
  hexToBytes,
  isErc6492Signature,
  isHex,
  keccak256,
  type PublicClient,
  padHex,
  parseAbi,
  type TypedDataDefinition,
} from 'viem'
import { AppError } from '../lib/errors.ts'
import { isVerdict, type Nodes } from './nodes/nodes.ts'

export interface Signed {
  readonly address: Hex
  readonly signature: Hex
}

/** A typed statement of an admin or a member, with its signature. */
export interface SignedStatement extends Signed {
  readonly typedData: TypedStatement
}

/** The judgement of signatures. One for all processes; see `createSignatures`. */
export type Signatures = ReturnType<typeof createSignatures>

/** At most so many signatures are judged on the chain at once. */
const ON_CHAIN_AT_ONCE = 32

/**
 * Creates the judgement of who signed, for all processes. The key is tried first, without any node. Any other signature counts only if a
 * quorum of the nodes says, at one block, that the wallet is a contract (EIP-1271), or the signature says how it will become one
 * (EIP-6492), and that the contract accepts it. Throws CHAIN_UNAVAILABLE without a quorum, never a refusal: no single node decides who
 * somebody is. Rules, section 12.
 */
export function createSignatures(nodes: Pick<Nodes, 'newestBlock' | 'quorumRead'>) {
  const limit = pLimit(ON_CHAIN_AT_ONCE)

  /** A stranger's contract determines the answer, so that no node is blamed for it. */
  const ask = <T>(read: (client: PublicClient) => Promise<T>) => nodes.quorumRead(read, { blames: false })

  async function isAcceptedOnChain(address: Address, hash: Hex, signature: Hex): Promise<boolean> {
    const { hash: blockHash } = await nodes.newestBlock()
    const isWrapped = isErc6492Signature(signature)
    const hasCode = async () => (await ask((client) => client.getCode({ address, blockHash }))) !== undefined
    if (!isWrapped && !(await hasCode())) return false
    const call = isWrapped ? wrappedCheck(address, hash, signature) : contractCheck(address, hash, signature)
    const accepted = isWrapped ? EIP6492_ACCEPTED : EIP1271_ACCEPTED
    return ask(async (client) => {
      try {
        const { data = '0x' } = await client.call({ ...call, blockHash })
        return data === accepted
      } catch (error) {
        if (isVerdict(error)) return false
        throw error
      }
    })
  }

  async function isSignedOnChain({ address, signature }: Signed, hash: Hex): Promise<boolean> {
    if (!isHex(signature) || !isWalletAddress(address)) return false
    return limit(() => isAcceptedOnChain(address, hash, signature)).catch((cause: unknown) => {
      throw Object.assign(new AppError('CHAIN_UNAVAILABLE'), { cause })
    })
  }

  return {
    /** Reports whether a wallet signed a text (EIP-191). Throws CHAIN_UNAVAILABLE. */
    async isSigned(signed: Signed & { readonly message: string }): Promise<boolean> {
      const hash = hashMessage(signed.message)
      return isSignedByKey(signed, () => hash) || isSignedOnChain(signed, hash)
    },

    /** Reports whether a wallet signed a typed statement (EIP-712). Throws CHAIN_UNAVAILABLE. */
    async isStatementSigned(signed: SignedStatement): Promise<boolean> {
      return isStatementSignedByKey(signed) || isSignedOnChain(signed, hashOf(signed))
    },

    /** Reports whether a wallet signed one of several typed statements (EIP-712): by its key any of them first. Throws CHAIN_UNAVAILABLE. */
    async isOneStatementSigned(statements: readonly SignedStatement[]): Promise<boolean> {
      if (statements.some(isStatementSignedByKey)) return true
      for (const signed of statements) if (await isSignedOnChain(signed, hashOf(signed))) return true
      return false
    },
  }
}

const CONTRACT_WALLET = parseAbi(['function isValidSignature(bytes32, bytes) view returns (bytes4)'])
/** The answer of a contract that accepts a signature (EIP-1271), and what the check of EIP-6492 does. */
const EIP1271_ACCEPTED = padHex('0x1626ba7e', { size: 32, dir: 'right' })
const EIP6492_ACCEPTED = '0x01'

const contractCheck = (to: Address, hash: Hex, signature: Hex) => ({
  to,
  data: encodeFunctionData({
    abi: CONTRACT_WALLET,
    functionName: 'isValidSignature',
    args: [hash, signature],
  }),
})

const wrappedCheck = (address: Address, hash: Hex, signature: Hex) => ({
  data: encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [address, hash, signature],
  }),
})

/** Reports whether the key of a wallet signed a typed statement (EIP-712). Needs no chain. */
export function isStatementSignedByKey(signed: SignedStatement): boolean {
  return isSignedByKey(signed, () => hashOf(signed))
}

/** r and s; in the compact form (EIP-2098) the highest bit of s is the recovery bit. */
const COMPACT_BYTES = 64
/** r, s and a byte with the recovery bit. */
const FULL_BYTES = 65

/**
 * Reports whether the key of an address signed a hash; false also for a text that is not a key's signature. Accepts what the
 * chain's `ecrecover` accepts, so also a high s: each statement has a nonce of its own and no signature identifies anything, so
 * that its second form gains nothing. Takes 0.2 ms; viem's BigInts would take 1.3 ms, and anybody can send signatures.
 */
function isSignedByKey({ address, signature }: Signed, digestOf: () => Hex): boolean {
  try {
    const parts = partsOf(hexToBytes(signature))
    if (parts === undefined) return false
    const publicKey = recover(hexToBytes(digestOf()), parts.rs, parts.recovery, false)
    // The first byte gives the encoding of the key.
    if (publicKey === null) return false
    return `0x${keccak256(bytesToHex(publicKey.subarray(1))).slice(-40)}` === address.toLowerCase()
  } catch {
    return false
  }
}

function partsOf(bytes: Uint8Array): { rs: Uint8Array; recovery: 0 | 1 } | undefined {
  const rs = bytes.slice(0, COMPACT_BYTES)
  if (bytes.length === COMPACT_BYTES) {
    const recovery = rs[32]! >> 7 === 1 ? 1 : 0
    rs[32]! &= 0x7f
    return { rs, recovery }
  }
  const bit = bytes[COMPACT_BYTES]!
  const recovery = bit < 27 ? bit : bit - 27
  if (bytes.length !== FULL_BYTES || (recovery !== 0 && recovery !== 1)) return undefined
  return { rs, recovery }
}

const hashOf = ({ typedData }: SignedStatement): Hex => hashTypedData(typedData as TypedDataDefinition)

/** Returns a statement in the form of `eth_signTypedData_v4`. */
export function typedDataJson(statement: TypedStatement): string {
  const EIP712Domain = getTypesForEIP712Domain({ domain: statement.domain })
  return JSON.stringify(
    { ...statement, types: { EIP712Domain, ...statement.types } },
    (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value),
  )
}
