import type { AppConfig } from '@rif/api-schema'
import { amcTokenAbi, rifBankAbi } from '@rif/contracts/abi'
import type { Address } from 'viem'
import { vi } from 'vitest'
import { type FakeContract, FakeWallet } from './fake-wallet.ts'

const address = (byte: string): Address => `0x${byte.repeat(20)}`
export const [BANK, USDT, AMC, TRANSFER, OTHER] = ['b1', 'a1', 'a2', 'c1', 'ee'].map(address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]

/** The config of a product with one bank. */
export const FAKE_CONFIG = {
  chain: {
    id: 42_161,
    name: 'Arbitrum One',
    native: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpc_url: '/rpc',
    explorer_url: null,
  },
  contracts: { bank: BANK, usdt: USDT, amc: AMC, transfer: TRANSFER },
  banks: [{ address: BANK, state: 'open' }],
  decimals: { USDT: 6, AMC: 18 },
  demo: null,
} as unknown as AppConfig

/** A token in memory. The original USDT refuses to replace an allowance by another one. */
export class FakeToken implements FakeContract {
  readonly abi = amcTokenAbi
  balance = 10n ** 24n
  allowance = 0n
  readonly isOriginalUsdt: boolean
  private readonly self: Address

  constructor(self: Address, isOriginalUsdt = false) {
    this.self = self
    this.isOriginalUsdt = isOriginalUsdt
  }

  readonly views = {
    balanceOf: () => this.balance,
    allowance: () => this.allowance,
    nonces: () => 0n,
    eip712Domain: () => ['0x0f', 'AMC', '1', 42_161n, this.self, `0x${'00'.repeat(32)}`, []],
  }
  readonly effects = {
    approve: (_spender: Address, amount: bigint) => {
      this.allowance = amount
    },
  }
  refuses(_name: string, args: readonly unknown[]) {
    const isRefused = this.isOriginalUsdt && this.allowance !== 0n && args[1] !== 0n
    return isRefused ? { errorName: 'ERC20InvalidSpender', args: [BANK] } : null
  }
}

interface FakeOrder {
  readonly orderId: bigint
  readonly usdtAmount: bigint
  readonly amcAmount: bigint
}

interface FakeVoucher {
  readonly withdrawalId: bigint
}

/** A bank in memory: it takes each order and pays each voucher once. */
export class FakeBank implements FakeContract {
  readonly abi = rifBankAbi
  readonly paid = new Set<bigint>()
  readonly claimed = new Set<bigint>()
  copiesPaid = 0n
  limit = 100n
  ordersPaused = false
  cancelled: bigint[] = []
  readonly usdt: FakeToken
  readonly amc: FakeToken

  constructor(usdt: FakeToken, amc: FakeToken) {
    this.usdt = usdt
    this.amc = amc
  }

  readonly views = {
    orderPaid: (orderId: bigint) => this.paid.has(orderId),
    copiesPaid: () => this.copiesPaid,
    claimed: (withdrawalId: bigint) => this.claimed.has(withdrawalId),
    ordersPaused: () => this.ordersPaused,
  }
  readonly effects = {
    payOrder: (order: FakeOrder) => this.pay(order),
    payOrderWithPermit: (order: FakeOrder) => this.pay(order),
    claim: ({ withdrawalId }: FakeVoucher) => void this.claimed.add(withdrawalId),
    claimMany: (vouchers: readonly FakeVoucher[]) => {
      for (const { withdrawalId } of vouchers) this.claimed.add(withdrawalId)
    },
    pauseOrders: () => {
      this.ordersPaused = true
    },
    cancelExit: (exitId: bigint) => void this.cancelled.push(exitId),
    announceExit: () => undefined,
  }
  refuses(name: string, args: readonly unknown[]) {
    if (name === 'pauseOrders' && this.ordersPaused) return { errorName: 'OrdersArePaused' }
    if (name !== 'payOrder' && name !== 'payOrderWithPermit') return null
    const order = args[0] as FakeOrder
    if (this.copiesPaid >= this.limit) return { errorName: 'SoldOut', args: [1n, this.limit] }
    const mayTake = name === 'payOrderWithPermit' || this.amc.allowance >= order.amcAmount
    const isCovered = mayTake && this.usdt.allowance >= order.usdtAmount
    return isCovered ? null : { errorName: 'SafeERC20FailedOperation', args: [USDT] }
  }

  private pay({ orderId, usdtAmount, amcAmount }: FakeOrder) {
    this.paid.add(orderId)
    this.copiesPaid++
    this.usdt.balance -= usdtAmount
    this.amc.balance -= amcAmount
    this.usdt.allowance = 0n
    this.amc.allowance = 0n
  }
}

/** Returns a wallet on a chain with a bank, USDT and AMC. */
export function fakeChain({ isOriginalUsdt = false } = {}) {
  const usdt = new FakeToken(USDT, isOriginalUsdt)
  const amc = new FakeToken(AMC)
  const bank = new FakeBank(usdt, amc)
  return { wallet: new FakeWallet({ [BANK]: bank, [USDT]: usdt, [AMC]: amc }), bank, usdt, amc }
}

/** Lets the waits of a flow pass at once: the next timer ends as soon as nothing else is to be done. */
export function hurry() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.setTimerTickMode('nextTimerAsync')
}
