import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../config.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../testing/test-product.ts'
import { deposit, depositCalls } from './deposit.ts'

let product: TestProduct
let payer: TestMember
let dir: string
beforeAll(async () => {
  product = await startTestProduct()
  payer = await product.join(null)
  dir = await mkdtemp(join(tmpdir(), 'rif-deposit-'))
})
afterAll(async () => {
  await product.stop()
  await rm(dir, { recursive: true, force: true })
})

const PAPER = createHash('sha256').update('the contract of the harbour').digest('hex')

test('the printed calls, sent by a wallet, deposit exactly the amount with label and paper', async () => {
  const { chain, db } = product
  const calls = depositCalls(chain, {
    asset: 'USDT',
    micros: 12_500_000n,
    label: 'rent of März',
    documentHash: `0x${PAPER}`,
  })
  expect(calls.map(({ to }) => to)).toEqual([chain.contracts.usdt, chain.contracts.bank])
  for (const { to, data } of calls)
    await product.receiptOf(
      await product.testChain.rpc<Hex>('eth_sendTransaction', [{ from: payer.wallet, to, data }]),
    )
  await product.finalise()
  const { rows } = await sql<{ label: string }>`
    select depositor, label, asset, amount_micros as micros, document_hash as paper
    from revenue_deposits`.execute(db)
  expect(rows).toEqual([
    {
      depositor: payer.wallet.toLowerCase(),
      label: expect.any(String),
      asset: 'USDT',
      micros: 12_500_000n,
      paper: `0x${PAPER}`,
    },
  ])
  expect(Buffer.from(rows[0]!.label.slice(2), 'hex').toString().replaceAll('\0', '')).toBe('rent of März')
  expect((await product.audit()).filter(({ isNote }) => !isNote)).toEqual([])
})

test('refuses what the contract or the product would refuse, before anything is printed', async () => {
  const config = loadConfig({})
  const paper = join(dir, 'paper.pdf')
  await writeFile(paper, 'the contract of the harbour')
  await expect(deposit(config, ['USDT', '5', 'rent'])).rejects.toThrow('Usage: rif deposit')
  await expect(deposit(config, ['RIF', '5', 'rent', paper])).rejects.toThrow('USDT or AMC')
  for (const amount of ['0', '-5', '1,5', '1.0000001', 'five'])
    await expect(deposit(config, ['USDT', amount, 'rent', paper])).rejects.toThrow('decimal number above 0')
  await expect(deposit(config, ['USDT', '5', 'x'.repeat(33), paper])).rejects.toThrow('1 to 32 bytes')
  await expect(deposit(config, ['USDT', '5', 'rent', join(dir, 'none')])).rejects.toThrow('cannot be read')
})
