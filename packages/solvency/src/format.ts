/**
 * The format of a solvency report, version 1 (docs/solvency.md). All integers are unsigned and big-endian; amounts are
 * micro-units. The module imports nothing, because server, browser and verifier share it.
 */

/** Writes the SHA-256 hash of `data` into `target` at the offset `at`. */
export type HashInto = (data: Uint8Array, target: Uint8Array, at: number) => void

/** The subject of a report: one day of one bank contract on one chain. */
export interface Context {
  readonly chainId: number
  /** 0x and 40 hex digits. */
  readonly bank: string
  /** Days since 1970-01-01 (UTC). */
  readonly dayNumber: number
}

/** The amounts of a leaf or of a node, in micro-units. `fund` is the value of fund units in USDT. */
export interface Amounts {
  readonly usdt: bigint
  readonly amc: bigint
  readonly fund: bigint
}

/** A member's leaf. */
export interface Leaf extends Amounts {
  /** 0x and 40 hex digits. */
  readonly address: string
  /** 0x and 64 hex digits. */
  readonly salt: string
}

/** The values beside the tree to which the published root commits. */
export interface Report {
  /** 0x and 64 hex digits: the hash of the tree's top. */
  readonly tree: string
  /** The number of leaves without the empty ones. */
  readonly leaves: number
  /** The amounts of all members. */
  readonly members: Amounts
  /** Pools and `suspense`, which are liabilities in addition to the members' amounts. */
  readonly other: { readonly usdt: bigint; readonly amc: bigint }
  /** The cash and the value of the investments of all fund products, in USDT. */
  readonly fundCash: bigint
  readonly fundInvested: bigint
  /** 0x and 64 hex digits each: the heads of the ledger's chain of hashes and of the operators' log. */
  readonly ledgerHead: string
  readonly operatorsHead: string
}

/** Thrown for an amount that is negative or does not fit, or a text of the wrong form. */
export class FormatError extends Error {}

export const HASH_BYTES = 32
/** Three amounts of 8 bytes. */
export const AMOUNTS_BYTES = 24
/** A hash and its amounts: the data of each child that a node's hash covers. */
export const ENTRY_BYTES = HASH_BYTES + AMOUNTS_BYTES
export const LEAF_BYTES = 1 + HASH_BYTES + HASH_BYTES + 20 + AMOUNTS_BYTES
export const NODE_BYTES = 1 + 2 * ENTRY_BYTES
/** The longest tree: 2^32 leaves. */
export const MAX_DEPTH = 32

const LEAF_PREFIX = 0
export const NODE_PREFIX = 1
const REPORT_PREFIX = 2
/** Amounts and sums are below 2^63, so that they fit a signed integer of 64 bits too. */
const AMOUNT_LIMIT = 1n << 63n
const CONTEXT_LABEL = 'RIF solvency v1'

/** Returns the bytes of 0x and an even number of hex digits. Throws FormatError for another text or length. */
export function bytesOf(hex: string, length: number): Uint8Array {
  if (!new RegExp(`^0x[0-9a-fA-F]{${length * 2}}$`).test(hex))
    throw new FormatError(`not ${length} bytes in hex: ${hex}`)
  return Uint8Array.from({ length }, (_, index) =>
    Number.parseInt(hex.slice(2 + index * 2, 4 + index * 2), 16),
  )
}

/** Returns 0x and the hex digits of bytes, in lower case. */
export function hexOf(bytes: Uint8Array): string {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Returns the number of levels above the leaves: the tree is padded to a power of two. */
export function depthOf(leaves: number): number {
  return leaves <= 1 ? 0 : 32 - Math.clz32(leaves - 1)
}

/** Writes an amount into 8 bytes. Throws FormatError when it is negative or not below 2^63. */
export function writeAmount(view: DataView, at: number, amount: bigint): void {
  if (amount < 0n || amount >= AMOUNT_LIMIT) throw new FormatError(`not an amount: ${amount}`)
  view.setBigUint64(at, amount)
}

/** Reads an amount of 8 bytes. Throws FormatError when it is not below 2^63. */
export function readAmount(view: DataView, at: number): bigint {
  const amount = view.getBigUint64(at)
  if (amount >= AMOUNT_LIMIT) throw new FormatError(`not an amount: ${amount}`)
  return amount
}

export function writeAmounts(view: DataView, at: number, { usdt, amc, fund }: Amounts): void {
  writeAmount(view, at, usdt)
  writeAmount(view, at + 8, amc)
  writeAmount(view, at + 16, fund)
}

export function readAmounts(view: DataView, at: number): Amounts {
  return { usdt: readAmount(view, at), amc: readAmount(view, at + 8), fund: readAmount(view, at + 16) }
}

/** Returns the hash that ties leaves and report to one day of one bank on one chain. */
export function contextHash({ chainId, bank, dayNumber }: Context, hashInto: HashInto): Uint8Array {
  const label = Uint8Array.from(CONTEXT_LABEL, (character) => character.charCodeAt(0))
  const data = new Uint8Array(label.length + 8 + 20 + 4)
  const view = viewOf(data)
  data.set(label)
  view.setBigUint64(label.length, BigInt(chainId))
  data.set(bytesOf(bank, 20), label.length + 8)
  view.setUint32(label.length + 28, dayNumber)
  return hashed(data, hashInto)
}

/** Returns the bytes whose hash is the hash of a leaf. */
export function leafBytes(context: Uint8Array, leaf: Leaf): Uint8Array {
  const data = new Uint8Array(LEAF_BYTES)
  data[0] = LEAF_PREFIX
  data.set(context, 1)
  data.set(bytesOf(leaf.salt, 32), 33)
  data.set(bytesOf(leaf.address, 20), 65)
  writeAmounts(viewOf(data), 85, leaf)
  return data
}

/** Bytes as words of 4 bytes, in which addresses and amounts are copied. */
export type Words = Int32Array
/** Bytes as words of 8 bytes, in which salts and entries are copied. Copies cost half as much as those of `Words`. */
export type Lanes = BigInt64Array

/** Returns bytes as words. Throws RangeError when their place or number is no multiple of 4. */
export function wordsOf(bytes: Uint8Array): Words {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
}

/** Returns bytes as words of 8. Throws RangeError when their place or number is no multiple of 8. */
export function lanesOf(bytes: Uint8Array): Lanes {
  return new BigInt64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8)
}

export const ENTRY_LANES = ENTRY_BYTES / 8

/** Copies an entry. For so few bytes, one statement per word is faster than a loop or a view. */
export function copyEntry(source: Lanes, from: number, target: Lanes, to: number): void {
  target[to] = source[from]!
  target[to + 1] = source[from + 1]!
  target[to + 2] = source[from + 2]!
  target[to + 3] = source[from + 3]!
  target[to + 4] = source[from + 4]!
  target[to + 5] = source[from + 5]!
  target[to + 6] = source[from + 6]!
}

/**
 * Creates the function that computes the entries of many leaves. Takes the parts of a leaf by the words at which they begin, and the
 * place of the entry in `entries`, whose words are `entryWords`. Statements instead of loops, as in `copyEntry`.
 */
export function createLeafHasher(context: Uint8Array, hashInto: HashInto) {
  // The prefix takes the eighth byte, so that all parts begin at words and the salt at a lane.
  const bytes = new Uint8Array(120)
  const words = wordsOf(bytes)
  const lanes = lanesOf(bytes)
  const data = bytes.subarray(7, 7 + LEAF_BYTES)
  data[0] = LEAF_PREFIX
  data.set(context, 1)
  return (
    salts: Lanes,
    salt: number,
    addresses: Words,
    address: number,
    amounts: Words,
    amount: number,
    entries: Uint8Array,
    entryWords: Words,
    entry: number,
  ): void => {
    const to = (entry * ENTRY_BYTES + HASH_BYTES) / 4
    lanes[5] = salts[salt]!
    lanes[6] = salts[salt + 1]!
    lanes[7] = salts[salt + 2]!
    lanes[8] = salts[salt + 3]!
    words[18] = addresses[address]!
    words[19] = addresses[address + 1]!
    words[20] = addresses[address + 2]!
    words[21] = addresses[address + 3]!
    words[22] = addresses[address + 4]!
    words[23] = entryWords[to] = amounts[amount]!
    words[24] = entryWords[to + 1] = amounts[amount + 1]!
    words[25] = entryWords[to + 2] = amounts[amount + 2]!
    words[26] = entryWords[to + 3] = amounts[amount + 3]!
    words[27] = entryWords[to + 4] = amounts[amount + 4]!
    words[28] = entryWords[to + 5] = amounts[amount + 5]!
    hashInto(data, entries, entry * ENTRY_BYTES)
  }
}

/** The number of bytes of a report after its prefix and its context. */
export const REPORT_BYTES = 32 + 4 + AMOUNTS_BYTES + 16 + 8 + 8 + 32 + 32

/** Returns the bytes of a report without prefix and context. */
export function reportBytes(report: Report): Uint8Array {
  const data = new Uint8Array(REPORT_BYTES)
  const view = viewOf(data)
  data.set(bytesOf(report.tree, 32), 0)
  view.setUint32(32, report.leaves)
  writeAmounts(view, 36, report.members)
  writeAmount(view, 60, report.other.usdt)
  writeAmount(view, 68, report.other.amc)
  writeAmount(view, 76, report.fundCash)
  writeAmount(view, 84, report.fundInvested)
  data.set(bytesOf(report.ledgerHead, 32), 92)
  data.set(bytesOf(report.operatorsHead, 32), 124)
  return data
}

/** Parses the bytes of `reportBytes`. Throws FormatError for an amount that does not fit. */
export function readReport(data: Uint8Array): Report {
  const view = viewOf(data)
  return {
    tree: hexOf(data.subarray(0, 32)),
    leaves: view.getUint32(32),
    members: readAmounts(view, 36),
    other: { usdt: readAmount(view, 60), amc: readAmount(view, 68) },
    fundCash: readAmount(view, 76),
    fundInvested: readAmount(view, 84),
    ledgerHead: hexOf(data.subarray(92, 124)),
    operatorsHead: hexOf(data.subarray(124, 156)),
  }
}

/** Returns the root that is published on chain, in hex. */
export function rootOf(context: Context, report: Report, hashInto: HashInto): string {
  const data = new Uint8Array(1 + HASH_BYTES + REPORT_BYTES)
  data[0] = REPORT_PREFIX
  data.set(contextHash(context, hashInto), 1)
  data.set(reportBytes(report), 33)
  return hexOf(hashed(data, hashInto))
}

/**
 * Returns the liabilities per token without the cash of fund products, as the bank contract receives them.
 */
export function liabilitiesOf({ members, other }: Report): { usdt: bigint; amc: bigint } {
  return { usdt: members.usdt + other.usdt, amc: members.amc + other.amc }
}

export function hashed(data: Uint8Array, hashInto: HashInto): Uint8Array {
  const target = new Uint8Array(HASH_BYTES)
  hashInto(data, target, 0)
  return target
}

export function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength)
}
