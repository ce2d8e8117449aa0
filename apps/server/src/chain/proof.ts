import { type Address, type Hash, type Hex, hexToBigInt, hexToNumber, keccak256, toRlp } from 'viem'
import { listRoot } from './list-root.ts'
import { ProofError } from './nodes/nodes.ts'

/** A block header as returned by a node: the fields of its RLP, and others. */
export type RpcHeader = Readonly<Record<string, unknown>> & {
  readonly hash: Hash
  readonly number: Hex
  readonly parentHash: Hash
  readonly timestamp: Hex
  readonly logsBloom: Hex
  readonly receiptsRoot: Hash
  readonly transactionsRoot: Hash
}

/** A receipt as returned by a node, with the fields in its RLP. */
export interface RpcReceipt {
  readonly type?: Hex | null
  readonly status?: Hex | null
  readonly root?: Hex | null
  readonly cumulativeGasUsed: Hex
  readonly logsBloom: Hex
  readonly logs: readonly { readonly address: Address; readonly topics: readonly Hex[]; readonly data: Hex }[]
}

/** The RLP of a header in its order (yellow paper 4.4; EIP-1559, 4895, 4844, 4788, 7685). The last ones may be absent. */
const HEADER_FIELDS = [
  ['parentHash', 'bytes'],
  ['sha3Uncles', 'bytes'],
  ['miner', 'bytes'],
  ['stateRoot', 'bytes'],
  ['transactionsRoot', 'bytes'],
  ['receiptsRoot', 'bytes'],
  ['logsBloom', 'bytes'],
  ['difficulty', 'integer'],
  ['number', 'integer'],
  ['gasLimit', 'integer'],
  ['gasUsed', 'integer'],
  ['timestamp', 'integer'],
  ['extraData', 'bytes'],
  ['mixHash', 'bytes'],
  ['nonce', 'bytes'],
  ['baseFeePerGas', 'integer'],
  ['withdrawalsRoot', 'bytes'],
  ['blobGasUsed', 'integer'],
  ['excessBlobGas', 'integer'],
  ['parentBeaconBlockRoot', 'bytes'],
  ['requestsHash', 'bytes'],
] as const

/**
 * Checks that a header's fields hash to the block hash, which binds number, time, parent, bloom and receipts
 * root. Arbitrum's blocks have the fields up to `baseFeePerGas`; its own (`sendRoot`, `l1BlockNumber`) repeat
 * `extraData` and `mixHash`. Throws ProofError.
 */
export function checkHeader(header: RpcHeader): void {
  const hash = attempt(() => {
    const fields = HEADER_FIELDS.flatMap(([name, kind]): Hex[] => {
      const value = header[name]
      if (value === undefined || value === null) return []
      return [kind === 'integer' ? integerBytes(value as Hex) : (value as Hex)]
    })
    return keccak256(toRlp(fields))
  })
  if (hash !== header.hash)
    throw new ProofError(
      `the header of block ${attempt(() => hexToBigInt(header.number))} does not have its hash`,
    )
}

/**
 * Creates the check whether a block can contain an event with one of the selectors of one of the contracts,
 * by its bloom (yellow paper, 4.3.1). It has no false negatives.
 */
export function createBloomCheck(
  contracts: readonly Address[],
  selectors: readonly Hex[],
): (bloom: Hex) => boolean {
  const [ofContracts, ofSelectors] = [contracts.map(bloomBits), selectors.map(bloomBits)]
  return (bloom) => {
    const hasAny = (values: readonly (readonly BloomBit[])[]) =>
      values.some((bits) => bits.every(({ at, mask }) => (Number.parseInt(bloom[at]!, 16) & mask) !== 0))
    return hasAny(ofContracts) && hasAny(ofSelectors)
  }
}

/** A bit of a bloom: the position of its hexadecimal digit in the text, and its mask in the digit. */
interface BloomBit {
  readonly at: number
  readonly mask: number
}

function bloomBits(value: Hex): BloomBit[] {
  const hash = keccak256(value, 'bytes')
  return [0, 2, 4].map((start) => {
    const bit = (hash[start]! * 256 + hash[start + 1]!) % 2048
    return { at: 2 + 511 - Math.floor(bit / 4), mask: 1 << (bit % 4) }
  })
}

/**
 * Checks that these are all receipts of a block: the root of their trie is the header's. Typed receipts have the type's
 * byte before their RLP; this holds for Arbitrum's own types too (0x64 to 0x6a; OffchainLabs/go-ethereum,
 * core/types/receipt.go). Its type 0x78 exists only in blocks before Nitro, below any CONTRACTS.start_block. Throws ProofError.
 */
export function checkReceipts(
  header: { readonly number: bigint; readonly receiptsRoot: Hash },
  receipts: readonly RpcReceipt[],
): void {
  let root: Hash
  try {
    root = listRoot(receipts.map(receiptBytes))
  } catch (cause) {
    throw new ProofError(`the receipts of block ${header.number} are malformed`, { cause })
  }
  if (root !== header.receiptsRoot)
    throw new ProofError(`the receipts of block ${header.number} do not have the root in its header`)
}

function receiptBytes({ type, status, root, cumulativeGasUsed, logsBloom, logs }: RpcReceipt): Uint8Array {
  const body = toRlp(
    [
      status == null ? root! : integerBytes(status),
      integerBytes(cumulativeGasUsed),
      logsBloom,
      logs.map(({ address, topics, data }) => [address, [...topics], data]),
    ],
    'bytes',
  )
  const typeNumber = type == null ? 0 : hexToNumber(type)
  return typeNumber === 0 ? body : Uint8Array.from([typeNumber, ...body])
}

/** Returns an integer for RLP: big-endian without leading zeros, zero as no bytes. */
export function integerBytes(value: Hex): Hex {
  const digits = BigInt(value).toString(16)
  if (digits === '0') return '0x'
  return `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
