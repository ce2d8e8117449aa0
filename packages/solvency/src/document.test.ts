import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rootOf } from './format.ts'
import { sha256Into, snapshotOf } from './hash.fixture.ts'
import { checkProof } from './proof.ts'
import { type ProofFile, proofFile, readProofFile } from './proof-file.ts'

interface Vectors {
  readonly context: string
  readonly leaves: readonly string[]
  readonly members: readonly ProofFile['leaf'][]
  readonly root: string
  readonly proof: ProofFile
}

const PAGE = readFileSync(new URL('../../../docs/solvency.md', import.meta.url), 'utf8')
const VECTORS = JSON.parse(/```json\n(.*?)\n```/s.exec(PAGE)![1]!) as Vectors

// The definitions of the document, implemented independently of the package.
const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const byte = (value: number) => Buffer.from([value])
const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex')
const hex = (data: Buffer) => `0x${data.toString('hex')}`
const u32 = (value: number) => Buffer.from(value.toString(16).padStart(8, '0'), 'hex')
const u64 = (value: bigint | number) => Buffer.from(value.toString(16).padStart(16, '0'), 'hex')
const amounts = ({ usdt, amc, fund }: { usdt: string; amc: string; fund: string }) =>
  Buffer.concat([usdt, amc, fund].map((text) => u64(BigInt(text))))

test('the vectors of the document follow from its definitions', () => {
  const { proof } = VECTORS
  const { report } = proof
  const day = Date.parse(`${proof.day}T00:00:00Z`) / 86_400_000
  const context = sha256(Buffer.from('RIF solvency v1'), u64(proof.chain_id), bytes(proof.bank), u32(day))
  expect(hex(context)).toBe(VECTORS.context)

  const leafOf = (leaf: ProofFile['leaf']) =>
    sha256(byte(0), context, bytes(leaf.salt), bytes(leaf.address), amounts(leaf))
  expect(VECTORS.members.map((leaf) => hex(leafOf(leaf)))).toEqual(VECTORS.leaves)
  expect([...VECTORS.leaves].sort()).toEqual(VECTORS.leaves)

  let node = { hash: hex(leafOf(proof.leaf)), ...proof.leaf }
  proof.path.forEach((sibling, level) => {
    const [left, right] = (proof.index >> level) % 2 === 1 ? [sibling, node] : [node, sibling]
    const sum = (asset: 'usdt' | 'amc' | 'fund') => `${BigInt(left[asset]) + BigInt(right[asset])}`
    const hash = hex(sha256(byte(1), bytes(left.hash), amounts(left), bytes(right.hash), amounts(right)))
    node = { ...node, hash, usdt: sum('usdt'), amc: sum('amc'), fund: sum('fund') }
  })
  expect(node).toMatchObject({ hash: report.tree, ...report.members })

  const others = [report.other.usdt, report.other.amc, report.fund_cash, report.fund_invested]
  const root = sha256(
    byte(2),
    context,
    bytes(report.tree),
    u32(report.leaves),
    amounts(report.members),
    ...others.map((text) => u64(BigInt(text))),
    bytes(report.ledger_head),
    bytes(report.operators_head),
  )
  expect(hex(root)).toBe(VECTORS.root)
})

test('the package reproduces the vectors of the document', () => {
  const proof = readProofFile(VECTORS.proof)
  const snapshot = snapshotOf(
    VECTORS.members.map(({ address, salt, usdt, amc, fund }) => ({
      address,
      salt,
      usdt: BigInt(usdt),
      amc: BigInt(amc),
      fund: BigInt(fund),
    })),
    proof.context,
  )
  expect(proofFile({ ...snapshot.proofOf(proof.leaf.address), report: proof.report })).toEqual(VECTORS.proof)
  expect(rootOf(proof.context, proof.report, sha256Into)).toBe(VECTORS.root)
  const expected = {
    ...proof.context,
    address: proof.leaf.address,
    publishedTotals: null,
    publishedRoot: VECTORS.root,
  }
  const results = checkProof(proof, expected, sha256Into)
  expect(results.map(({ step, problem }) => [step, problem])).toEqual(
    ['subject', 'owner', 'leaf', 'path', 'sums', 'root'].map((step) => [step, null]),
  )
})
