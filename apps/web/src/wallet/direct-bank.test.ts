import type { BankCallBody, BankFacts } from '@rif/api-schema'
import { rifBankAbi } from '@rif/contracts/abi'
import { erc20Abi, getAddress, type Hex, keccak256, toBytes, zeroHash } from 'viem'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AMC, BANK, FAKE_CONFIG, hurry, OTHER, USDT } from '../testing/fake-bank.ts'
import { FAKE_ACCOUNT, type FakeContract, FakeWallet } from '../testing/fake-wallet.ts'
import {
  callDirectBank,
  cancelDirectExit,
  connectDirect,
  readDirectBank,
  readDirectExit,
} from './direct-bank.ts'

beforeEach(hurry)
afterEach(() => void vi.useRealTimers())

const FACTS = { ...FAKE_CONFIG, former_banks: [] } as unknown as BankFacts
const [KEY, GUARDIAN, VAULT, SUCCESSOR] = ['51', '52', '53', '54'].map((byte) =>
  getAddress(`0x${byte.repeat(20)}`),
) as [Hex, Hex, Hex, Hex]
const DAY = 86_400n
const PAUSER = keccak256(toBytes('PAUSER_ROLE'))
const isUsdt = (token: Hex) => token.toLowerCase() === USDT

/** A bank in which every kind of change waits, and whose pauser is the wallet. */
function setUp() {
  const made: string[] = []
  let isClosed = false
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void made.push(`${name} ${args.join()}`.trim())
  const bank: FakeContract = {
    abi: rifBankAbi,
    views: {
      handedOver: () => isClosed,
      hasRole: (role: Hex, account: Hex) => role === PAUSER && account === FAKE_ACCOUNT,
      getRoleMembers: () => [KEY],
      ordersPaused: () => true,
      queuedClaimSigners: () => [{ account: OTHER, executableAt: DAY }],
      queuedGuardianRemovals: () => [{ account: GUARDIAN, executableAt: 2n * DAY }],
      queuedDestinations: () => [{ account: VAULT, executableAt: 3n * DAY }],
      pendingHandOver: () => [SUCCESSOR, 4n * DAY],
      dailyCap: (token: Hex) => (isUsdt(token) ? 50_000_000_000n : 10n ** 23n),
      remainingToday: (token: Hex) => (isUsdt(token) ? 40_000_000_001n : 10n ** 18n),
      pendingCapRaise: (token: Hex) => (isUsdt(token) ? [60_000_000_000n, 5n * DAY] : [0n, 0n]),
      exitOf: (exitId: bigint) => (exitId === 7n ? [1, 6n * DAY, zeroHash] : [0, 0n, zeroHash]),
    },
    effects: Object.fromEntries(
      ['pauseOrders', 'cancelCapRaise', 'queueCapRaise', 'cancelExit'].map((name) => [name, note(name)]),
    ),
    refuses: (_name, args) => (args[0] === 8n ? { errorName: 'ExitNotAnnounced', args: [8n] } : null),
  }
  const token = (decimals: number): FakeContract => ({ abi: erc20Abi, views: { decimals: () => decimals } })
  const provider = new FakeWallet({ [BANK]: bank, [USDT]: token(6), [AMC]: token(18) })
  const close = () => {
    isClosed = true
  }
  return { provider, wallet: { provider, account: FAKE_ACCOUNT }, made, close }
}

it('reads through the wallet what the bank allows, and every change that waits in public', async () => {
  const { wallet } = setUp()
  const bank = await readDirectBank(wallet, FACTS, BANK)
  const days = (count: number) => ({
    executable_at: new Date(count * 86_400_000).toISOString(),
    expires_at: new Date((count + 7) * 86_400_000).toISOString(),
  })
  const change = (kind: string, subject: string, count: number) => ({
    kind,
    subject,
    asset: null,
    cap: null,
    ...days(count),
  })
  expect(bank).toEqual({
    bank: BANK,
    orders_paused: true,
    claim_keys: [KEY],
    claim_signer: KEY,
    claim_signer_appointed: true,
    caps: [
      { asset: 'USDT', cap: '50000.000000', remaining: '40000.000001' },
      { asset: 'AMC', cap: '100000.000000', remaining: '1.000000' },
    ],
    decimals: { USDT: 6, AMC: 18 },
    queue: [
      change('claim_signer', getAddress(OTHER), 1),
      change('guardian_removal', GUARDIAN, 2),
      { kind: 'cap_raise', subject: USDT, asset: 'USDT', cap: '60000.000000', ...days(5) },
      change('destination', VAULT, 3),
      change('hand_over', SUCCESSOR, 4),
    ],
    head_at: new Date(1_800_000_000_000).toISOString(),
    you: { pauser: true, guardian: false, admin: false },
  })
})

it('a bank that has handed over has no switches', async () => {
  const { wallet, close } = setUp()
  close()
  expect(await readDirectBank(wallet, FACTS, BANK)).toBeNull()
})

it('calls the bank with amounts in the units of the token, without a session', async () => {
  const { provider, wallet, made } = setUp()
  const bank = (await readDirectBank(wallet, FACTS, BANK))!
  const what = (call: BankCallBody['call'], subject: string, cap?: string): BankCallBody => ({
    bank: BANK,
    call,
    subject,
    ...(cap !== undefined && { cap }),
  })
  expect(await callDirectBank(wallet, FACTS, bank, what('pauseOrders', BANK))).toBe(true)
  expect(await callDirectBank(wallet, FACTS, bank, what('cancelCapRaise', USDT))).toBe(true)
  expect(await callDirectBank(wallet, FACTS, bank, what('queueCapRaise', AMC, '1.5'))).toBe(true)
  expect(made).toEqual([
    'pauseOrders',
    `cancelCapRaise ${getAddress(USDT)}`,
    `queueCapRaise ${getAddress(AMC)},${15n * 10n ** 17n}`,
  ])
  expect(provider.sent.every(({ from, to }) => from === FAKE_ACCOUNT && to === BANK)).toBe(true)
})

it('reads an exit and cancels it; one that is not announced costs nothing', async () => {
  const { provider, wallet, made } = setUp()
  const read = (exitId: bigint) => readDirectExit(wallet, FACTS, { bank: BANK, exitId })
  expect(await read(7n)).toEqual({ state: 'announced', executableAt: new Date(6 * 86_400_000).toISOString() })
  expect(await read(8n)).toMatchObject({ state: 'none' })
  expect(await cancelDirectExit(wallet, FACTS, { bank: BANK, exitId: 7n })).toBe(true)
  expect(made).toEqual(['cancelExit 7'])
  await expect(cancelDirectExit(wallet, FACTS, { bank: BANK, exitId: 8n })).rejects.toMatchObject({
    problem: 'contractRefuses',
  })
  expect(provider.sent).toHaveLength(1)
})

it('a cancellation that its block undid, or that was cancelled in the wallet, is never taken for done', async () => {
  const { provider, wallet } = setUp()
  provider.fates = ['undone', 'cancelled', 'spedUp']
  const cancel = () => cancelDirectExit(wallet, FACTS, { bank: BANK, exitId: 7n })
  await expect(cancel()).rejects.toMatchObject({ problem: 'undone' })
  await expect(cancel()).rejects.toMatchObject({ problem: 'replaced' })
  expect(await cancel()).toBe(true)
})

it('connects a wallet for the page alone: it is unlocked, and on the chain', async () => {
  const { provider } = setUp()
  const choice = { id: 'test', name: 'Test', icon: null, provider }
  provider.chainId = 1
  expect(await connectDirect(choice, FAKE_CONFIG)).toEqual({ provider, account: FAKE_ACCOUNT })
  expect(provider.chainId).toBe(42_161)
  provider.isLocked = true
  await expect(connectDirect(choice, FAKE_CONFIG)).rejects.toMatchObject({ problem: 'locked' })
})
