import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestChain, type TestChain } from '../testing/test-chain.ts'
import { createRelay, type Relay } from './chain-relay.ts'

type Answer = { id: unknown; result?: unknown; error?: { code: number } }

let chain: TestChain
let relay: Relay
let operator: string
let member: string

beforeAll(async () => {
  chain = await startTestChain()
  const [first, ...others] = chain.accounts
  ;[operator, member] = [first!, others[0]!]
  relay = createRelay(chain, others)
})
afterAll(() => chain.stop())

const ask = async (method: string, params?: unknown) =>
  (await relay({ jsonrpc: '2.0', id: 1, method, params })) as Answer
const codeOf = async (method: string, params?: unknown) => (await ask(method, params)).error?.code

describe("browsers' access to the local chain", () => {
  it('allows reading, and sending and signing as a demo account', async () => {
    expect(await ask('eth_chainId')).toMatchObject({ result: '0xa4b1' })
    expect((await ask('eth_accounts')).result).not.toContain(operator)
    const tx = { from: member, to: member, value: '0x1' }
    expect(await ask('eth_sendTransaction', [tx])).toMatchObject({ result: expect.stringMatching(/^0x/) })
    expect(await ask('personal_sign', ['0x00', member.toLowerCase()])).toHaveProperty('result')
  })

  it('does not allow acting as the operator', async () => {
    const asOperator = [
      ['eth_sendTransaction', [{ from: operator, to: member, value: '0x1' }]],
      ['personal_sign', ['0x00', operator]],
      ['eth_signTypedData_v4', [operator, '{}']],
      ['eth_sendTransaction', [null]],
      ['eth_sendTransaction', []],
      ['eth_sendTransaction', [{ to: member }]],
    ] as const
    for (const [method, params] of asOperator) expect(await codeOf(method, params)).toBe(4100)
  })

  it.each([
    'anvil_setBalance',
    'anvil_impersonateAccount',
    'anvil_dumpState',
    'anvil_reset',
    'hardhat_setCode',
    'evm_mine',
    'evm_increaseTime',
    'debug_traceTransaction',
    'trace_block',
    'eth_sign',
    'eth_signTransaction',
    'eth_sendUnsignedTransaction',
    'txpool_content',
    'personal_unlockAccount',
    'wallet_sendTransaction',
    'ots_getBlockDetails',
    'rpc_modules',
    'eth_newFilter',
    'ETH_CALL',
    '',
    '__proto__',
    'constructor',
    'toString',
    'valueOf',
    'hasOwnProperty',
  ])('is not %s', async (method) => {
    expect(await codeOf(method, [member, member])).toBe(-32601)
  })

  it('allows only JSON-RPC, one request or a batch of at most 50', async () => {
    for (const body of [
      undefined,
      null,
      1,
      'eth_chainId',
      {},
      [],
      { id: 1, method: 5 },
      { id: 1, method: 'eth_call', params: {} },
    ])
      expect(await relay(body)).toMatchObject({ id: null, error: { code: -32600 } })
    const request = { jsonrpc: '2.0', id: 7, method: 'eth_blockNumber' }
    expect(await relay(Array(51).fill(request))).toMatchObject({ error: { code: -32600 } })
    const answers = await relay([request, { ...request, method: 'evm_mine' }, null])
    expect(answers).toMatchObject([{ result: expect.any(String) }, { error: { code: -32601 } }, { id: null }])
  })
})
