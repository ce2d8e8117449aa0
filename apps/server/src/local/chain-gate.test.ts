import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { type Gate, openGate } from './chain-gate.ts'
import { createRelay } from './chain-relay.ts'

type Call = { id: number; method: string; params: unknown[] }

let gate: Gate
afterEach(() => gate.close())

/** A node that counts its changes, and a disk that is slow. */
async function open() {
  const node = { changes: 0, saved: 0, saves: 0 }
  gate = await openGate(
    {
      forward: async (body) => {
        const { id, method } = body as Call
        if (method === 'eth_sendTransaction') node.changes++
        await sleep(2)
        return { jsonrpc: '2.0', id, result: node.changes }
      },
    },
    async () => {
      const seen = node.changes
      await sleep(20)
      node.saved = seen
      node.saves++
    },
  )
  return node
}

function call(method: string, params: unknown[] = []) {
  return { jsonrpc: '2.0', id: 1, method, params }
}

it('shows nothing that has not been saved, however reads and changes interleave', async () => {
  const node = await open()
  const reads = Array.from({ length: 50 }, async (_, index) => {
    await sleep(index * 3)
    const { result } = (await gate.forward(call('eth_blockNumber'))) as { result: number }
    expect(result).toBeLessThanOrEqual(node.saved)
  })
  const changes = Array.from({ length: 10 }, async (_, index) => {
    await sleep(index * 11)
    await gate.forward(call('eth_sendTransaction'))
    expect(node.saved).toBeGreaterThan(0)
  })
  await Promise.all([...reads, ...changes])
  expect(node.saved).toBe(10)
})

it('saves waiting changes together', async () => {
  const node = await open()
  await Promise.all(Array.from({ length: 20 }, () => gate.forward(call('eth_sendTransaction'))))
  expect(node.saved).toBe(20)
  expect(node.saves).toBe(1)
})

it('answers over HTTP as well', async () => {
  await open()
  const response = await fetch(gate.rpcUrl, { method: 'POST', body: JSON.stringify(call('eth_chainId')) })
  expect(await response.json()).toMatchObject({ result: 0 })
})

it('reports a failed save to the sender of the change', async () => {
  gate = await openGate({ forward: async () => ({ result: 1 }) }, async () => {
    throw new Error('disk full')
  })
  await expect(gate.forward(call('evm_mine'))).rejects.toThrow('disk full')
})

it('lets browsers read, send, and sign only with demo accounts', async () => {
  await open()
  const relay = createRelay(gate, ['0xAA'])
  expect(await relay(call('eth_accounts'))).toMatchObject({ result: ['0xAA'] })
  expect(await relay(call('eth_call', [{}]))).toHaveProperty('result')
  expect(await relay(call('eth_sendRawTransaction', ['0x']))).toHaveProperty('result')
  expect(await relay(call('eth_sendTransaction', [{ from: '0xaa' }]))).toHaveProperty('result')
  expect(await relay(call('eth_sendTransaction', [{ from: '0xbb' }]))).toMatchObject({
    error: { code: 4100 },
  })
  expect(await relay(call('personal_sign', ['0x00', '0xbb']))).toMatchObject({ error: { code: 4100 } })
  for (const method of [
    'evm_mine',
    'anvil_setBalance',
    'anvil_impersonateAccount',
    'eth_sign',
    'debug_traceCall',
  ]) {
    expect(await relay(call(method))).toMatchObject({ error: { code: -32601 } })
  }
  expect(await relay([call('eth_chainId'), call('evm_mine')])).toMatchObject([{ result: 1 }, { error: {} }])
  expect(await relay('evm_mine')).toMatchObject({ error: { code: -32600 } })
  expect(await relay([])).toMatchObject({ error: { code: -32600 } })
})
