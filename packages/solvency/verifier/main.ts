import { createHash, hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  CHUNK_BYTES,
  type Context,
  checkLeaves,
  checkProof,
  checkTotals,
  dayNumberOf,
  dayText,
  type HashInto,
  hexOf,
  holds,
  LIST_HEADER_BYTES,
  type Proof,
  type Published,
  type Report,
  readListHeader,
  readProofFile,
  readPublished,
  rootOf,
} from '../src/index.ts'

/**
 * The verifier: checks a proof file or a list of leaves against the bank contract (docs/solvency.md). It is built into one file
 * without dependencies.
 */

const USAGE = `Usage:
  node verify-solvency.mjs PROOF.json --rpc URL --bank 0x... --address 0x... [--day YYYY-MM-DD]
  node verify-solvency.mjs LEAVES.bin --rpc URL --bank 0x... [--day YYYY-MM-DD]

The chain is that of the node; take a node that you trust. The address is your wallet.
Exit codes: 0 all steps hold, 1 one does not, 2 it could not be checked.`

/**
 * `crypto.hash` is several times as fast; older versions of Node do not have it. Text output costs less than
 * a buffer.
 */
function createSha256(): HashInto {
  if (typeof hash !== 'function')
    return (data, target, at) => target.set(createHash('sha256').update(data).digest(), at)
  let last: Uint8Array | undefined
  let buffer: Buffer & { latin1Write(text: string, at: number, bytes: number): number }
  return (data, target, at) => {
    if (target !== last) {
      last = target
      buffer = Buffer.from(target.buffer, target.byteOffset, target.byteLength) as typeof buffer
    }
    buffer.latin1Write(hash('sha256', data, 'binary'), at, 32)
  }
}

const sha256Into = createSha256()

async function rpc(url: string, method: string, params: readonly unknown[]): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(20_000),
  })
  const answer = (await response.json()) as { result?: string; error?: { message: string } }
  if (typeof answer.result !== 'string')
    throw new Error(`the node refused ${method}: ${answer.error?.message}`)
  return answer.result
}

/** Reads what the bank contract has for a day. */
const readChain = (url: string, bank: string, dayNumber: number): Promise<Published> =>
  readPublished((method, params) => rpc(url, method, params), bank, dayNumber)

interface Options {
  readonly rpc: string
  readonly bank: string
  readonly address: string | undefined
  readonly day: string | undefined
}

const print = (isGood: boolean, text: string): boolean => {
  process.stdout.write(`${isGood ? 'ok  ' : 'FAIL'} ${text}\n`)
  return isGood
}

async function verifyProof(proof: Proof, options: Options): Promise<boolean> {
  const dayNumber = options.day === undefined ? proof.context.dayNumber : dayNumberOf(options.day)
  const chain = await readChain(options.rpc, options.bank, dayNumber)
  const results = checkProof(
    proof,
    {
      chainId: chain.chainId,
      bank: options.bank,
      dayNumber,
      address: options.address ?? null,
      publishedRoot: chain.root,
      publishedTotals: chain.totals,
    },
    sha256Into,
  )
  for (const { step, problem, expected, actual } of results)
    print(
      problem === null,
      problem === null ? step : `${step}: ${problem}: expected ${expected}, is ${actual}`,
    )
  const { usdt, amc, fund } = proof.leaf
  process.stdout.write(
    `     day ${dayText(dayNumber)}: ${usdt} USDT, ${amc} AMC, ${fund} in fund units (micro-units)\n`,
  )
  return holds(results)
}

/** The largest size of a proof file in bytes: one of 2^32 leaves has 12 KB. */
const MAX_PROOF_BYTES = 65_536

/** A file that is read in parts, because a list of leaves may exceed the memory. */
interface OpenFile {
  readonly bytes: number
  /**
   * Reads from a position into `target`, and returns the filled part: shorter than `target` only at the end
   * of the file.
   */
  readonly read: (target: Uint8Array, from: number) => Uint8Array
}

function withFile<T>(path: string, use: (file: OpenFile) => Promise<T>): Promise<T> {
  const descriptor = openSync(path, 'r')
  const read = (target: Uint8Array, from: number) => {
    let filled = 0
    for (let count = -1; count !== 0 && filled < target.length; filled += count)
      count = readSync(descriptor, target, filled, target.length - filled, from + filled)
    return target.subarray(0, filled)
  }
  return use({ bytes: fstatSync(descriptor).size, read }).finally(() => closeSync(descriptor))
}

/** Yields the entries of a list of leaves in chunks. Each is valid until the next. */
function* chunksOf(file: OpenFile): Generator<Uint8Array> {
  const chunk = new Uint8Array(CHUNK_BYTES)
  for (let at = LIST_HEADER_BYTES; at < file.bytes; at += CHUNK_BYTES) yield file.read(chunk, at)
}

async function verifyList(file: OpenFile, options: Options): Promise<boolean> {
  const { context, report } = readListHeader(file.read(new Uint8Array(LIST_HEADER_BYTES), 0))
  const dayNumber = options.day === undefined ? context.dayNumber : dayNumberOf(options.day)
  const chain = await readChain(options.rpc, options.bank, dayNumber)
  const problem = checkLeaves(report, file.bytes - LIST_HEADER_BYTES, chunksOf(file), createSha256())
  const isSubject = print(
    isSame(context, { chainId: chain.chainId, bank: options.bank, dayNumber }),
    `subject: chain ${context.chainId}, bank ${context.bank}, day ${dayText(context.dayNumber)}`,
  )
  const isTree = print(
    problem === null,
    problem === null
      ? `tree of ${report.leaves} leaves`
      : `tree: ${problem.problem}: expected ${problem.expected}, is ${problem.actual}`,
  )
  const root = rootOf(context, report, sha256Into)
  const isRoot = print(root === chain.root.toLowerCase(), `root: on chain ${chain.root}, computed ${root}`)
  return isSubject && isTree && isRoot && isTotals(report, chain)
}

function isTotals(report: Report, { totals }: Published): boolean {
  const result = checkTotals(report, totals)
  return (
    result === null ||
    print(result.problem === null, `totals: expected ${result.expected}, is ${result.actual}`)
  )
}

const isSame = (context: Context, other: Context) =>
  context.chainId === other.chainId &&
  context.bank.toLowerCase() === other.bank.toLowerCase() &&
  context.dayNumber === other.dayNumber

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      rpc: { type: 'string' },
      bank: { type: 'string' },
      address: { type: 'string' },
      day: { type: 'string' },
    },
  })
  const [path] = positionals
  if (path === undefined || values.rpc === undefined || values.bank === undefined) {
    process.stderr.write(`${USAGE}\n`)
    return 2
  }
  const options: Options = { rpc: values.rpc, bank: values.bank, address: values.address, day: values.day }
  return withFile(path, async (file) => {
    const start = file.read(new Uint8Array(Math.min(file.bytes, MAX_PROOF_BYTES)), 0)
    if (hexOf(start.subarray(0, 4)) === '0x52494653') return (await verifyList(file, options)) ? 0 : 1
    const proof = readProofFile(JSON.parse(new TextDecoder().decode(start)))
    if (options.address === undefined) print(true, 'owner: not compared, because no --address was given')
    return (await verifyProof(proof, options)) ? 0 : 1
  })
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    process.stderr.write(`verify-solvency: ${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 2
  },
)
