import { amcTokenAbi, rifBankAbi, testUsdtAbi } from '@rif/contracts/abi'
import { createPublicClient, getAddress, http, parseEther } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestChain, type TestChain } from '../testing/test-chain.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.stop())

it('deploys a bank for the two tokens and gives test tokens on request', async () => {
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const { bank, usdt, amc } = chain.contracts
  expect(await client.readContract({ address: bank, abi: rifBankAbi, functionName: 'usdt' })).toBe(
    getAddress(usdt),
  )
  expect(await client.readContract({ address: bank, abi: rifBankAbi, functionName: 'amc' })).toBe(
    getAddress(amc),
  )
  const account = chain.accounts[5]!
  await chain.fund(account, { usdt: 7_000_000n, amc: parseEther('3') })
  const balance = { functionName: 'balanceOf', args: [account] } as const
  expect(await client.readContract({ address: usdt, abi: testUsdtAbi, ...balance })).toBe(7_000_000n)
  expect(await client.readContract({ address: amc, abi: amcTokenAbi, ...balance })).toBe(parseEther('3'))
})
