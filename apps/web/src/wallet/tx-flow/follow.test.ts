import { rifBankAbi } from '@rif/contracts/abi'
import { encodeFunctionData, type Hex } from 'viem'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { BANK, FAKE_CONFIG, fakeChain, hurry, OTHER } from '../../testing/fake-bank.ts'
import { FAKE_ACCOUNT, type Fate } from '../../testing/fake-wallet.ts'
import { createChainClient } from './chain-reads.ts'
import { followCall, followTx } from './follow.ts'

beforeEach(hurry)
afterEach(() => void vi.useRealTimers())

const abi = rifBankAbi
const data = encodeFunctionData({ abi, functionName: 'pauseOrders' })

/** Sends a pause with this fate. `presumed` is the nonce that the app takes for its own. */
async function send(fate: Fate, presumed?: number) {
  const { wallet, bank } = fakeChain()
  // Blocks before and after, so that a replacement must be looked for.
  for (let before = 0; before < 5; before++) wallet.sendElsewhere({ to: FAKE_ACCOUNT, data: '0x' })
  wallet.fates = [fate]
  const params = [{ from: FAKE_ACCOUNT, to: BANK, data }]
  const hash = (await wallet.request({ method: 'eth_sendTransaction', params })) as Hex
  const client = createChainClient(wallet, FAKE_CONFIG)
  const sent = { hash, from: FAKE_ACCOUNT, nonce: presumed ?? wallet.sent[0]!.nonce, to: BANK, data }
  const nonces: number[] = []
  const controller = new AbortController()
  const options = { signal: controller.signal, onNonce: (nonce: number) => void nonces.push(nonce) }
  return { wallet, bank, client, sent, options, nonces, controller }
}

it.each([
  ['mined', 'mined'],
  ['undone', 'reverted'],
  ['spedUp', 'replaced'],
  ['cancelled', 'replaced'],
] as const)('a transaction that is %s ends as %s', async (fate, outcome) => {
  const { client, sent, options } = await send(fate)
  expect(await followTx(client, sent, options)).toBe(outcome)
})

it.each([
  ['mined', 'mined'],
  ['undone', 'reverted'],
  ['spedUp', 'mined'],
  ['spedUpAndUndone', 'reverted'],
  ['cancelled', 'replaced'],
] as const)('a call whose transaction is %s ends as %s', async (fate, outcome) => {
  const { wallet, client, sent, options } = await send(fate)
  for (let after = 0; after < 20; after++) wallet.sendElsewhere({ to: FAKE_ACCOUNT, data: '0x' })
  expect(await followCall(client, sent, options.signal)).toBe(outcome)
})

it.each([
  [
    'another call of the contract',
    { to: BANK, data: encodeFunctionData({ abi, functionName: 'unpauseOrders' }) },
  ],
  ['the same call of another contract', { to: OTHER, data }],
])('a call in whose place the wallet sent %s was replaced', async (_what, by) => {
  const { wallet, client, sent, options } = await send('held')
  wallet.replace(by)
  expect(await followCall(client, sent, options.signal)).toBe('replaced')
})

it('a call whose replacement the node no longer has was replaced', async () => {
  const { wallet, client, sent, options } = await send('spedUp')
  wallet.onRequest = (method) => {
    if (method === 'eth_getBlockByNumber')
      wallet.failures = [{ method, error: new Error('missing trie node') }]
  }
  expect(await followCall(client, sent, options.signal)).toBe('replaced')
})

it('a transaction that the node lost waits as long as its nonce is free', async () => {
  const { wallet, client, sent, options, controller } = await send('dropped')
  const polls = () => wallet.count('eth_getTransactionReceipt')
  const following = followTx(client, sent, options)
  await vi.waitFor(() => expect(polls()).toBeGreaterThan(10))
  controller.abort(new Error('left'))
  await expect(following).rejects.toThrow('left')
})

it('a transaction with another nonce than assumed is mined, not replaced', async () => {
  const { wallet, client, sent, options, nonces } = await send('held', 3)
  const following = followTx(client, sent, options)
  await vi.waitFor(() => expect(wallet.count('eth_getTransactionByHash')).toBeGreaterThan(4))
  expect(nonces).toEqual([5])
  wallet.release('mined')
  expect(await following).toBe('mined')
})

it('a short absence from the node is no replacement', async () => {
  const { wallet, client, sent, options } = await send('dropped', 3)
  // Its assumed nonce is used, and the node shows the transaction before it was missing three times.
  let looks = 0
  wallet.onRequest = (method) => {
    if (method === 'eth_getTransactionByHash' && ++looks === 2) wallet.sendElsewhere({ to: BANK, data })
  }
  expect(await followTx(client, { ...sent, hash: sent.hash }, options)).toBe('mined')
})
