import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type LocalChain, startChain } from './chain.ts'

let dir: string
let chain: LocalChain
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'rif-chain-'))
  chain = await startChain({ dir, confirmations: 3 })
})
afterEach(async () => {
  await chain.stop()
  await rm(dir, { recursive: true, force: true })
})

function send(index: number): Promise<string> {
  const [from, to] = [chain.demoAccounts[index % 50], chain.demoAccounts[50]]
  return chain.rpc<string>('eth_sendTransaction', [{ from, to, value: '0x1' }])
}

async function isSaved(hash: string): Promise<boolean> {
  return (await readFile(join(dir, 'state.json'), 'utf8')).includes(hash.slice(2))
}

async function blockOf(hash: string): Promise<string | null | undefined> {
  return (await chain.rpc<{ blockHash: string | null } | null>('eth_getTransactionByHash', [hash]))?.blockHash
}

it('answers a transaction only once its block is on disk', async () => {
  const lost: string[] = []
  for (let index = 0; index < 100; index++) {
    const hash = await send(index)
    if (!(await isSaved(hash))) lost.push(hash)
  }
  expect(lost).toEqual([])
})

it('has the same transactions in the same blocks after the node was killed', async () => {
  const hashes = await Promise.all(Array.from({ length: 30 }, (_, index) => send(index)))
  const blocks = await Promise.all(hashes.map(blockOf))
  expect(blocks.every((hash) => typeof hash === 'string')).toBe(true)
  process.kill(chain.pid, 'SIGKILL')
  await chain.exited
  await chain.stop()
  chain = await startChain({ dir, confirmations: 3 })
  expect(await Promise.all(hashes.map(blockOf))).toEqual(blocks)
})

it('mines pending transactions when manual mining ends', async () => {
  await chain.rpc('evm_setAutomine', [false])
  const hash = await send(0)
  expect(await blockOf(hash)).toBeNull()
  await chain.rpc('evm_setAutomine', [true])
  expect(await blockOf(hash)).toMatch(/^0x/)
  expect(await isSaved(hash)).toBe(true)
})

it('mines more than fits into one block before it answers', async () => {
  await chain.rpc('evm_setAutomine', [false])
  // A contract whose creation loops until its ten million gas are used: three of them fill a block.
  const burn = { from: chain.demoAccounts[0], data: '0x5b5f56', gas: '0x989680' }
  const sent = Array.from({ length: 8 }, () => chain.rpc<string>('eth_sendTransaction', [burn]))
  const hashes = await Promise.all(sent)
  await chain.rpc('evm_setAutomine', [true])
  const blocks = await Promise.all(hashes.map(blockOf))
  expect(blocks).not.toContain(null)
  expect(new Set(blocks).size).toBeGreaterThan(1)
})

it('keeps the newest state when unsaved work ends while transactions are sent', async () => {
  const work = Array.from({ length: 6 }, () => chain.unsaved(async () => undefined))
  const hashes = await Promise.all(Array.from({ length: 30 }, (_, index) => send(index)))
  await Promise.all(work)
  const saved = await Promise.all(hashes.map(isSaved))
  expect(saved.every(Boolean)).toBe(true)
})
