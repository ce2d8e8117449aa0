import adminRoutes from 'virtual:api-routes/admin'
import type { AppConfig, TreasuryExit } from '@rif/api-schema'
import { rifBankAbi } from '@rif/contracts/abi'
import { type Address, encodeFunctionData, type Hex, serializeTransaction } from 'viem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addRoutes, clearSession, saveToken } from '../lib/index.ts'
import { FAKE_CONFIG, fakeChain, hurry } from '../testing/fake-bank.ts'
import { FAKE_ACCOUNT } from '../testing/fake-wallet.ts'
import { recordedServer } from '../testing/recorded-server.ts'
import { connectWallet, disconnectWallet } from './connection.ts'
import { checkExitTx, sendExitStep } from './exit-calls.ts'
import { walletErrorText } from './provider.ts'

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

describe('a step of an exit', () => {
  const server = recordedServer()
  addRoutes(adminRoutes)
  beforeEach(async () => {
    hurry()
    saveToken('token', FAKE_ACCOUNT)
  })
  afterEach(() => {
    vi.useRealTimers()
    disconnectWallet()
    clearSession()
  })

  const connect = async () => {
    const chain = fakeChain()
    await connectWallet({ id: 'test', name: 'Test', icon: null, provider: chain.wallet }, FAKE_CONFIG)
    return chain
  }
  const record = (step: string, tx: Hex) => {
    server.recorded[`GET admin/treasury/exits/31/tx/${step}`] = { raw_tx: tx }
  }

  it('is fetched, checked and sent exactly as it was checked', async () => {
    const { wallet, bank } = await connect()
    record('announce', rawTx('announceExit', [terms]))
    expect(await sendExitStep(FAKE_CONFIG, exit, 'announce')).toBe(true)
    record('cancel', rawTx('cancelExit', [ID]))
    expect(await sendExitStep(FAKE_CONFIG, exit, 'cancel')).toBe(true)
    expect(wallet.calls.map(({ name }) => name)).toEqual(['announceExit', 'cancelExit'])
    expect(bank.cancelled).toEqual([ID])
  })

  it('that pays somebody else is stopped with what differs, before the wallet is asked', async () => {
    const { wallet } = await connect()
    record('announce', rawTx('announceExit', [{ ...terms, to: THIEF }]))
    const error = await sendExitStep(FAKE_CONFIG, exit, 'announce').catch((thrown) => thrown)
    expect(walletErrorText(error)).toContain('not what you were shown (destination)')
    expect(wallet.count('eth_sendTransaction')).toBe(0)
  })

  it('that its block undid is reported as undone', async () => {
    const { wallet } = await connect()
    record('cancel', rawTx('cancelExit', [ID]))
    wallet.fates = ['undone']
    await expect(sendExitStep(FAKE_CONFIG, exit, 'cancel')).rejects.toMatchObject({ problem: 'undone' })
  })
})
