import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deployContracts } from '../local/deploy.ts'
import { readBankHoldings } from './bank-holdings.ts'
import { checkSignerRoles, connectChain } from './client.ts'
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
