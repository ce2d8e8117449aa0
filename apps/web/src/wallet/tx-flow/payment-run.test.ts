import type { OrderStatus } from '@rif/api-schema'
import { amcTokenAbi, rifBankAbi } from '@rif/contracts/abi'
import { encodeFunctionData, getAddress, type Hex, recoverTypedDataAddress, serializeTransaction } from 'viem'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AMC, BANK, FAKE_CONFIG, fakeChain, hurry, OTHER, USDT } from '../../testing/fake-bank.ts'
import { FAKE_ACCOUNT, type FakeWallet } from '../../testing/fake-wallet.ts'
import { RpcError } from '../provider.ts'
import { type FlowEvent, flowReducer, idleFlow, readPending, writePending } from './flow-state.ts'
import type { Payable } from './payment-plan.ts'
import { runPayment } from './payment-run.ts'

beforeEach(hurry)
afterEach(() => void vi.useRealTimers())

const KEY = 'order:7'
const CHAIN_ID = 42_161
const ORDER_ID = (9n << 64n) | 7n
const DEADLINE = 2_000_000_000n
const TERMS = {
  orderId: ORDER_ID,
  payer: FAKE_ACCOUNT,
  package: 3n,
  limit: 100n,
  usdtAmount: 70_000_000n,
  amcAmount: 600n * 10n ** 18n,
  deadline: DEADLINE,
}
const SIGNATURE: Hex = `0x${'ab'.repeat(65)}`

const rawTx = (to: Hex, data: Hex) =>
  serializeTransaction({ type: 'eip1559', chainId: CHAIN_ID, to, data, value: 0n })
const rawPayment = (change: Partial<typeof TERMS> = {}) =>
  rawTx(
    BANK,
    encodeFunctionData({
      abi: rifBankAbi,
      functionName: 'payOrder',
      args: [{ ...TERMS, ...change }, SIGNATURE],
    }),
  )
const rawApproval = (token: Hex, amount: bigint, spender = BANK) =>
  rawTx(token, encodeFunctionData({ abi: amcTokenAbi, functionName: 'approve', args: [spender, amount] }))

type Chain = ReturnType<typeof fakeChain>

/** An order of 70 USDT and 600 AMC, as the member saw it, whose payment the server sees on the chain. */
function payableOn({ bank, usdt }: Chain, reports: Hex[] = []): Payable {
  return {
    key: KEY,
    chainOrderId: ORDER_ID,
    localId: 7n,
    payer: FAKE_ACCOUNT,
    bank: BANK,
    expiresAt: new Date(Number(DEADLINE) * 1_000).toISOString(),
    usdt: '70.000000',
    amc: '600.000000',
    buys: 'Package 3',
    package: 3n,
    limit: async () => 100n,
    status: async (): Promise<OrderStatus> => (bank.paid.has(ORDER_ID) ? 'Processing' : 'UnPaid'),
    approval: async (token) => {
      const isReset = token === 'usdt' && usdt.isOriginalUsdt && usdt.allowance > 0n
      return {
        tx: token === 'usdt' ? rawApproval(USDT, TERMS.usdtAmount) : rawApproval(AMC, TERMS.amcAmount),
        before: isReset ? [rawApproval(USDT, 0n)] : [],
      } as Awaited<ReturnType<Payable['approval']>>
    },
    payment: async () =>
      ({ tx: rawPayment(), deadline: new Date(Number(DEADLINE) * 1_000).toISOString() }) as Awaited<
        ReturnType<Payable['payment']>
      >,
    report: async (hash) => void reports.push(hash as Hex),
  }
}

/** Runs a payment to its end and returns the state that the page shows then. */
async function pay(wallet: FakeWallet, payable: Payable, mayAsk = true) {
  const events: FlowEvent[] = []
  const { signal } = new AbortController()
  await runPayment(payable, {
    config: FAKE_CONFIG,
    provider: wallet,
    dispatch: (event) => void events.push(event),
    signal,
    mayAsk,
  })
  return events.reduce(flowReducer, idleFlow)
}

const names = ({ calls }: FakeWallet) => calls.map(({ name }) => name)
/** An account with code, which cannot sign a permit. */
const plain = (chain: Chain) => {
  chain.wallet.code = '0x6001'
  return chain
}

it('pays with a signature for AMC, one approval and one payment, which carries the signature', async () => {
  const chain = fakeChain()
  const state = await pay(chain.wallet, payableOn(chain))
  expect(state).toMatchObject({ phase: 'done', finished: ['permitAmc', 'approveUsdt', 'pay'] })
  expect(chain.wallet.calls).toMatchObject([
    { name: 'approve', args: [getAddress(BANK), TERMS.usdtAmount] },
    {
      name: 'payOrderWithPermit',
      args: [TERMS, SIGNATURE, DEADLINE, expect.any(Number), expect.any(String), expect.any(String)],
    },
  ])
  const typed = chain.wallet.requests.find(({ method }) => method === 'eth_signTypedData_v4')!
  const { message, domain } = JSON.parse(typed.params[1] as string)
  expect(message).toMatchObject({
    owner: FAKE_ACCOUNT,
    spender: BANK,
    value: `${TERMS.amcAmount}`,
    deadline: `${DEADLINE}`,
  })
  expect(domain).toMatchObject({ chainId: CHAIN_ID, verifyingContract: AMC })
  const [, , , v, r, s] = chain.wallet.calls[1]!.args as [unknown, unknown, unknown, number, Hex, Hex]
  const signature = `${r}${s.slice(2)}${v.toString(16)}` as Hex
  const signed = JSON.parse(typed.params[1] as string)
  expect(await recoverTypedDataAddress({ ...signed, signature })).toBe(FAKE_ACCOUNT)
  expect([chain.usdt.allowance, chain.amc.allowance]).toEqual([0n, 0n])
})

it('an account with code approves both tokens, exactly the amounts, and pays', async () => {
  const chain = plain(fakeChain())
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({ phase: 'done' })
  expect(chain.wallet.calls).toEqual([
    { name: 'approve', args: [getAddress(BANK), TERMS.amcAmount] },
    { name: 'approve', args: [getAddress(BANK), TERMS.usdtAmount] },
    { name: 'payOrder', args: [TERMS, SIGNATURE] },
  ])
  expect(chain.wallet.count('eth_signTypedData_v4')).toBe(0)
})

it('an account that is delegated by EIP-7702 still signs', async () => {
  const chain = fakeChain()
  chain.wallet.code = `0xef0100${'22'.repeat(20)}`
  await pay(chain.wallet, payableOn(chain))
  expect(names(chain.wallet)).toEqual(['approve', 'payOrderWithPermit'])
})

it('an allowance of the original USDT is reset before it is replaced', async () => {
  const chain = plain(fakeChain({ isOriginalUsdt: true }))
  chain.usdt.allowance = 5n
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({ phase: 'done' })
  expect(chain.wallet.calls.map(({ args }) => args[1])).toEqual([
    TERMS.amcAmount,
    0n,
    TERMS.usdtAmount,
    SIGNATURE,
  ])
})

it('a wallet that cannot sign a permit approves instead', async () => {
  const chain = fakeChain()
  chain.wallet.failures = [{ method: 'eth_signTypedData_v4', error: new RpcError(4200, 'unsupported') }]
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({ phase: 'done' })
  expect(names(chain.wallet)).toEqual(['approve', 'approve', 'payOrder'])
})

it('a permit that the member refuses stops the payment, and nothing is sent', async () => {
  const chain = fakeChain()
  chain.wallet.failures = [{ method: 'eth_signTypedData_v4', error: new RpcError(4001, 'User rejected') }]
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({ phase: 'stopped', problem: 'rejected' })
  expect(chain.wallet.sent).toEqual([])
})

it('a token that names another contract in its domain gets no signature', async () => {
  const chain = fakeChain()
  const domain = chain.amc.views.eip712Domain
  chain.amc.views.eip712Domain = () => domain().with(4, OTHER)
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({
    problem: 'mismatch',
    detail: 'permit domain',
  })
  expect(chain.wallet.count('eth_signTypedData_v4')).toBe(0)
})

it('a wallet with batches gets approvals and payment at once, and is asked only once', async () => {
  const chain = fakeChain()
  chain.wallet.batches = 'success'
  // The fees of such an account may be paid by another one.
  chain.wallet.balance = 0n
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({ phase: 'done', finished: ['batch'] })
  const [{ calls, atomicRequired }] = chain.wallet.requests.find(
    ({ method }) => method === 'wallet_sendCalls',
  )!.params as [{ calls: { to: Hex }[]; atomicRequired: boolean }]
  expect(calls.map(({ to }) => to)).toEqual([AMC, USDT, BANK])
  expect(atomicRequired).toBe(true)
  expect(chain.wallet.count('eth_sendTransaction')).toBe(0)
  expect(readPending(KEY)).toBeNull()
})

it('a batch that fails takes nothing, and the payment can go on', async () => {
  const chain = fakeChain()
  chain.wallet.batches = 'failure'
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({
    phase: 'stopped',
    problem: 'transferFailed',
  })
  expect(chain.bank.paid.size).toBe(0)
})

it('a member who does not want batches pays step by step', async () => {
  const chain = fakeChain()
  chain.wallet.batches = 'success'
  chain.wallet.failures = [{ method: 'wallet_sendCalls', error: new RpcError(5750, 'upgrade rejected') }]
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({ phase: 'done' })
  expect(names(chain.wallet)).toEqual(['approve', 'payOrderWithPermit'])
})

it('a payment that the wallet sped up is found on the chain, reported, and done', async () => {
  const chain = plain(fakeChain())
  const reports: Hex[] = []
  chain.wallet.fates = ['mined', 'mined', 'spedUp']
  const paidIn: Hex = `0x${'fe'.repeat(32)}`
  Object.assign(chain.bank, {
    events: () => [
      { eventName: 'OrderPaid', args: { orderId: ORDER_ID, payer: FAKE_ACCOUNT }, hash: paidIn },
    ],
  })
  const payable = payableOn(chain, reports)
  let looks = 0
  // The server sees the payment a little later than the wallet.
  const status = async () =>
    (chain.bank.paid.size > 0 && ++looks > 3 ? 'Processing' : 'UnPaid') as OrderStatus
  expect(await pay(chain.wallet, { ...payable, status })).toMatchObject({ phase: 'done' })
  expect(names(chain.wallet)).toEqual(['approve', 'approve', 'payOrder'])
  expect(reports).toEqual([paidIn])
})

it('a payment that was cancelled in the wallet stops as replaced and is not sent again', async () => {
  const chain = plain(fakeChain())
  chain.wallet.fates = ['mined', 'mined', 'cancelled']
  const state = await pay(chain.wallet, payableOn(chain))
  expect(state).toMatchObject({ phase: 'stopped', problem: 'replaced' })
  expect(chain.wallet.sent).toHaveLength(3)
  // The next tap pays without new approvals.
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({ phase: 'done' })
  expect(chain.wallet.sent).toHaveLength(4)
})

it('an approval that was cancelled in the wallet stops before the payment', async () => {
  const chain = plain(fakeChain())
  chain.wallet.fates = ['cancelled']
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({ phase: 'stopped', problem: 'replaced' })
  expect(names(chain.wallet)).toEqual(['approve'])
})

it('a payment that its block undid is reported as failed, or as sold out when the copies are gone', async () => {
  const chain = plain(fakeChain())
  chain.wallet.fates = ['mined', 'mined', 'undone']
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({
    phase: 'stopped',
    problem: 'transferFailed',
  })
  chain.wallet.fates = ['undone']
  chain.wallet.onRequest = (method) => {
    if (method === 'eth_sendTransaction') chain.bank.copiesPaid = 100n
  }
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({ phase: 'stopped', problem: 'soldOut' })
})

it('a package that is sold out is refused before anything is asked of the wallet', async () => {
  const chain = fakeChain()
  chain.bank.copiesPaid = 100n
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({ phase: 'stopped', problem: 'soldOut' })
  expect(chain.wallet.sent).toEqual([])
  expect(chain.wallet.count('eth_signTypedData_v4')).toBe(0)
})

it('fund units have no copies to count', async () => {
  const chain = plain(fakeChain())
  chain.bank.copiesPaid = 100n
  chain.bank.limit = 1_000n
  const payment = async () => ({
    tx: rawPayment({ package: 0n, limit: 0n }),
    deadline: new Date(Number(DEADLINE) * 1_000).toISOString(),
  })
  const payable = { ...payableOn(chain), package: 0n, limit: async () => 0n, payment } as Payable
  expect(await pay(chain.wallet, payable)).toMatchObject({ phase: 'done' })
})

it.each<[string, Partial<typeof TERMS>]>([
  ['payer', { payer: OTHER }],
  ['order', { orderId: ORDER_ID + 1n }],
  ['USDT amount', { usdtAmount: TERMS.usdtAmount + 1n }],
  ['AMC amount', { amcAmount: TERMS.amcAmount + 1n }],
  ['limit of copies', { limit: 101n }],
])('a payment with another %s than shown stops before the wallet is asked', async (what, change) => {
  const chain = plain(fakeChain())
  const payment = async () => ({
    tx: rawPayment(change),
    deadline: new Date(Number(DEADLINE) * 1_000).toISOString(),
  })
  const payable = { ...payableOn(chain), payment } as Payable
  expect(await pay(chain.wallet, payable)).toMatchObject({
    phase: 'stopped',
    problem: 'mismatch',
    detail: what,
  })
  expect(chain.wallet.sent).toEqual([])
})

it.each([
  ['spender', rawApproval(USDT, TERMS.usdtAmount, OTHER)],
  ['approved amount', rawApproval(USDT, TERMS.usdtAmount + 1n)],
  ['contract', rawApproval(AMC, TERMS.usdtAmount)],
])('an approval with another %s than shown is not sent', async (what, tx) => {
  const chain = plain(fakeChain())
  chain.amc.allowance = TERMS.amcAmount
  const payable = { ...payableOn(chain), approval: async () => ({ tx, before: [] }) } as unknown as Payable
  expect(await pay(chain.wallet, payable)).toMatchObject({ problem: 'mismatch', detail: what })
  expect(chain.wallet.sent).toEqual([])
})

it('an order of another number on the chain, and a bank that is none of the product, stop at once', async () => {
  const chain = fakeChain()
  const payable = payableOn(chain)
  expect(await pay(chain.wallet, { ...payable, localId: 8n })).toMatchObject({
    problem: 'mismatch',
    detail: 'order',
  })
  expect(await pay(chain.wallet, { ...payable, bank: OTHER })).toMatchObject({
    problem: 'mismatch',
    detail: 'bank',
  })
  expect(chain.wallet.sent).toEqual([])
})

it('another account than the payer pays nothing', async () => {
  const chain = fakeChain()
  const state = await pay(chain.wallet, { ...payableOn(chain), payer: OTHER })
  expect(state).toMatchObject({ problem: 'wrongAccount', detail: `${OTHER} ${FAKE_ACCOUNT}` })
  expect(chain.wallet.sent).toEqual([])
})

it('too few tokens and no ether for the fee stop before the wallet is asked', async () => {
  const chain = fakeChain()
  chain.wallet.balance = 0n
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({ problem: 'notEnoughForFee' })
  chain.amc.balance = 1n
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({
    problem: 'notEnoughTokens',
    detail: 'AMC',
  })
  chain.usdt.balance = 1n
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({
    problem: 'notEnoughTokens',
    detail: 'USDT',
  })
  expect(chain.wallet.sent).toEqual([])
})

it('an error of the wallet without a cause is explained by the balances', async () => {
  const chain = plain(fakeChain())
  chain.wallet.failures = [{ method: 'eth_sendTransaction', error: { code: -32603, message: 'Internal' } }]
  chain.wallet.onRequest = (method) => {
    if (method === 'eth_sendTransaction') chain.usdt.balance = 0n
  }
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({
    phase: 'stopped',
    problem: 'notEnoughTokens',
  })
})

it('after a reload the pending payment is followed without asking, and then waits for the server', async () => {
  const chain = plain(fakeChain())
  chain.usdt.allowance = TERMS.usdtAmount
  chain.amc.allowance = TERMS.amcAmount
  const data = encodeFunctionData({ abi: rifBankAbi, functionName: 'payOrder', args: [TERMS, SIGNATURE] })
  const { hash, nonce } = chain.wallet.sendElsewhere({ to: BANK, data })
  writePending(KEY, { step: 'pay', from: FAKE_ACCOUNT, hash, nonce, callsId: null })
  expect(await pay(chain.wallet, payableOn(chain), false)).toMatchObject({ phase: 'done' })
  expect(chain.wallet.sent).toEqual([])
  expect(chain.wallet.count('eth_requestAccounts')).toBe(0)
})

it('after a reload an undone payment stops, and a finished approval waits for a tap', async () => {
  const chain = plain(fakeChain())
  const approve = encodeFunctionData({
    abi: amcTokenAbi,
    functionName: 'approve',
    args: [BANK, TERMS.amcAmount],
  })
  const { hash, nonce } = chain.wallet.sendElsewhere({ to: AMC, data: approve })
  writePending(KEY, { step: 'approveAmc', from: FAKE_ACCOUNT, hash, nonce, callsId: null })
  expect(await pay(chain.wallet, payableOn(chain), false)).toMatchObject({
    phase: 'idle',
    finished: ['approveAmc'],
  })
  const undone = chain.wallet.sendElsewhere({ to: AMC, data: approve }, 'undone')
  writePending(KEY, {
    step: 'approveAmc',
    from: FAKE_ACCOUNT,
    hash: undone.hash,
    nonce: undone.nonce,
    callsId: null,
  })
  expect(await pay(chain.wallet, payableOn(chain), false)).toMatchObject({
    phase: 'stopped',
    problem: 'transferFailed',
  })
  expect(chain.wallet.sent).toEqual([])
})

it('an order that was paid from elsewhere is not paid again', async () => {
  const chain = fakeChain()
  chain.bank.paid.add(ORDER_ID)
  expect(await pay(chain.wallet, payableOn(chain))).toMatchObject({ phase: 'done' })
  expect(chain.wallet.sent).toEqual([])
})

it('a payment that the server does not record for half a minute is to be looked at later', async () => {
  const chain = fakeChain()
  chain.bank.paid.add(ORDER_ID)
  const begun = Date.now()
  const status = async () => 'UnPaid' as const
  expect(await pay(chain.wallet, { ...payableOn(chain), status })).toMatchObject({
    phase: 'stopped',
    problem: 'checkLater',
  })
  expect(Date.now() - begun).toBe(30_000)
})

it('a closed order and an expired one are not paid', async () => {
  const chain = fakeChain()
  const status = async () => 'Cancelled' as const
  expect(await pay(chain.wallet, { ...payableOn(chain), status })).toMatchObject({ problem: 'closed' })
  const expiresAt = new Date(Date.now() - 1).toISOString()
  expect(await pay(chain.wallet, { ...payableOn(chain), expiresAt })).toMatchObject({ problem: 'expired' })
  expect(chain.wallet.sent).toEqual([])
})
