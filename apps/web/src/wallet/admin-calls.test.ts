import adminRoutes from 'virtual:api-routes/admin'
import type { BankCallBody, Proposal } from '@rif/api-schema'
import { rifBankAbi } from '@rif/contracts/abi'
import { decisionStatement } from '@rif/rules'
import {
  decodeFunctionData,
  getAddress,
  type Hex,
  recoverTypedDataAddress,
  sha256,
  stringToBytes,
} from 'viem'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { addRoutes, clearSession, saveToken } from '../lib/index.ts'
import { AMC, BANK, FAKE_CONFIG, fakeChain, hurry, OTHER, USDT } from '../testing/fake-bank.ts'
import { FAKE_ACCOUNT, type FakeWallet } from '../testing/fake-wallet.ts'
import { Refused, recordedServer } from '../testing/recorded-server.ts'
import { bankCallData, callBank, hashesOf, sendWith, signDecision } from './admin-calls.ts'
import { connectWallet, disconnectWallet } from './connection.ts'
import { FlowError, RpcError, walletErrorText } from './provider.ts'

const server = recordedServer()
addRoutes(adminRoutes)
beforeEach(hurry)
afterEach(() => {
  vi.useRealTimers()
  disconnectWallet()
  clearSession()
})

const PAUSE: BankCallBody = { bank: BANK, call: 'pauseOrders', subject: BANK }
const call = { to: BANK, data: bankCallData(FAKE_CONFIG, PAUSE) }
const send = (provider: FakeWallet, beforeSending?: () => Promise<unknown>) =>
  sendWith({ provider, account: FAKE_ACCOUNT }, FAKE_CONFIG, call, beforeSending)

/** Signs the operator in with a wallet. */
async function signIn(provider: FakeWallet) {
  await connectWallet({ id: 'test', name: 'Test', icon: null, provider }, FAKE_CONFIG)
  saveToken('token', FAKE_ACCOUNT)
}

it('a call is in a block, at once or later', async () => {
  const { wallet, bank } = fakeChain()
  expect(await send(wallet)).toBe(true)
  expect(bank.ordersPaused).toBe(true)
})

it('a call that its block undid is reported as undone, not as an error of the wallet', async () => {
  const { wallet, bank } = fakeChain()
  wallet.fates = ['undone']
  const error = await send(wallet).catch((thrown) => thrown)
  expect(bank.ordersPaused).toBe(false)
  expect(error).toEqual(new FlowError('undone'))
  expect(walletErrorText(error)).toBe(
    'The contract refused the transaction in its block. Nothing changed; the network fee was spent.',
  )
})

it('a call that the wallet sped up is followed to its end', async () => {
  const { wallet, bank } = fakeChain()
  wallet.fates = ['spedUp']
  expect(await send(wallet)).toBe(true)
  expect(bank.ordersPaused).toBe(true)
  const other = fakeChain().wallet
  other.fates = ['spedUpAndUndone']
  await expect(send(other)).rejects.toMatchObject({ problem: 'undone' })
})

it('a call that was cancelled in the wallet is never reported as sent', async () => {
  const { wallet, bank } = fakeChain()
  wallet.fates = ['cancelled']
  await expect(send(wallet)).rejects.toMatchObject({ problem: 'replaced' })
  expect(bank.ordersPaused).toBe(false)
})

it('a call that no block takes in a minute and a half counts as sent', async () => {
  const { wallet } = fakeChain()
  wallet.fates = ['held']
  const begun = Date.now()
  expect(await send(wallet)).toBe(false)
  expect(Date.now() - begun).toBe(90_000)
})

it('a call that the node fails to follow counts as sent, not as failed', async () => {
  const { wallet } = fakeChain()
  wallet.failures = [{ method: 'eth_getTransactionReceipt', error: new RpcError(-32005, 'limit exceeded') }]
  expect(await send(wallet)).toBe(false)
  expect(wallet.sent).toHaveLength(1)
})

it('a call that the contract refuses is neither announced nor sent', async () => {
  const { wallet, bank } = fakeChain()
  bank.ordersPaused = true
  const announce = vi.fn(async () => undefined)
  await expect(send(wallet, announce)).rejects.toMatchObject({ problem: 'contractRefuses' })
  expect(announce).not.toHaveBeenCalled()
  expect(wallet.sent).toEqual([])
})

it('the wallet is on the chain before the call is simulated, or nothing happens', async () => {
  const { wallet } = fakeChain()
  wallet.chainId = 1
  expect(await send(wallet)).toBe(true)
  expect(wallet.chainId).toBe(42_161)
  const stubborn = fakeChain().wallet
  stubborn.chainId = 1
  stubborn.failures = [{ method: 'wallet_switchEthereumChain', error: new RpcError(4001, 'no') }]
  await expect(send(stubborn)).rejects.toMatchObject({ problem: 'wrongChain' })
  expect(stubborn.count('eth_call') + stubborn.sent.length).toBe(0)
})

it('a call is announced to the server after its simulation and before the wallet sends it', async () => {
  const { wallet } = fakeChain()
  await signIn(wallet)
  server.recorded = { 'POST admin/emergency/calls': {} }
  const sentAtAnnouncement: number[] = []
  wallet.onRequest = (method) => {
    if (method === 'eth_sendTransaction') sentAtAnnouncement.push(server.arrived.length)
  }
  expect(await callBank(FAKE_CONFIG, PAUSE)).toBe(true)
  expect(server.arrived).toEqual([{ path: 'admin/emergency/calls', body: PAUSE }])
  expect(sentAtAnnouncement).toEqual([1])
})

it('a call that the server refuses to note is not sent', async () => {
  const { wallet } = fakeChain()
  await signIn(wallet)
  server.recorded = { 'POST admin/emergency/calls': new Refused(403, 'FORBIDDEN') }
  await expect(callBank(FAKE_CONFIG, PAUSE)).rejects.toMatchObject({ error: 'FORBIDDEN' })
  expect(wallet.sent).toEqual([])
})

it("a call to an address that is none of the product's banks is refused with the reason", async () => {
  const error = await callBank(FAKE_CONFIG, { ...PAUSE, bank: OTHER }).catch((thrown) => thrown)
  expect(walletErrorText(error)).toContain('not what you were shown (bank)')
})

it('calls are encoded as the contract reads them, a raise in units of its token', () => {
  const read = (what: Partial<BankCallBody>) =>
    decodeFunctionData({ abi: rifBankAbi, data: bankCallData(FAKE_CONFIG, { ...PAUSE, ...what }) })
  expect(read({})).toEqual({ functionName: 'pauseOrders' })
  expect(read({ call: 'executeHandOver' })).toEqual({ functionName: 'executeHandOver' })
  expect(read({ call: 'queueCapRaise', subject: USDT, cap: '60000.5' }).args).toEqual([
    getAddress(USDT),
    60_000_500_000n,
  ])
  const units = 60_000_500_000n * 10n ** 12n
  expect(read({ call: 'queueCapRaise', subject: AMC, cap: '60000.5' }).args).toEqual([getAddress(AMC), units])
  expect(read({ call: 'cancelCapRaise', subject: AMC })).toEqual({
    functionName: 'cancelCapRaise',
    args: [getAddress(AMC)],
  })
})

const NONCE: Hex = `0x${'07'.repeat(32)}`
const CONTENT = JSON.stringify({ summary: 'Pay 100 USDT from the reserve' })
const PROPOSAL = {
  proposal_id: '12',
  content: CONTENT,
  kind: 'treasury_payout',
  subject: '31',
  digest: sha256(stringToBytes(CONTENT)),
} as unknown as Proposal

/** Returns the statement that the server works out for a summary. */
function statementOf(summary: string) {
  const { kind, subject, digest } = PROPOSAL
  const decision = { proposalId: '12', kind, subject, digest, approve: true, reason: 'as agreed' }
  return decisionStatement(
    { ...decision, summary, nonce: NONCE, deadline: 1_900_000_000 },
    { chainId: 42_161, bank: BANK },
  )
}

const recordedStatement = (summary: string) => {
  const { domain, message, digest } = hashesOf(statementOf(summary))
  return { nonce: NONCE, deadline: 1_900_000_000, domain_hash: domain, message_hash: message, digest }
}

it('a decision is signed by the wallet exactly as the page shows it', async () => {
  const { wallet } = fakeChain()
  await signIn(wallet)
  server.recorded = {
    'POST admin/proposals/12/statement': recordedStatement('Pay 100 USDT from the reserve'),
    'POST admin/proposals/12/decide': { ...PROPOSAL, state: 'Done' },
  }
  const onSign = vi.fn()
  await signDecision(FAKE_CONFIG, PROPOSAL, { approve: true, reason: 'as agreed', onSign })
  const { nonce, signature } = server.arrived[1]!.body as { nonce: Hex; signature: Hex }
  const statement = statementOf('Pay 100 USDT from the reserve')
  expect(nonce).toBe(NONCE)
  expect(await recoverTypedDataAddress({ ...statement, signature } as never)).toBe(FAKE_ACCOUNT)
  expect(onSign).toHaveBeenCalledWith(hashesOf(statement))
})

it.each([
  ['digest', { ...PROPOSAL, content: CONTENT.replace('100', '900') }, 'Pay 900 USDT from the reserve'],
  ['hashes', PROPOSAL, 'Pay 900 USDT from the reserve'],
] as const)(
  'a decision whose %s differs is not signed, and the alarm says so',
  async (what, proposal, summary) => {
    const { wallet } = fakeChain()
    await signIn(wallet)
    server.recorded = { 'POST admin/proposals/12/statement': recordedStatement(summary) }
    const signing = signDecision(FAKE_CONFIG, proposal as Proposal, { approve: true, reason: 'as agreed' })
    const error = await signing.catch((thrown) => thrown)
    expect(walletErrorText(error)).toContain(`not what you were shown (${what})`)
    expect(wallet.count('eth_signTypedData_v4')).toBe(0)
  },
)

it('an answer of the wallet without a code is reported as an error of the wallet', async () => {
  const { wallet } = fakeChain()
  wallet.failures = [{ method: 'eth_sendTransaction', error: new Error('boom') }]
  expect(walletErrorText(await send(wallet).catch((thrown) => thrown))).toBe(
    'The wallet reported an error. Please try again.',
  )
})
