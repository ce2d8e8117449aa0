import {
  type Abi,
  type Address,
  decodeFunctionData,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionResult,
  type Hex,
  hexToBigInt,
  keccak256,
  numberToHex,
  toHex,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { RpcError, type WalletProvider } from '../wallet/provider.ts'

/** A contract in memory. Its views are called by `eth_call`; its effects take place when a transaction is mined. */
export interface FakeContract {
  readonly abi: Abi
  readonly views: Readonly<Record<string, (...args: never[]) => unknown>>
  readonly effects?: Readonly<Record<string, (...args: never[]) => void>>
  /** Returns why the contract reverts a call of `effects` now, or null. */
  readonly refuses?: (name: string, args: readonly unknown[]) => FakeError | null
  /** Returns the logs of an event, for `eth_getLogs`: the transaction and its indexed arguments. */
  readonly events?: () => readonly FakeEvent[]
}

interface FakeError {
  readonly errorName: string
  readonly args?: readonly unknown[]
}

interface FakeEvent {
  readonly eventName: string
  readonly args: object
  readonly hash: Hex
}

export interface FakeTx {
  readonly hash: Hex
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly nonce: number
}

/**
 * The outcome of a sent transaction. `undone`: reverted in its block. `held`: the node has it, until `release`.
 * `dropped`: the node has it no longer, and its nonce stays free. `spedUp`: the same call with another hash took its nonce.
 * `cancelled`: another transaction took it.
 */
export type Fate = 'mined' | 'undone' | 'held' | 'dropped' | 'spedUp' | 'spedUpAndUndone' | 'cancelled'

interface Block {
  readonly tx: FakeTx
  readonly isUndone: boolean
}

const KEY = `0x${'59'.repeat(32)}` as const
const HASH_BYTES = 32

/** The account that the wallet has chosen at first. It really signs. */
export const FAKE_ACCOUNT = privateKeyToAccount(KEY).address

/**
 * A wallet and the node behind it as one EIP-1193 provider. It answers JSON-RPC from a chain in memory, in which every transaction has
 * a block of its own. A test changes its fields.
 */
export class FakeWallet implements WalletProvider {
  chainId = 42_161
  accounts: readonly string[] = [FAKE_ACCOUNT]
  /** The chains that the wallet can switch to. */
  knownChains: number[] = [42_161]
  isLocked = false
  balance = 10n ** 18n
  code: Hex = '0x'
  /** The state of EIP-5792 batches: the wallet has none, runs one at once, or fails it. */
  batches: 'none' | 'success' | 'failure' = 'none'
  /** The fates of the next transactions, in order; the others are mined. */
  fates: Fate[] = []
  /** Errors that the next request of a method ends with. */
  failures: { readonly method: string; readonly error: unknown }[] = []
  /** Is called before a request is answered. */
  onRequest: (method: string) => void = () => undefined
  readonly requests: { readonly method: string; readonly params: readonly unknown[] }[] = []
  readonly sent: FakeTx[] = []
  private readonly contracts = new Map<string, FakeContract>()
  private readonly blocks: Block[] = []
  private heldTxs: FakeTx[] = []

  constructor(contracts: Readonly<Record<string, FakeContract>>) {
    for (const [address, contract] of Object.entries(contracts))
      this.contracts.set(address.toLowerCase(), contract)
  }

  /** Returns how often a method was requested. */
  count(method: string): number {
    return this.requests.filter((request) => request.method === method).length
  }

  /** Gives the held transaction another fate. */
  release(fate: Exclude<Fate, 'held'>) {
    const [tx] = this.heldTxs.splice(0, 1)
    this.settle(tx!, fate)
  }

  /** Mines another call in place of the held transaction. */
  replace(by: Pick<FakeTx, 'to' | 'data'>) {
    const [tx] = this.heldTxs.splice(0, 1)
    this.mine({ ...tx!, ...by, hash: hashOf(by.to, by.data, `${tx!.nonce} instead`) })
  }

  /** Sends a transaction from the same account outside the app. */
  sendElsewhere(tx: Pick<FakeTx, 'to' | 'data'>, fate: Fate = 'mined'): FakeTx {
    const nonce = this.nonceAt(this.blocks.length) + this.heldTxs.length
    const whole = { ...tx, from: FAKE_ACCOUNT, nonce, hash: hashOf(tx.to, tx.data, `${nonce}`) }
    this.settle(whole, fate)
    return whole
  }

  /** The calls in the transactions that were sent, by function. */
  get calls(): { name: string; args: readonly unknown[] }[] {
    return this.sent.map((tx) => {
      const { name, args } = this.read(tx)
      return { name, args }
    })
  }

  async request({ method, params = [] }: { method: string; params?: unknown }): Promise<unknown> {
    const list = params as readonly unknown[]
    this.requests.push({ method, params: list })
    this.onRequest(method)
    const failing = this.failures.findIndex((failure) => failure.method === method)
    if (failing >= 0) throw this.failures.splice(failing, 1)[0]!.error
    const answer = this.answers[method]
    if (answer === undefined) throw new RpcError(-32601, `the method ${method} does not exist`)
    return answer(list)
  }

  private readonly answers: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_chainId: () => numberToHex(this.chainId),
    eth_accounts: () => (this.isLocked ? [] : this.accounts),
    eth_requestAccounts: () => (this.isLocked ? [] : this.accounts),
    wallet_switchEthereumChain: ([wanted]) => {
      const id = Number((wanted as { chainId: string }).chainId)
      if (!this.knownChains.includes(id)) throw new RpcError(4902, `Unrecognized chain ID ${id}`)
      this.chainId = id
      return null
    },
    wallet_addEthereumChain: ([wanted]) => {
      this.knownChains.push(Number((wanted as { chainId: string }).chainId))
      return null
    },
    eth_getBalance: () => numberToHex(this.balance),
    eth_getCode: () => this.code,
    eth_blockNumber: () => numberToHex(this.blocks.length),
    eth_getTransactionCount: ([, block]) =>
      numberToHex(
        block === 'pending'
          ? this.nonceAt(this.blocks.length) + this.heldTxs.length
          : this.nonceAt(block === 'latest' ? this.blocks.length : Number(block)),
      ),
    eth_call: ([tx]) => this.call(tx as FakeTx),
    eth_estimateGas: ([tx]) => {
      this.simulate(tx as FakeTx)
      return numberToHex(21_000)
    },
    eth_sendTransaction: ([tx]) => {
      const { from, to, data } = tx as FakeTx
      const nonce = this.nonceAt(this.blocks.length) + this.heldTxs.length
      const whole = { from, to, data, nonce, hash: hashOf(to, data, `${nonce}`) }
      this.sent.push(whole)
      this.settle(whole, this.fates.shift() ?? 'mined')
      return whole.hash
    },
    eth_getTransactionReceipt: ([hash]) => {
      const number = this.numberOf(hash as Hex)
      return number === 0 ? null : this.receiptOf(number)
    },
    eth_getTransactionByHash: ([hash]) => {
      const number = this.numberOf(hash as Hex)
      const tx = number === 0 ? this.heldTxs.find((item) => item.hash === hash) : this.blocks[number - 1]!.tx
      return tx === undefined ? null : this.transactionOf(tx, number)
    },
    eth_getBlockByNumber: ([block, whole]) =>
      this.blockOf(block === 'latest' ? this.blocks.length : Number(block), whole),
    eth_getLogs: ([filter]) => this.logsOf((filter as { address: string }).address),
    personal_sign: ([raw]) => privateKeyToAccount(KEY).signMessage({ message: { raw: raw as Hex } }),
    eth_signTypedData_v4: ([, json]) => privateKeyToAccount(KEY).signTypedData(JSON.parse(json as string)),
    wallet_getCapabilities: () => {
      if (this.batches === 'none') throw new RpcError(4200, 'unsupported')
      return { [numberToHex(this.chainId)]: { atomic: { status: 'supported' } } }
    },
    wallet_sendCalls: ([batch]) => {
      if (this.batches === 'none') throw new RpcError(4200, 'unsupported')
      if (this.batches === 'success')
        for (const { to, data } of (batch as { calls: FakeTx[] }).calls) this.sendElsewhere({ to, data })
      return { id: toHex('batch', { size: HASH_BYTES }) }
    },
    wallet_getCallsStatus: ([id]) => ({
      id,
      version: '2.0.0',
      chainId: numberToHex(this.chainId),
      atomic: true,
      status: this.batches === 'success' ? 200 : 500,
      receipts: [],
    }),
  }

  private settle(tx: FakeTx, fate: Fate) {
    const replacement = { ...tx, hash: hashOf(tx.to, tx.data, `${tx.nonce} again`) }
    switch (fate) {
      case 'held':
        this.heldTxs.push(tx)
        return
      case 'dropped':
        return
      case 'mined':
        return this.mine(tx)
      case 'undone':
        return this.mine(tx, true)
      case 'spedUp':
        return this.mine(replacement)
      case 'spedUpAndUndone':
        return this.mine(replacement, true)
      case 'cancelled':
        return this.mine({ ...replacement, to: tx.from, data: '0x' })
    }
  }

  private mine(tx: FakeTx, isUndone = false) {
    const contract = this.contracts.get(tx.to.toLowerCase())
    const refusal = contract && tx.data !== '0x' ? this.refusalOf(tx) : null
    this.blocks.push({ tx, isUndone: isUndone || refusal !== null })
    if (contract === undefined || isUndone || refusal !== null) return
    const { name, args } = this.read(tx)
    contract.effects?.[name]?.(...(args as never[]))
  }

  private read({ to, data }: Pick<FakeTx, 'to' | 'data'>) {
    const contract = this.contracts.get(to.toLowerCase())!
    const { functionName, args = [] } = decodeFunctionData({ abi: contract.abi, data })
    return { contract, name: functionName, args: args as readonly unknown[] }
  }

  private refusalOf(tx: Pick<FakeTx, 'to' | 'data'>): { abi: Abi; error: FakeError } | null {
    const { contract, name, args } = this.read(tx)
    const error = contract.refuses?.(name, args) ?? null
    return error === null ? null : { abi: contract.abi, error }
  }

  private simulate(tx: Pick<FakeTx, 'to' | 'data'>) {
    const refusal = this.refusalOf(tx)
    if (refusal === null) return
    const data = encodeErrorResult({ abi: refusal.abi, ...refusal.error } as never)
    throw new RpcError(3, 'execution reverted', data)
  }

  private call(tx: Pick<FakeTx, 'to' | 'data'>): Hex {
    const { contract, name, args } = this.read(tx)
    const view = contract.views[name]
    if (view !== undefined) {
      const result = view(...(args as never[]))
      return encodeFunctionResult({ abi: contract.abi, functionName: name, result } as never)
    }
    if (contract.effects?.[name] === undefined) throw new Error(`the fake contract has no ${name}`)
    this.simulate(tx)
    return '0x'
  }

  private nonceAt(block: number) {
    return this.blocks.slice(0, block).length
  }

  /** The number of the block with a transaction, or 0. */
  private numberOf(hash: Hex) {
    return this.blocks.findIndex(({ tx }) => tx.hash === hash) + 1
  }

  private transactionOf(tx: FakeTx, number: number) {
    const isMined = number > 0
    return {
      hash: tx.hash,
      from: tx.from,
      to: tx.to,
      input: tx.data,
      nonce: numberToHex(tx.nonce),
      value: '0x0',
      gas: '0x5208',
      gasPrice: '0x1',
      type: '0x0',
      chainId: numberToHex(this.chainId),
      v: '0x1b',
      r: '0x1',
      s: '0x1',
      blockHash: isMined ? blockHashOf(number) : null,
      blockNumber: isMined ? numberToHex(number) : null,
      transactionIndex: isMined ? '0x0' : null,
    }
  }

  private receiptOf(number: number) {
    const { tx, isUndone } = this.blocks[number - 1]!
    return {
      transactionHash: tx.hash,
      transactionIndex: '0x0',
      blockHash: blockHashOf(number),
      blockNumber: numberToHex(number),
      from: tx.from,
      to: tx.to,
      status: isUndone ? '0x0' : '0x1',
      gasUsed: '0x5208',
      cumulativeGasUsed: '0x5208',
      effectiveGasPrice: '0x1',
      contractAddress: null,
      logs: [],
      logsBloom: '0x',
      type: '0x0',
    }
  }

  private blockOf(number: number, whole: unknown) {
    const block = this.blocks[number - 1]
    const transactions =
      block === undefined ? [] : whole === true ? [this.transactionOf(block.tx, number)] : [block.tx.hash]
    return {
      number: numberToHex(number),
      hash: blockHashOf(number),
      parentHash: zeroHash,
      timestamp: numberToHex(1_800_000_000 + number),
      gasLimit: '0x1',
      gasUsed: '0x1',
      difficulty: '0x0',
      totalDifficulty: '0x0',
      size: '0x1',
      nonce: '0x0000000000000000',
      extraData: '0x',
      logsBloom: '0x',
      miner: FAKE_ACCOUNT,
      uncles: [],
      transactions,
    }
  }

  private logsOf(address: string) {
    const contract = this.contracts.get(address.toLowerCase())
    return (contract?.events?.() ?? []).map(({ eventName, args, hash }, index) => ({
      address,
      topics: encodeEventTopics({ abi: contract!.abi, eventName, args } as never),
      data: '0x',
      blockNumber: '0x1',
      blockHash: blockHashOf(1),
      transactionHash: hash,
      transactionIndex: '0x0',
      logIndex: numberToHex(index),
      removed: false,
    }))
  }
}

const hashOf = (to: Address, data: Hex, salt: string): Hex => keccak256(toHex(`${to}${data}${salt}`))
const blockHashOf = (number: number): Hex =>
  numberToHex(hexToBigInt('0xb10c') + BigInt(number), { size: HASH_BYTES })
