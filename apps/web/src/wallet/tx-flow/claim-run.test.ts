import type { AppConfig, Withdrawal } from '@rif/api-schema'
import { rifBankAbi } from '@rif/contracts/abi'
import { encodeFunctionData, type Hex, serializeTransaction } from 'viem'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { BANK, FAKE_CONFIG, FakeBank, fakeChain, hurry, OTHER, USDT } from '../../testing/fake-bank.ts'
import { FAKE_ACCOUNT, FakeWallet } from '../../testing/fake-wallet.ts'
import { recordedServer } from '../../testing/recorded-server.ts'
import { runClaims } from './claim-run.ts'
import { type FlowEvent, flowReducer, idleFlow, writePending } from './flow-state.ts'

const server = recordedServer()
beforeEach(hurry)
afterEach(() => void vi.useRealTimers())

const SIGNATURE: Hex = `0x${'ab'.repeat(65)}`
const DEADLINE = 2_000_000_000n
const chainIdOf = (id: bigint) => (9n << 64n) | id
const CONFIG = { ...FAKE_CONFIG, banks: [{ address: BANK }, { address: OTHER }] } as AppConfig

const withdrawal = (id: bigint) =>
  ({
    withdraw_id: `${id}`,
    chain_withdrawal_id: `${chainIdOf(id)}`,
    status: 'Withdrawable',
    asset: 'USDT',
    receives: '39.000000',
    address: FAKE_ACCOUNT,
    tx_hash: null,
  }) as unknown as Withdrawal

const voucherOf = (id: bigint) => ({
  withdrawalId: chainIdOf(id),
  token: USDT,
  to: FAKE_ACCOUNT,
  amount: 39_000_000n,
  deadline: DEADLINE,
})
const claimData = (id: bigint, change: Partial<ReturnType<typeof voucherOf>> = {}) =>
  encodeFunctionData({
    abi: rifBankAbi,
    functionName: 'claim',
    args: [{ ...voucherOf(id), ...change }, SIGNATURE],
  })

/** The server's answer to a claim. */
const claimOf = (id: bigint, change: Partial<ReturnType<typeof voucherOf>> = {}, bank: Hex = BANK) => ({
  tx: serializeTransaction({
    type: 'eip1559',
    chainId: 42_161,
    to: bank,
    data: claimData(id, change),
    value: 0n,
  }),
  deadline: new Date(Number(DEADLINE) * 1_000).toISOString(),
  bank,
})

/** Records the withdrawals as open while they are read first, and as paid afterwards. */
function record(...ids: bigint[]) {
  for (const id of ids) {
    server.recorded[`GET withdraw/${id}`] = [
      withdrawal(id),
      withdrawal(id),
      { ...withdrawal(id), status: 'Success' },
    ]
    server.recorded[`GET withdraw/claim/${id}`] = claimOf(id)
  }
}

/** Claims withdrawals and returns the state that the page shows then. */
async function claim(
  wallet: FakeWallet,
  ids: readonly bigint[],
  { mayAsk = true, shown = ids.map(withdrawal) } = {},
) {
  const events: FlowEvent[] = []
  await runClaims('claims:all', shown, {
    config: CONFIG,
    provider: wallet,
    dispatch: (event) => void events.push(event),
    signal: new AbortController().signal,
    mayAsk,
  })
  return events.reduce(flowReducer, idleFlow)
}

/** A chain with this bank and a former one, which has the same claims. */
function setUp() {
  const { bank, usdt, amc } = fakeChain()
  const former = new FakeBank(usdt, amc)
  return { wallet: new FakeWallet({ [BANK]: bank, [OTHER]: former }), bank, former }
}
const names = ({ calls }: FakeWallet) => calls.map(({ name }) => name)

it('one withdrawal is claimed with its voucher, and done once the server has recorded it', async () => {
  const { wallet, bank } = setUp()
  record(7n)
  expect(await claim(wallet, [7n])).toMatchObject({ phase: 'done', finished: ['claim'] })
  expect(wallet.sent.map(({ to, data }) => ({ to, data }))).toEqual([
    { to: expect.stringMatching(/^0xb1/i), data: claimData(7n) },
  ])
  expect([...bank.claimed]).toEqual([chainIdOf(7n)])
})

it('several withdrawals of one bank are claimed in one transaction', async () => {
  const { wallet } = setUp()
  record(7n, 8n)
  expect(await claim(wallet, [7n, 8n])).toMatchObject({ phase: 'done' })
  expect(wallet.calls).toMatchObject([
    {
      name: 'claimMany',
      args: [
        [{ withdrawalId: chainIdOf(7n) }, { withdrawalId: chainIdOf(8n) }],
        [SIGNATURE, SIGNATURE],
      ],
    },
  ])
})

it('withdrawals of two banks are claimed in two transactions', async () => {
  const { wallet, bank, former } = setUp()
  record(7n, 8n)
  server.recorded['GET withdraw/claim/8'] = claimOf(8n, {}, OTHER)
  expect(await claim(wallet, [7n, 8n])).toMatchObject({ phase: 'done' })
  expect(names(wallet)).toEqual(['claim', 'claim'])
  expect([[...bank.claimed], [...former.claimed]]).toEqual([[chainIdOf(7n)], [chainIdOf(8n)]])
})

it.each([
  ['receiver', { to: OTHER }],
  ['token', { token: OTHER }],
  ['amount', { amount: 38_999_999n }],
  ['withdrawal', { withdrawalId: chainIdOf(8n) }],
])('a voucher with another %s than shown is not sent', async (what, change) => {
  const { wallet } = setUp()
  record(7n)
  server.recorded['GET withdraw/claim/7'] = claimOf(7n, change)
  expect(await claim(wallet, [7n])).toMatchObject({ phase: 'stopped', problem: 'mismatch', detail: what })
  expect(wallet.sent).toEqual([])
})

it('a withdrawal of another number on the chain, and a bank that is none of the product, are refused', async () => {
  const { wallet } = setUp()
  record(7n)
  const shown = [{ ...withdrawal(7n), chain_withdrawal_id: `${chainIdOf(8n)}` }]
  expect(await claim(wallet, [7n], { shown })).toMatchObject({ problem: 'mismatch', detail: 'withdrawal' })
  server.recorded['GET withdraw/claim/7'] = claimOf(7n, {}, `0x${'dd'.repeat(20)}`)
  expect(await claim(wallet, [7n])).toMatchObject({ problem: 'mismatch', detail: 'bank' })
  expect(wallet.sent).toEqual([])
})

it('what a bank has paid already, also a former one, is not claimed again', async () => {
  const { wallet, former } = setUp()
  former.claimed.add(chainIdOf(7n))
  record(7n)
  server.recorded['GET withdraw/7'] = { ...withdrawal(7n), tx_hash: `0x${'aa'.repeat(32)}` }
  expect(await claim(wallet, [7n])).toMatchObject({ phase: 'done' })
  expect(wallet.sent).toEqual([])
})

it('a claim that was cancelled in the wallet stops as replaced, and the next tap claims', async () => {
  const { wallet } = setUp()
  record(7n)
  wallet.fates = ['cancelled']
  expect(await claim(wallet, [7n])).toMatchObject({ phase: 'stopped', problem: 'replaced' })
  expect(await claim(wallet, [7n])).toMatchObject({ phase: 'done' })
  expect(wallet.sent).toHaveLength(2)
})

it('a claim that the wallet sped up is done', async () => {
  const { wallet } = setUp()
  record(7n)
  wallet.fates = ['spedUp']
  expect(await claim(wallet, [7n])).toMatchObject({ phase: 'done' })
  expect(wallet.sent).toHaveLength(1)
})

it('a claim that its block undid is reported as failed', async () => {
  const { wallet } = setUp()
  record(7n)
  wallet.fates = ['undone']
  expect(await claim(wallet, [7n])).toMatchObject({ phase: 'stopped', problem: 'transferFailed' })
})

it('a withdrawal that was closed meanwhile is not claimed', async () => {
  const { wallet } = setUp()
  record(7n)
  server.recorded['GET withdraw/7'] = { ...withdrawal(7n), status: 'Cancelled' }
  expect(await claim(wallet, [7n])).toMatchObject({ phase: 'stopped', problem: 'closed' })
  expect(wallet.sent).toEqual([])
})

it('a wallet without ether is told before it is asked', async () => {
  const { wallet } = setUp()
  record(7n)
  wallet.balance = 0n
  expect(await claim(wallet, [7n])).toMatchObject({ phase: 'stopped', problem: 'notEnoughForFee' })
  expect(wallet.sent).toEqual([])
})

it('after a reload a pending claim is followed without asking; one that is not sent waits for a tap', async () => {
  const { wallet } = setUp()
  record(7n)
  expect(await claim(wallet, [7n], { mayAsk: false })).toMatchObject({ phase: 'idle' })
  const { hash, nonce } = wallet.sendElsewhere({ to: BANK, data: claimData(7n) })
  writePending('claims:all', { step: 'claim', from: FAKE_ACCOUNT, hash, nonce, callsId: null })
  expect(await claim(wallet, [7n], { mayAsk: false })).toMatchObject({ phase: 'done' })
  expect(wallet.sent).toEqual([])
})

it('a claim that was undone before a reload stops instead of claiming again by itself', async () => {
  const { wallet } = setUp()
  record(7n)
  const { hash, nonce } = wallet.sendElsewhere({ to: BANK, data: claimData(7n) }, 'undone')
  writePending('claims:all', { step: 'claim', from: FAKE_ACCOUNT, hash, nonce, callsId: null })
  expect(await claim(wallet, [7n])).toMatchObject({ phase: 'stopped', problem: 'transferFailed' })
  expect(wallet.sent).toEqual([])
})

it('a claim that the server does not record for half a minute is to be looked at later', async () => {
  const { wallet, bank } = setUp()
  bank.claimed.add(chainIdOf(7n))
  record(7n)
  server.recorded['GET withdraw/7'] = withdrawal(7n)
  expect(await claim(wallet, [7n])).toMatchObject({ phase: 'stopped', problem: 'checkLater' })
})

it('a server that cannot be reached stops a claim as offline', async () => {
  const { wallet } = setUp()
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
  expect(await claim(wallet, [7n])).toMatchObject({ phase: 'stopped', problem: 'offline' })
  expect(wallet.sent).toEqual([])
})
