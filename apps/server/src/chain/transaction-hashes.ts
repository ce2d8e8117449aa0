import { type Hash, type Hex, hexToNumber, keccak256, toRlp } from 'viem'
import { listRoot } from './list-root.ts'
import { ProofError } from './nodes/nodes.ts'
import { integerBytes } from './proof.ts'

/** A transaction as returned by a node with its block. */
export type RpcTransaction = Readonly<Record<string, unknown>> & { readonly hash: Hash }

type Rlp = Hex | readonly Rlp[]
type Field = (transaction: RpcTransaction) => Rlp

const bytes =
  (name: string): Field =>
  (transaction) =>
    text(transaction[name])
const integer =
  (name: string): Field =>
  (transaction) =>
    integerBytes(text(transaction[name]))
/** An address that is null for a contract creation. */
const receiver =
  (name: string): Field =>
  (transaction) =>
    transaction[name] === null ? '0x' : text(transaction[name])
const parity: Field = ({ yParity, v }) => integerBytes(text(yParity ?? v))
const accessList: Field = ({ accessList }) =>
  (accessList as { address: Hex; storageKeys: Hex[] }[]).map(({ address, storageKeys }) => [
    address,
    storageKeys,
  ])
const authorizations: Field = ({ authorizationList }) =>
  (authorizationList as RpcTransaction[]).map((item) => [
    integer('chainId')(item),
    bytes('address')(item),
    integer('nonce')(item),
    parity(item),
    integer('r')(item),
    integer('s')(item),
  ])
const blobHashes: Field = ({ blobVersionedHashes }) => blobVersionedHashes as Hex[]

const chainId = integer('chainId')
const [nonce, gas, gasPrice, feeCap] = ['nonce', 'gas', 'gasPrice', 'maxFeePerGas'].map(integer) as [
  ...[Field, Field, Field, Field],
]
const call = [receiver('to'), integer('value'), bytes('input')]
const signature = [integer('r'), integer('s')]
const dynamicFee = [chainId, nonce, integer('maxPriorityFeePerGas'), feeCap, gas, ...call, accessList]
const [from, requestId] = [bytes('from'), bytes('requestId')]

/**
 * The RLP of each type of transaction: EIP-2718 and the EIPs of the types, and for 0x64 to 0x6a, which only Arbitrum has,
 * OffchainLabs/go-ethereum, core/types/arb_types.go: deposit, unsigned, contract, retry, submit retryable, internal. Type
 * 0x78 exists only in blocks before Nitro, below any CONTRACTS.start_block.
 */
const FIELDS: Readonly<Record<number, readonly Field[]>> = {
  0: [nonce, gasPrice, gas, ...call, integer('v'), ...signature],
  1: [chainId, nonce, gasPrice, gas, ...call, accessList, parity, ...signature],
  2: [...dynamicFee, parity, ...signature],
  3: [...dynamicFee, integer('maxFeePerBlobGas'), blobHashes, parity, ...signature],
  4: [...dynamicFee, authorizations, parity, ...signature],
  100: [chainId, requestId, from, bytes('to'), integer('value')],
  101: [chainId, from, nonce, feeCap, gas, ...call],
  102: [chainId, requestId, from, feeCap, gas, ...call],
  104: [
    chainId,
    nonce,
    from,
    feeCap,
    gas,
    ...call,
    bytes('ticketId'),
    bytes('refundTo'),
    integer('maxRefund'),
    integer('submissionFeeRefund'),
  ],
  105: [
    chainId,
    requestId,
    from,
    integer('l1BaseFee'),
    integer('depositValue'),
    feeCap,
    gas,
    receiver('retryTo'),
    integer('retryValue'),
    bytes('beneficiary'),
    integer('maxSubmissionFee'),
    bytes('refundTo'),
    bytes('retryData'),
  ],
  106: [chainId, bytes('input')],
}

/**
 * Proves that these are all transactions of a block, in order, and returns their hashes. The root of their
 * trie must be the header's, and each hash follows from the content. Throws ProofError, also for a type that
 * is not listed above.
 */
export function provenHashes(
  header: { readonly number: bigint; readonly transactionsRoot: Hash },
  transactions: readonly RpcTransaction[],
): Hash[] {
  let encoded: Uint8Array[]
  try {
    encoded = transactions.map(transactionBytes)
  } catch (cause) {
    throw new ProofError(`the transactions of block ${header.number} are malformed`, { cause })
  }
  if (listRoot(encoded) !== header.transactionsRoot)
    throw new ProofError(`the transactions of block ${header.number} do not have the root in its header`)
  return encoded.map((item) => keccak256(item))
}

/**
 * Returns a transaction in the form stored in its trie, whose hash is the transaction's. Throws if it cannot
 * be encoded.
 */
export function transactionBytes(transaction: RpcTransaction): Uint8Array {
  const type = hexToNumber(text(transaction.type ?? '0x0'))
  const fields = FIELDS[type]
  if (fields === undefined) throw new Error(`type ${type} is unknown`)
  const body = toRlp(fields.map((field) => field(transaction)) as Hex[], 'bytes')
  return type === 0 ? body : Uint8Array.from([type, ...body])
}

function text(value: unknown): Hex {
  if (typeof value !== 'string' || !value.startsWith('0x')) throw new Error('a field is missing')
  return value as Hex
}
