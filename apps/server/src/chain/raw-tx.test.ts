import { amcTokenAbi, rifBankAbi } from '@rif/contracts/abi'
import {
  type Address,
  decodeFunctionData,
  type Hash,
  type Hex,
  parseTransaction,
  type TransactionSerializedEIP1559,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  bankDomain,
  claimDigest,
  orderDigest,
  type SignableClaim,
  type SignableOrder,
} from './bank-messages.ts'
import { type Chain, connectChain } from './client.ts'
import { packOnChainId } from './onchain-id.ts'
import { approvalTxs, claimTx, payOrderTx } from './raw-tx.ts'
import { startTestBank, type TestBank } from './testing/test-bank.ts'

let bank: TestBank
let chain: Chain
let deadline: bigint

beforeAll(async () => {
  bank = await startTestBank()
  chain = await connectChain({ rpcUrls: [bank.rpcUrl], chainId: 42161, contracts: bank.contracts })
  deadline = (await bank.node.getBlock()).timestamp + 1800n
})
afterAll(() => bank.stop())

/** Treats a raw transaction like a wallet: takes receiver and data, and fills in the rest. */
const send = async (raw: Hex, from: Address): Promise<'success' | 'reverted'> => {
  const { to, data, value, chainId } = parseTransaction(raw as TransactionSerializedEIP1559)
  expect({ value, chainId }).toEqual({ value: undefined, chainId: 42161 })
  const hash: Hash = await bank.node.sendTransaction({ account: from, to: to!, data: data!, gas: 1_000_000n })
  return (await bank.node.waitForTransactionReceipt({ hash, checkReplacement: false })).status
}
const domain = () => bankDomain(42161, chain.contracts.bank)
const orderOf = (id: bigint): SignableOrder => ({
  orderId: packOnChainId(7n, id),
  payer: bank.account,
  deadline,
  package: 1n,
  limit: 200n,
  usdtAmount: 70_000_000n,
  amcAmount: 60n * 10n ** 18n,
})

describe('a quote', () => {
  const sign = (order: SignableOrder) =>
    privateKeyToAccount(bank.keys.quoteSigner).sign({ hash: orderDigest(domain(), order) })

  test('is paid with the signed transaction, once', async () => {
    const order = orderOf(1n)
    const raw = payOrderTx(chain, chain.contracts.bank, order, await sign(order))
    expect(await send(raw, bank.account)).toBe('success')
    expect(await send(raw, bank.account)).toBe('reverted')
  })

  test('is not accepted with a changed amount', async () => {
    const order = orderOf(2n)
    const signature = await sign(order)
    expect(
      await send(
        payOrderTx(chain, chain.contracts.bank, { ...order, usdtAmount: 1n }, signature),
        bank.account,
      ),
    ).toBe('reverted')
  })

  test('decodes to the signed contents', async () => {
    const order = orderOf(3n)
    const raw = payOrderTx(chain, chain.contracts.bank, order, await sign(order))
    const { to, data } = parseTransaction(raw as TransactionSerializedEIP1559)
    expect(to?.toLowerCase()).toBe(chain.contracts.bank.toLowerCase())
    const { functionName, args } = decodeFunctionData({ abi: rifBankAbi, data: data! })
    expect([functionName, args?.[0]]).toEqual(['payOrder', order])
  })
})

test('a claim is paid with the signed transaction, once, and not with a signature of the quote key', async () => {
  await bank.deposit('something to claim')
  const claim: SignableClaim = {
    withdrawalId: packOnChainId(7n, 1n),
    token: chain.contracts.usdt,
    to: bank.member,
    amount: 1_000_000n,
    deadline,
  }
  const hash = claimDigest(domain(), claim)
  const forged = await privateKeyToAccount(bank.keys.quoteSigner).sign({ hash })
  expect(await send(claimTx(chain, chain.contracts.bank, claim, forged), bank.member)).toBe('reverted')
  const raw = claimTx(
    chain,
    chain.contracts.bank,
    claim,
    await privateKeyToAccount(bank.keys.claimSigner).sign({ hash }),
  )
  expect(await send(raw, bank.member)).toBe('success')
  expect(await send(raw, bank.member)).toBe('reverted')
})

describe('approvals', () => {
  const amountsOf = (raws: Hex[]): bigint[] =>
    raws.map((raw) => {
      const { data } = parseTransaction(raw as TransactionSerializedEIP1559)
      const { functionName, args } = decodeFunctionData({ abi: amcTokenAbi, data: data! })
      expect([functionName, args?.[0]]).toEqual(['approve', chain.contracts.bank])
      return args![1] as bigint
    })
  const needed = (token: 'usdt' | 'amc', amount: bigint) =>
    approvalTxs(chain, chain.contracts.bank, { token, owner: bank.member, amount })

  test.each([
    ['usdt', [5n], [0n, 7n]],
    ['amc', [5n], [7n]],
  ] as const)(
    'of %s are exact, and reset first where the token asks for it',
    async (token, first, second) => {
      expect(amountsOf(await needed(token, 5n))).toEqual(first)
      for (const raw of await needed(token, 5n)) await send(raw, bank.member)
      expect(await needed(token, 5n)).toEqual([])
      expect(amountsOf(await needed(token, 7n))).toEqual(second)
      for (const raw of await needed(token, 7n)) await send(raw, bank.member)
      expect(await needed(token, 7n)).toEqual([])
    },
  )

  test('cannot be determined while the node is unreachable', async () => {
    const away = await connectChain({ rpcUrls: [bank.rpcUrl], chainId: 42161, contracts: bank.contracts })
    const broken = { ...away, contracts: { ...away.contracts, usdt: bank.member } }
    await expect(
      approvalTxs(broken, chain.contracts.bank, { token: 'usdt', owner: bank.member, amount: 1n }),
    ).rejects.toMatchObject({
      code: 'CHAIN_UNAVAILABLE',
    })
  })
})
