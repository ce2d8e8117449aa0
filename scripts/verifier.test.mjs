import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT, run } from './lib/steps.mjs'
import { buildVerifier, VERIFIER } from './lib/verifier.mjs'

// The node of this test answers with the published root of the vectors; the publication tests of the server use a real chain.
const page = readFileSync(join(ROOT, 'docs', 'solvency.md'), 'utf8')
const { proof, root, leaves, members } = JSON.parse(/```json\n(.*?)\n```/s.exec(page)[1])
let folder
let node
let answers

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rif-verifier-'))
  await buildVerifier(folder)
  node = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, params } = JSON.parse(body)
    const result = method === 'eth_chainId' ? answers.chainId : answers[params[0].data.slice(0, 10)]
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))
  })
  await new Promise((resolve) => node.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  node.close()
  rmSync(folder, { recursive: true, force: true })
})

const ROOT_SELECTOR = '0x344e04ba'
const LAST_SELECTOR = '0x375c0cd9'

async function verify(file, content, args = []) {
  const path = join(folder, file)
  writeFileSync(path, content)
  const rpc = `http://127.0.0.1:${node.address().port}`
  return run(process.execPath, [join(folder, VERIFIER), path, '--rpc', rpc, '--bank', proof.bank, ...args])
}
const chainWith = (changes = {}) => ({
  chainId: '0xa4b1',
  [ROOT_SELECTOR]: root,
  [LAST_SELECTOR]: `0x${(99_999).toString(16).padStart(64, '0')}`,
  ...changes,
})

test('the checksum beside the verifier is its own', () => {
  const content = readFileSync(join(folder, VERIFIER))
  const sum = createHash('sha256').update(content).digest('hex')
  expect(readFileSync(join(folder, `${VERIFIER}.sha256`), 'utf8')).toBe(`${sum}  ${VERIFIER}\n`)
  expect(content.toString('utf8')).not.toMatch(/from "(?!node:)/)
})

test('a second build gives the same bytes, and the checksum that the document states', async () => {
  const again = mkdtempSync(join(tmpdir(), 'rif-verifier-again-'))
  try {
    await buildVerifier(again)
    const content = readFileSync(join(again, VERIFIER))
    expect(content.equals(readFileSync(join(folder, VERIFIER)))).toBe(true)
    expect(page).toContain(`\n${createHash('sha256').update(content).digest('hex')}\n`)
  } finally {
    rmSync(again, { recursive: true, force: true })
  }
})

test('the verifier accepts the proof of the document and refuses a forged one', async () => {
  answers = chainWith()
  const own = ['--address', proof.leaf.address]
  expect(await verify('proof.json', JSON.stringify(proof), own)).toMatchObject({ code: 0 })
  const forged = { ...proof, leaf: { ...proof.leaf, usdt: '999' } }
  expect(await verify('forged.json', JSON.stringify(forged), own)).toMatchObject({ code: 1 })
  const other = ['--address', members[0].address]
  expect(await verify('proof.json', JSON.stringify(proof), other)).toMatchObject({ code: 1 })
  answers = chainWith({ chainId: '0x1' })
  expect(await verify('proof.json', JSON.stringify(proof), own)).toMatchObject({ code: 1 })
  answers = chainWith({ [ROOT_SELECTOR]: `0x${'00'.repeat(32)}` })
  const unpublished = await verify('proof.json', JSON.stringify(proof), own)
  expect(unpublished).toMatchObject({ code: 1, output: expect.stringContaining('NOT_PUBLISHED') })
  expect(await verify('empty.json', '{}', own)).toMatchObject({ code: 2 })
})

test('the verifier accepts the list of leaves of the document and refuses a changed one', async () => {
  answers = chainWith()
  const u64 = (text) => Buffer.from(BigInt(text).toString(16).padStart(16, '0'), 'hex')
  const bytes = (hex) => Buffer.from(hex.slice(2), 'hex')
  const amounts = ({ usdt, amc, fund }) => Buffer.concat([usdt, amc, fund].map(u64))
  const { report } = proof
  const day = Buffer.alloc(4)
  day.writeUInt32BE(Date.parse(`${proof.day}T00:00:00Z`) / 86_400_000)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(report.leaves)
  const list = Buffer.concat([
    Buffer.from('RIFSOLV1'),
    u64(proof.chain_id),
    bytes(proof.bank),
    day,
    bytes(report.tree),
    count,
    amounts(report.members),
    u64(report.other.usdt),
    u64(report.other.amc),
    u64(report.fund_cash),
    u64(report.fund_invested),
    bytes(report.ledger_head),
    bytes(report.operators_head),
    ...leaves.flatMap((leaf, place) => [bytes(leaf), amounts(members[place])]),
  ])
  expect(await verify('leaves.bin', list)).toMatchObject({ code: 0 })
  list[list.length - 1] ^= 1
  expect(await verify('leaves.bin', list)).toMatchObject({ code: 1 })
})
