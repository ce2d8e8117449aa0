import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { deployContracts } from '../local/deploy.ts'
import { readBankHoldings } from './bank-holdings.ts'
import { ChainAway, checkSignerRoles, connectChain, openChain } from './client.ts'
import { type RpcProxy, startRpcProxy, type Tamper } from './testing/rpc-proxy.ts'
import { startTestBank, type TestBank } from './testing/test-bank.ts'

let bank: TestBank
let settings: Parameters<typeof connectChain>[0]

beforeAll(async () => {
  bank = await startTestBank()
  settings = { rpcUrls: [bank.rpcUrl], chainId: 42161, contracts: bank.contracts }
})
afterAll(() => bank.stop())

describe('connectChain', () => {
  test('accepts the deployed contracts and reads the decimals', async () => {
    expect((await connectChain(settings)).decimals).toEqual({ USDT: 6, AMC: 18 })
  })

  test('accepts a USDT with 18 decimals', async () => {
    const contracts = await deployContracts(bank, bank.keys, { usdtDecimals: 18 })
    expect((await connectChain({ ...settings, contracts })).decimals).toEqual({ USDT: 18, AMC: 18 })
  })

  test('refuses a USDT with other decimals', async () => {
    const contracts = await deployContracts(bank, bank.keys, { usdtDecimals: 8 as 6 })
    await expect(connectChain({ ...settings, contracts })).rejects.toThrow(/8 decimals, expected 6 or 18/)
  })

  test('refuses another chain id', async () => {
    await expect(connectChain({ ...settings, chainId: 1 })).rejects.toThrow(/is on chain 42161, expected 1$/)
  })

  test('refuses a node that does not answer, without showing its path', async () => {
    const rpcUrls = ['http://127.0.0.1:9/secret-key']
    await expect(connectChain({ ...settings, rpcUrls })).rejects.toThrow(
      /^the chain node at 127\.0\.0\.1:9 does not answer$/,
    )
  })

  test('refuses an address without code', async () => {
    const contracts = { ...bank.contracts, transfer: bank.member }
    await expect(connectChain({ ...settings, contracts })).rejects.toThrow(
      /no contract at the transfer address/,
    )
  })

  test('refuses another contract', async () => {
    const contracts = { ...bank.contracts, bank: bank.contracts.transfer }
    await expect(connectChain({ ...settings, contracts })).rejects.toThrow(/not the one of this version/)
  })

  test('refuses a bank deployed for another token', async () => {
    const { usdt } = await deployContracts(bank, bank.keys)
    const contracts = { ...bank.contracts, usdt }
    await expect(connectChain({ ...settings, contracts })).rejects.toThrow(/was made for another usdt/)
  })
})

describe('a check of three nodes', () => {
  const away = 'http://127.0.0.1:9/secret-key'
  const nodes: RpcProxy[] = []
  const open = async (...tampers: (Tamper | undefined)[]) => {
    for (const tamper of tampers) {
      const proxy = await startRpcProxy(bank.rpcUrl)
      proxy.setTamper(tamper)
      nodes.push(proxy)
    }
    const rpcUrls = [...nodes.slice(-tampers.length).map(({ url }) => url), away, away].slice(0, 3)
    return openChain({ ...settings, rpcUrls })
  }
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.close()
  })
  const otherChain: Tamper = ({ id, method }, answer) =>
    method === 'eth_chainId' ? { id, result: '0x1' } : answer
  const failing: Tamper = ({ id, method }, answer) =>
    method === 'eth_call' ? { id, error: { code: -32_603, message: 'internal error' } } : answer

  test('passes with a quorum, and sets the others aside', async () => {
    const { chain, check } = await open(undefined, otherChain, undefined)
    expect(check.isPassed()).toBe(false)
    await check.run()
    expect(check.isPassed()).toBe(true)
    expect(chain.decimals.USDT).toBe(6)
    expect(chain.nodes.report().map(({ state }) => state)).toEqual(['healthy', 'disagrees', 'healthy'])
  })

  test('is no refusal before a quorum refuses', async () => {
    const single = await open(otherChain)
    await expect(single.check.run()).rejects.toBeInstanceOf(ChainAway)
    const two = await open(otherChain, otherChain)
    const refused = await two.check.run().catch((error: unknown) => error)
    expect(refused).toMatchObject({ message: expect.stringContaining('is on chain 1, expected 42161') })
    expect(refused).not.toBeInstanceOf(ChainAway)
  })

  test('takes a node that fails for one that is away, not for a wrong setting', async () => {
    const { check } = await open(failing, failing, failing)
    await expect(check.run()).rejects.toBeInstanceOf(ChainAway)
    for (const node of nodes) node.setTamper(undefined)
    await check.run()
    expect(check.isPassed()).toBe(true)
  })

  test('gives decimals before it has passed only if the books know them', async () => {
    const { chain, check } = await open()
    expect(() => chain.decimals.USDT).toThrow('CHAIN_UNAVAILABLE')
    check.assume(18)
    expect(chain.decimals.USDT).toBe(18)
  })
})

test('checkSignerRoles detects a key without its role', async () => {
  const chain = await connectChain(settings)
  const quoteSigner = privateKeyToAddress(bank.keys.quoteSigner)
  const claimSigner = privateKeyToAddress(bank.keys.claimSigner)
  expect(await checkSignerRoles(chain, { quoteSigner, claimSigner })).toBeUndefined()
  expect(await checkSignerRoles(chain, { quoteSigner, claimSigner: quoteSigner })).toMatch(
    /does not hold CLAIM_SIGNER_ROLE/,
  )
  await expect(checkSignerRoles(chain, { quoteSigner: claimSigner, claimSigner })).rejects.toThrow(
    /does not hold QUOTE_SIGNER_ROLE/,
  )
})

test('readBankHoldings returns the balances of a past block', async () => {
  const chain = await connectChain(settings)
  const before = await bank.node.getBlockNumber()
  await bank.deposit('one whole USDT')
  const after = await bank.node.getBlockNumber()
  const none = { micros: 0n, dust: 0n }
  expect(await readBankHoldings(chain, before)).toEqual({ USDT: none, AMC: none })
  expect(await readBankHoldings(chain, after)).toEqual({ USDT: { micros: 1_000_000n, dust: 0n }, AMC: none })
})
