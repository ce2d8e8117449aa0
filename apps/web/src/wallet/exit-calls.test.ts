import type { AppConfig, TreasuryExit } from '@rif/api-schema'
import { rifBankAbi } from '@rif/contracts/abi'
import { type Address, encodeFunctionData, type Hex, serializeTransaction } from 'viem'
import { expect, it } from 'vitest'
import { checkExitTx } from './exit-calls.ts'

const account = (byte: string): Address => `0x${byte.repeat(20)}`
const [BANK, USDT, AMC, VAULT, THIEF] = ['b1', 'a1', 'a2', '7a', 'ee'].map(account) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]
const ID = 2n ** 200n + 7n

const config = {
  chain: { id: 42161 },
  contracts: { bank: BANK, usdt: USDT, amc: AMC },
  banks: [{ address: BANK }],
  decimals: { USDT: 6, AMC: 18 },
} as unknown as AppConfig
const exit = {
  exit_id: '31',
  bank: BANK,
  onchain_id: `${ID}`,
  kind: 'treasury_payout',
  product_id: null,
  asset: 'USDT',
  amount: '800.000000',
  destination: VAULT,
} as TreasuryExit
const terms = { exitId: ID, kind: 0, productId: 0n, token: USDT, to: VAULT, amount: 800_000_000n }

const rawTx = (functionName: string, args: readonly unknown[], to = BANK, chainId = 42161): Hex => {
  const data = encodeFunctionData({ abi: rifBankAbi, functionName, args } as never)
  return serializeTransaction({ type: 'eip1559', chainId, to, data, value: 0n })
}

it('passes exactly the exit that the page shows', () => {
  for (const step of ['announce', 'execute'] as const)
    expect(checkExitTx(config, exit, step, rawTx(`${step}Exit`, [terms])).to).toBe(BANK)
  expect(checkExitTx(config, exit, 'cancel', rawTx('cancelExit', [ID])).to).toBe(BANK)
  const invest = { ...exit, kind: 'fund_invest', product_id: '5' } as TreasuryExit
  const invested = rawTx('announceExit', [{ ...terms, kind: 1, productId: 5n }])
  expect(checkExitTx(config, invest, 'announce', invested).to).toBe(BANK)
})

it.each<[string, Partial<typeof terms>]>([
  ['exit', { exitId: 8n }],
  ['kind', { kind: 1 }],
  ['product', { productId: 1n }],
  ['token', { token: AMC }],
  ['destination', { to: THIEF }],
  ['amount', { amount: 800_000_001n }],
])('refuses a transaction with another %s', (what, change) => {
  const tx = rawTx('announceExit', [{ ...terms, ...change }])
  expect(() => checkExitTx(config, exit, 'announce', tx)).toThrow(what)
})

it('refuses another call, contract, chain, bank and id to cancel', () => {
  expect(() => checkExitTx(config, exit, 'announce', rawTx('executeExit', [terms]))).toThrow('function')
  expect(() => checkExitTx(config, exit, 'announce', rawTx('announceExit', [terms], THIEF))).toThrow(
    'contract',
  )
  expect(() => checkExitTx(config, exit, 'announce', rawTx('announceExit', [terms], BANK, 1))).toThrow(
    'chain',
  )
  const strange = { ...exit, bank: THIEF }
  expect(() => checkExitTx(config, strange, 'cancel', rawTx('cancelExit', [ID], THIEF))).toThrow('bank')
  expect(() => checkExitTx(config, exit, 'cancel', rawTx('cancelExit', [8n]))).toThrow('exit')
})
