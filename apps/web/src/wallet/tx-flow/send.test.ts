import { encodeFunctionData, erc20Abi } from 'viem'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError, TransportError } from '../../lib/index.ts'
import { BANK, FAKE_CONFIG, fakeChain, hurry, OTHER, USDT } from '../../testing/fake-bank.ts'
import { FAKE_ACCOUNT, type Fate } from '../../testing/fake-wallet.ts'
import { FlowError, RpcError, walletErrorText, wrongAccount } from '../provider.ts'
import { type FlowEvent, readPending, writePending } from './flow-state.ts'
import {
  beginRun,
  type FlowDeps,
  guardFlow,
  isBatchUnsupported,
  rehearse,
  sendCall,
  settlePending,
} from './send.ts'

beforeEach(hurry)
afterEach(() => void vi.useRealTimers())

const KEY = 'approval:usdt'
const approval = (amount: bigint) => ({
  call: {
    to: USDT,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [BANK, amount] }),
  },
  previews: [],
})

/** A wallet, and what a flow needs that runs in it. */
function setUp({ mayAsk = true, isOriginalUsdt = false } = {}) {
  const chain = fakeChain({ isOriginalUsdt })
  const events: FlowEvent[] = []
  const controller = new AbortController()
  const deps: FlowDeps = {
    config: FAKE_CONFIG,
    provider: chain.wallet,
    dispatch: (event) => void events.push(event),
    signal: controller.signal,
    mayAsk,
  }
  const begin = async () => (await beginRun(KEY, deps))!
  return { ...chain, events, controller, deps, begin }
}

/** Returns the event that stops a flow whose body throws. */
async function stopOf(error: unknown, isShort = async () => false) {
  const { deps, events } = setUp()
  await guardFlow(deps, () => Promise.reject(error), isShort)
  return events.at(-1)
}

it.each<[Fate, string]>([
  ['mined', 'mined'],
  ['undone', 'reverted'],
  ['spedUp', 'replaced'],
  ['cancelled', 'replaced'],
])(
  'a transaction is stored as soon as the wallet has sent it, and no longer once it is %s',
  async (fate, outcome) => {
    const { wallet, events, begin } = setUp()
    const run = await begin()
    wallet.fates = ['held']
    const sending = sendCall(run, 'approveUsdt', approval(5n))
    await vi.waitFor(() => expect(readPending(KEY)).not.toBeNull())
    const [sent] = wallet.sent
    expect(readPending(KEY)).toEqual({
      step: 'approveUsdt',
      from: FAKE_ACCOUNT,
      hash: sent!.hash,
      nonce: 0,
      callsId: null,
    })
    expect(events.map(({ type }) => type)).toEqual(['started', 'asked', 'sent'])
    wallet.release(fate as 'mined')
    expect(await sending).toBe(outcome)
    expect(readPending(KEY)).toBeNull()
  },
)

it('the transaction names the chain, carries no value, and is sent once', async () => {
  const { wallet, begin } = setUp()
  await sendCall(await begin(), 'approveUsdt', approval(5n))
  const sends = wallet.requests.filter(({ method }) => method === 'eth_sendTransaction')
  const { call } = approval(5n)
  expect(sends.map(({ params }) => params)).toEqual([
    [{ from: FAKE_ACCOUNT, to: call.to, data: call.data, value: '0x0', chainId: '0xa4b1' }],
  ])
})

it('a wallet that was moved to another chain meanwhile is moved back before it sends', async () => {
  const { wallet, begin } = setUp()
  const run = await begin()
  wallet.chainId = 1
  await sendCall(run, 'approveUsdt', approval(5n))
  expect(wallet.chainId).toBe(42_161)
  wallet.chainId = 1
  wallet.failures = [{ method: 'wallet_switchEthereumChain', error: new RpcError(4001, 'no') }]
  await expect(sendCall(run, 'approveUsdt', approval(6n))).rejects.toMatchObject({ problem: 'wrongChain' })
  expect(wallet.sent).toHaveLength(1)
})

it('a wallet that does not know the chain gets it added', async () => {
  const { wallet, begin } = setUp()
  wallet.chainId = 1
  wallet.knownChains = [1]
  expect(await begin()).toMatchObject({ account: FAKE_ACCOUNT })
  expect(wallet.count('wallet_addEthereumChain')).toBe(1)
  expect(wallet.chainId).toBe(42_161)
})

it('nothing is stored for a transaction that the member refuses', async () => {
  const { wallet, begin } = setUp()
  const run = await begin()
  const refusal = new RpcError(4001, 'User rejected the request')
  wallet.failures = [{ method: 'eth_sendTransaction', error: refusal }]
  await expect(sendCall(run, 'approveUsdt', approval(5n))).rejects.toBe(refusal)
  expect(readPending(KEY)).toBeNull()
})

it('opens no wallet that has another account chosen by now, and names both accounts', async () => {
  const { wallet, begin } = setUp()
  const run = await begin()
  wallet.accounts = [OTHER]
  const error = await sendCall(run, 'approveUsdt', approval(5n)).catch((thrown) => thrown)
  expect(error).toEqual(wrongAccount(FAKE_ACCOUNT, OTHER))
  expect(walletErrorText(error)).toBe(
    'Your wallet has 0xeeee…eeee chosen. This needs 0x3792…1908. Change to it in the wallet and go on. Nothing was sent.',
  )
  expect(wallet.sent).toEqual([])
  // The same account in other letters, and a locked wallet, which asks for itself.
  wallet.accounts = [FAKE_ACCOUNT.toLowerCase()]
  await sendCall(run, 'approveUsdt', approval(5n))
  wallet.isLocked = true
  await sendCall(run, 'approveUsdt', approval(6n))
  expect(wallet.sent).toHaveLength(2)
})

it('a flow that may not ask opens no wallet: another chain or a locked wallet waits', async () => {
  const { wallet, deps } = setUp({ mayAsk: false })
  wallet.chainId = 1
  expect(await beginRun(KEY, deps)).toBeNull()
  wallet.chainId = 42_161
  wallet.isLocked = true
  expect(await beginRun(KEY, deps)).toBeNull()
  wallet.isLocked = false
  expect(await beginRun(KEY, deps)).toMatchObject({ account: FAKE_ACCOUNT })
  expect(new Set(wallet.requests.map(({ method }) => method))).toEqual(
    new Set(['eth_chainId', 'eth_accounts']),
  )
})

it('a wallet that stays locked when it is asked is a problem', async () => {
  const { wallet, begin } = setUp()
  wallet.isLocked = true
  await expect(begin()).rejects.toMatchObject({ problem: 'locked' })
})

it('after a reload a pending transaction is followed to its end without another request to the wallet', async () => {
  const { wallet, begin } = setUp({ mayAsk: false })
  const run = await begin()
  expect(await settlePending(run)).toBeNull()
  const { hash, nonce } = wallet.sendElsewhere(approval(5n).call)
  writePending(KEY, { step: 'approveUsdt', from: FAKE_ACCOUNT, hash, nonce, callsId: null })
  expect(await settlePending(run)).toEqual({ step: 'approveUsdt', outcome: 'mined' })
  expect(readPending(KEY)).toBeNull()
  expect(wallet.sent).toEqual([])
})

it('a transaction whose page is left stays stored', async () => {
  const { wallet, controller, begin } = setUp()
  const run = await begin()
  wallet.fates = ['held']
  const sending = sendCall(run, 'approveUsdt', approval(5n))
  await vi.waitFor(() => expect(readPending(KEY)).not.toBeNull())
  controller.abort(new Error('left'))
  await expect(sending).rejects.toThrow('left')
  expect(readPending(KEY)).not.toBeNull()
})

it('a call that would revert is refused before the wallet opens', async () => {
  const { usdt, wallet, begin } = setUp({ isOriginalUsdt: true })
  usdt.allowance = 3n
  await expect(rehearse(await begin(), approval(5n).call)).rejects.toThrow('reverted')
  expect(wallet.count('eth_sendTransaction')).toBe(0)
})

it('every error of a flow becomes one problem with its detail', async () => {
  const internal = { code: -32603, message: 'Internal JSON-RPC error.' }
  const stopped = (problem: string, detail: string | null = null) => ({ type: 'stopped', problem, detail })
  expect(await stopOf(new FlowError('mismatch', 'payer'))).toEqual(stopped('mismatch', 'payer'))
  expect(await stopOf(new FlowError('expired'))).toEqual(stopped('expired'))
  expect(await stopOf(new TransportError('network', 'away'))).toEqual(stopped('offline'))
  expect(await stopOf(new ApiError(400, 'ORDER_EXPIRED', 'over'))).toEqual(stopped('expired', 'over'))
  expect(await stopOf(new ApiError(400, 'ORDER_BANK_CLOSED', 'shut'))).toEqual(stopped('bankClosed', 'shut'))
  expect(await stopOf(new ApiError(500, 'UNKNOWN', 'down'))).toEqual(stopped('failed', 'down'))
  expect(await stopOf(new RpcError(4001, 'no'))).toEqual(stopped('rejected'))
  expect(await stopOf(internal)).toEqual(stopped('transferFailed'))
  expect(await stopOf(internal, async () => true)).toEqual(stopped('notEnoughTokens'))
  expect(await stopOf(internal, () => Promise.reject(new Error('away')))).toEqual(stopped('transferFailed'))
})

it('a flow whose page was left reports nothing', async () => {
  const { deps, controller, events } = setUp()
  controller.abort()
  await guardFlow(
    deps,
    () => Promise.reject(new Error('left')),
    async () => false,
  )
  expect(events).toEqual([])
})

it('only what says that batches are unsupported makes the steps go one by one', () => {
  for (const code of [4200, -32601, 5700, 5750, 5769])
    expect(isBatchUnsupported(new RpcError(code, 'x'))).toBe(true)
  for (const code of [4001, 5699, 5770, -32603])
    expect(isBatchUnsupported(new RpcError(code, 'x'))).toBe(false)
  expect(isBatchUnsupported(null)).toBe(false)
})
