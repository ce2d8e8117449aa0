import { fromRlp, type Hex, keccak256, parseTransaction, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../testing/test-chain.ts'
import { checkHeader, checkReceipts, createBloomCheck, type RpcHeader, type RpcReceipt } from './proof.ts'
import { provenHashes, type RpcTransaction, transactionBytes } from './transaction-hashes.ts'

let chain: TestChain
let headers: RpcHeader[]

const receiptsOf = ({ hash }: RpcHeader) => chain.rpc<RpcReceipt[]>('eth_getBlockReceipts', [hash])
const placeOf = ({ number, receiptsRoot }: RpcHeader) => ({ number: BigInt(number), receiptsRoot })

/** Blocks with none, one and many transactions, of the types 0 (legacy), 1 (EIP-2930) and 2 (EIP-1559). */
beforeAll(async () => {
  chain = await startTestChain({ automine: false })
  const [from, to] = chain.accounts
  const start = Number(await chain.rpc<string>('eth_getTransactionCount', [from, 'latest']))
  const gas = { gas: '0x7530', gasPrice: '0x174876e800' }
  for (let index = 0; index < 140; index++) {
    const price = [
      gas,
      { ...gas, accessList: [] },
      { gas: gas.gas, maxFeePerGas: gas.gasPrice, maxPriorityFeePerGas: gas.gasPrice },
    ][index % 3]
    await chain.rpc('eth_sendTransaction', [
      { from, to, value: '0x1', nonce: toHex(start + index), ...price },
    ])
  }
  await chain.mine(2)
  const head = Number(await chain.rpc<string>('eth_blockNumber'))
  headers = await Promise.all(
    Array.from({ length: head + 1 }, (_, number) =>
      chain.rpc<RpcHeader>('eth_getBlockByNumber', [toHex(number), false]),
    ),
  )
})
afterAll(() => chain.stop())

test('every header of a real chain hashes to its hash', () => {
  for (const header of headers) checkHeader(header)
})

test.each([
  ['stateRoot', keccak256('0x01')],
  ['parentHash', keccak256('0x01')],
  ['timestamp', '0x7'],
  ['number', '0x7'],
  ['number', 'nonsense'],
  ['receiptsRoot', null],
])('a header with another %s (%s) is refused', (field, value) => {
  expect(() => checkHeader({ ...headers[2]!, [field]: value })).toThrow(/does not have its hash/)
})

test('the receipts of every block have the root in its header', async () => {
  const counts = []
  const types = new Set<string | null | undefined>()
  for (const header of headers) {
    const receipts = await receiptsOf(header)
    checkReceipts(placeOf(header), receipts)
    counts.push(receipts.length)
    for (const { type } of receipts) types.add(type)
  }
  expect(Math.max(...counts)).toBeGreaterThan(128)
  expect(Math.min(...counts)).toBe(0)
  expect([...types].sort()).toEqual(['0x0', '0x1', '0x2'])
})

describe('receipts are refused', () => {
  const changed: [string, (receipts: RpcReceipt[]) => unknown[]][] = [
    ['when one is missing', (receipts) => receipts.slice(1)],
    ['when one is invented', (receipts) => [...receipts, receipts[0]]],
    ['in another order', (receipts) => receipts.toReversed()],
    ['of another type', (receipts) => receipts.map((receipt) => ({ ...receipt, type: '0x6a' }))],
    ['with another status', (receipts) => receipts.map((receipt) => ({ ...receipt, status: '0x0' }))],
    ['when malformed', () => [{}]],
  ]
  test.each(changed)('%s', async (_how, change) => {
    const header = headers.findLast(({ transactions }) => (transactions as Hex[]).length > 1)!
    const receipts = change(await receiptsOf(header)) as RpcReceipt[]
    expect(() => checkReceipts(placeOf(header), receipts)).toThrow(/^the receipts of block/)
  })
})

/**
 * The receipts of a block as Arbitrum's nodes return them: internal, deposit, submit retryable, retry,
 * unsigned, contract.
 */
const ARBITRUM_RECEIPTS = (() => {
  const word = (value: number) => toHex(value, { size: 32 })
  const of = (type: Hex, status: Hex, cumulativeGasUsed: Hex, ...logs: RpcReceipt['logs'][number][]) => ({
    type,
    status,
    cumulativeGasUsed,
    logs,
    logsBloom: toHex(0, { size: 256 }),
    // Only nodes of Arbitrum add these, and no hash covers them.
    gasUsedForL1: '0x0',
    l1BlockNumber: '0x12c04c1',
    timeboosted: false,
  })
  const created = { address: toHex(0x6e, { size: 20 }), topics: [word(0x7c), word(1)], data: '0x' } as const
  const transfer = {
    address: '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9',
    topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', word(0x11), word(0x22)],
    data: word(5_000_000),
  } as const
  return [
    of('0x6a', '0x1', '0x0'),
    of('0x64', '0x1', '0x0'),
    of('0x69', '0x1', '0x186a0', created),
    of('0x68', '0x1', '0x30d40', transfer),
    of('0x68', '0x0', '0x35b60'),
    of('0x65', '0x1', '0x4c4b4', transfer, transfer),
    of('0x66', '0x1', '0x5b8d8'),
    of('0x0', '0x1', '0x6b6c0', transfer),
    of('0x2', '0x1', '0x7a120'),
  ]
})()
/**
 * Returns their root by another implementation: RLP and trie of EthereumJS (`@ethereumjs/mpt` 10), over the
 * output of `Receipts.EncodeIndex` of OffchainLabs/go-ethereum, core/types/receipt.go: the type's byte before
 * the RLP for every type but 0.
 */
const ARBITRUM_ROOT = '0xe460a5c66fa8980942483be00dff3d8ed004f756ed33ff932288f1bea88e5153'

describe("receipts of a block with every type of Arbitrum's", () => {
  const header = { number: 201_326_592n, receiptsRoot: ARBITRUM_ROOT } as const
  const changes: [string, (receipt: RpcReceipt) => RpcReceipt][] = [
    ['as of a legacy transaction', (receipt) => ({ ...receipt, type: '0x0' })],
    ["of Arbitrum's next type", (receipt) => ({ ...receipt, type: toHex(Number(receipt.type) + 1) })],
    ['of the other outcome', (receipt) => ({ ...receipt, status: receipt.status === '0x1' ? '0x0' : '0x1' })],
    [
      'without its logs, or with one',
      ({ logs, ...rest }) => ({ ...rest, logs: logs.length ? [] : [TRANSFER] }),
    ],
  ]
  const TRANSFER = ARBITRUM_RECEIPTS[3]!.logs[0]!

  test('have the root that another implementation computes', () => {
    checkReceipts(header, ARBITRUM_RECEIPTS)
  })

  test.each(changes)('are refused with any one %s', (_how, change) => {
    for (const [index, receipt] of ARBITRUM_RECEIPTS.slice(0, 7).entries())
      expect(() => checkReceipts(header, ARBITRUM_RECEIPTS.with(index, change(receipt) as never))).toThrow(
        /do not have the root in its header/,
      )
  })
})

const transactionsOf = async ({ hash }: RpcHeader) =>
  (await chain.rpc<{ transactions: RpcTransaction[] }>('eth_getBlockByHash', [hash, true])).transactions
const rootOf = ({ number, transactionsRoot }: RpcHeader) => ({ number: BigInt(number), transactionsRoot })

test('the transactions of every block have the root in its header, and their hashes', async () => {
  for (const header of headers)
    expect(provenHashes(rootOf(header), await transactionsOf(header))).toEqual(header.transactions)
})

test.each([
  ['another amount', (transaction: RpcTransaction) => ({ ...transaction, value: '0x2' })],
  ['another sender of a signed one', (transaction: RpcTransaction) => ({ ...transaction, r: '0x1' })],
  ['another type', (transaction: RpcTransaction) => ({ ...transaction, type: '0x6a' })],
  ['an unknown type', (transaction: RpcTransaction) => ({ ...transaction, type: '0x7b' })],
  ['a missing field', ({ nonce: _, ...transaction }: RpcTransaction & { nonce?: Hex }) => transaction],
])('transactions with %s are refused', async (_what, change) => {
  const header = headers.findLast(({ transactions }) => (transactions as Hex[]).length > 1)!
  const [first, ...rest] = await transactionsOf(header)
  const changed = [change(first!) as RpcTransaction, ...rest]
  expect(() => provenHashes(rootOf(header), changed)).toThrow(/^the transactions of block/)
})

/** The first transaction of Arbitrum One's block 201,326,592, as returned by a node. */
const INTERNAL = {
  hash: '0x431a1c991fe68597f472ddd6e675570b5e1e0825ea90da5195709658e77bfede',
  type: '0x6a',
  chainId: '0xa4b1',
  nonce: '0x0',
  gas: '0x0',
  gasPrice: '0x0',
  value: '0x0',
  input: `0x6bf6a42d${[0, 0x12c04c1, 0xc000000, 0].map((word) => word.toString(16).padStart(64, '0')).join('')}`,
  v: '0x0',
  r: '0x0',
  s: '0x0',
} as const

test("the first transaction of a block of Arbitrum's, of its own type, hashes to its hash", () => {
  expect(keccak256(transactionBytes(INTERNAL))).toBe(INTERNAL.hash)
})

test('transactions with authorizations (EIP-7702) and with blobs (EIP-4844) are encoded as a wallet signs them', async () => {
  const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
  const authorization = await account.signAuthorization({
    address: account.address,
    chainId: 42161,
    nonce: 7,
  })
  const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 0n, gas: 21_000n }
  const call = {
    chainId: 42161,
    nonce: 300,
    to: account.address,
    value: 0n,
    data: '0x1234',
    ...fees,
  } as const
  const storage = { address: account.address, storageKeys: [INTERNAL.hash] }
  const blobs = { maxFeePerBlobGas: 5n, blobVersionedHashes: [`0x01${'22'.repeat(31)}`] as const }
  const signed = await Promise.all([
    account.signTransaction({ ...call, authorizationList: [authorization], accessList: [storage] }),
    account.signTransaction({ ...call, ...blobs, sidecars: undefined as never }),
  ])
  for (const [index, raw] of signed.entries()) {
    const { data: input, type: _, ...fields } = parseTransaction(raw)
    const inHex = (value: unknown): unknown => {
      if (typeof value === 'bigint' || typeof value === 'number') return toHex(value)
      if (Array.isArray(value)) return value.map(inHex)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, inHex(field)]))
    }
    const absent = { value: '0x0', maxPriorityFeePerGas: '0x0', accessList: [], type: ['0x4', '0x3'][index] }
    const transaction = { ...absent, ...(inHex(fields) as object), input } as unknown as RpcTransaction
    expect(toHex(transactionBytes(transaction))).toBe(raw)
  }
})

test.each([
  ['0x64', 5],
  ['0x65', 8],
  ['0x66', 8],
  ['0x68', 12],
  ['0x69', 13],
])("a transaction of Arbitrum's type %s has the %i fields of its Go structure", (type, count) => {
  const address = `0x${'11'.repeat(20)}` as Hex
  const integers = ['nonce', 'gas', 'value', 'maxFeePerGas', 'l1BaseFee', 'depositValue', 'retryValue']
  const refunds = ['maxSubmissionFee', 'maxRefund', 'submissionFeeRefund']
  const transaction = {
    ...Object.fromEntries([...integers, ...refunds].map((name) => [name, '0x0'])),
    type,
    chainId: '0xa4b1',
    from: address,
    to: null,
    retryTo: null,
    refundTo: address,
    beneficiary: address,
    input: '0x',
    retryData: '0x',
    hash: INTERNAL.hash,
    requestId: INTERNAL.hash,
    ticketId: INTERNAL.hash,
    ...(type === '0x64' && { to: address }),
  } as RpcTransaction
  const [typeByte, ...body] = transactionBytes(transaction)
  expect(toHex(typeByte!)).toBe(type)
  expect(fromRlp(Uint8Array.from(body), 'hex')).toHaveLength(count)
})

test('the bloom of a block contains the contracts and topics of its logs, and no others', async () => {
  const nobody = chain.accounts[9]!
  const logs = (await Promise.all(headers.map(receiptsOf))).flat().flatMap((receipt) => receipt.logs)
  const [log] = logs
  const header = headers.find(({ hash }) => hash === (log as unknown as { blockHash: string }).blockHash)!
  const mayHold = (contracts: Hex[], topics: Hex[]) => createBloomCheck(contracts, topics)(header.logsBloom)
  expect(mayHold([nobody, log!.address], [log!.topics[0]!])).toBe(true)
  expect(mayHold([nobody], [log!.topics[0]!])).toBe(false)
  expect(mayHold([log!.address], [keccak256('0x99')])).toBe(false)
})
