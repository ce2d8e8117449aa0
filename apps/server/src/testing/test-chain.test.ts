import { expect, test } from 'vitest'
import { startTestChain } from './test-chain.ts'

test('a chain that was used before can be reorganised to its first blocks', async () => {
  const first = await startTestChain()
  await first.mine(600)
  await first.stop()
  const chain = await startTestChain()
  const height = BigInt(await chain.rpc<string>('eth_blockNumber'))
  await chain.mine(50)
  await chain.rpc('anvil_reorg', [50, []])
  expect(chain.rpcUrl).toBe(first.rpcUrl)
  expect(BigInt(await chain.rpc<string>('eth_blockNumber'))).toBeGreaterThan(height)
  expect(await chain.rpc<string>('eth_getCode', [chain.contracts.usdt, 'latest'])).not.toBe('0x')
  await chain.stop()
})
