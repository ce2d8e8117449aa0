import { keccak256, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../testing/test-chain.ts'
import { checkHeader, checkReceipts, mayHoldEvents, type RpcHeader, type RpcReceipt } from './proof.ts'

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
    await checkReceipts(placeOf(header), receipts)
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
    const header = headers.findLast(({ transactions }) => transactions.length > 1)!
    const receipts = change(await receiptsOf(header)) as RpcReceipt[]
    await expect(checkReceipts(placeOf(header), receipts)).rejects.toThrow(/^the receipts of block/)
  })
})

test('the bloom of a block contains the contracts and topics of its logs, and no others', async () => {
  const nobody = chain.accounts[9]!
  const logs = (await Promise.all(headers.map(receiptsOf))).flat().flatMap((receipt) => receipt.logs)
  const [log] = logs
  const header = headers.find(({ hash }) => hash === (log as unknown as { blockHash: string }).blockHash)!
  expect(mayHoldEvents(header.logsBloom, [nobody, log!.address], [log!.topics[0]!])).toBe(true)
  expect(mayHoldEvents(header.logsBloom, [nobody], [log!.topics[0]!])).toBe(false)
  expect(mayHoldEvents(header.logsBloom, [log!.address], [keccak256('0x99')])).toBe(false)
})
