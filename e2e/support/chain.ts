import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  numberToHex,
  type PublicClient,
  parseAbi,
  parseEther,
  parseUnits,
  stringToHex,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { arbitrum } from '../../apps/server/src/chain/arbitrum.ts'
import type { Anvil } from '../../apps/server/src/local/anvil.ts'
import { deployBank, generateOperatorKeys } from '../../apps/server/src/local/deploy.ts'
import { batchAccountAbi, deployBatchAccount } from './batch-account.ts'
import type { Turn } from './turn.ts'

const erc20 = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address, uint256) returns (bool)',
  'function mint(address, uint256)',
  'function approve(address, uint256)',
])
const revenue = parseAbi([
  'function depositRevenue(bytes32 label, address token, uint256 amount, bytes32 documentHash)',
  'function depositCount() view returns (uint256)',
])

export interface Contracts {
  bank: Hex
  amc: Hex
  usdt: Hex
  transfer: Hex
}

const tokenCall = (functionName: 'mint' | 'transfer' | 'approve', to: Hex, units: bigint) =>
  encodeFunctionData({ abi: erc20, functionName, args: [to, units] })

interface ToSign {
  to: Hex
  data: Hex
  nonce: number
  value?: bigint
  feeFactor?: bigint
}

/** The local chain as a test drives it: money for new wallets, mining by hand, balances in base units. */
export function createChain(rpcUrl: string, contracts: Contracts, turn: Turn) {
  const client: PublicClient = createPublicClient({
    transport: http(rpcUrl, { batch: true }),
    pollingInterval: 100,
  })
  const wallet = createWalletClient({ chain: arbitrum, transport: http(rpcUrl) })
  const rpc = (method: string, params: unknown[] = []) =>
    client.request({ method, params } as never) as Promise<unknown>
  let accounts: Promise<unknown> | null = null
  const operator = () => {
    accounts ??= rpc('eth_accounts')
    return accounts as Promise<readonly Hex[]>
  }
  let batchAccount: Promise<Hex> | null = null

  let isHeld = false

  async function letGo(): Promise<void> {
    if (!isHeld) return
    isHeld = false
    await rpc('anvil_mine', ['0x1'])
    await rpc('evm_setAutomine', [true])
    await turn.giveBack()
  }

  /** Does what mines when no other test holds the chain. */
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    await turn.take()
    return work().finally(turn.giveBack)
  }

  async function signAndSend(
    account: PrivateKeyAccount,
    { to, data, nonce, value = 0n, feeFactor = 1n }: ToSign,
  ): Promise<Hex> {
    const fees = await client.estimateFeesPerGas()
    const gas = await client.estimateGas({ account, to, data, value }).catch(() => 500_000n)
    return wallet.sendTransaction({
      account,
      to,
      data,
      nonce,
      value,
      gas: gas * 2n,
      maxFeePerGas: fees.maxFeePerGas * 3n * feeFactor,
      maxPriorityFeePerGas: (fees.maxPriorityFeePerGas + 1n) * feeFactor,
    })
  }

  interface Sending {
    to: Hex
    data?: Hex
    value?: bigint
  }

  /** Transactions of the operator, which are in blocks when this ends. Sent as one: each block costs a copy of the chain. */
  async function fromOperator(...sendings: readonly Sending[]): Promise<void> {
    const [from] = await operator()
    const hashes = await Promise.all(
      sendings.map(({ to, data = '0x', value = 0n }) =>
        rpc('eth_sendTransaction', [{ from, to, data, value: numberToHex(value) }]),
      ),
    )
    for (const hash of hashes)
      await client.waitForTransactionReceipt({ hash: hash as Hex, checkReplacement: false })
  }

  return {
    rpc,
    contracts,
    signAndSend,
    nonce: (address: Hex) => client.getTransactionCount({ address, blockTag: 'latest' }),
    /** A key nobody has used, with ether for fees and the given tokens (decimal strings). */
    async newWallet({ usdt = '0', amc = '0' }: { usdt?: string; amc?: string } = {}): Promise<Hex> {
      const key = generatePrivateKey()
      const { address } = privateKeyToAccount(key)
      const mint = () => tokenCall('mint', address, parseUnits(usdt, 6))
      const transfer = () => tokenCall('transfer', address, parseUnits(amc, 18))
      await fromOperator(
        { to: address, value: parseEther('1') },
        ...(usdt === '0' ? [] : [{ to: contracts.usdt, data: mint() }]),
        ...(amc === '0' ? [] : [{ to: contracts.amc, data: transfer() }]),
      )
      return key
    },
    balances: async (address: Hex) => ({
      usdt: await client.readContract({
        address: contracts.usdt,
        abi: erc20,
        functionName: 'balanceOf',
        args: [address],
      }),
      amc: await client.readContract({
        address: contracts.amc,
        abi: erc20,
        functionName: 'balanceOf',
        args: [address],
      }),
    }),
    ether: (address: Hex) => client.getBalance({ address }),
    async receipt(hash: Hex) {
      const raw = (await rpc('eth_getTransactionReceipt', [hash])) as { status: Hex } | null
      return raw && { status: raw.status === '0x1' ? ('success' as const) : ('reverted' as const), raw }
    },
    /** The operator pays revenue earned elsewhere into the bank, final at once; answers the deposit's number. */
    async depositRevenue(
      amount: string,
      documentHash: Hex,
      { asset = 'usdt', label = 'test' }: { asset?: 'usdt' | 'amc'; label?: string } = {},
    ): Promise<string> {
      const [holder] = await operator()
      const { bank, [asset]: token } = contracts
      const units = parseUnits(amount, asset === 'usdt' ? 6 : 18)
      const args = [stringToHex(label, { size: 32 }), token, units, documentHash] as const
      const deposit = encodeFunctionData({ abi: revenue, functionName: 'depositRevenue', args })
      return inTurn(async () => {
        if (asset === 'usdt') await fromOperator({ to: token, data: tokenCall('mint', holder!, units) })
        await fromOperator({ to: token, data: tokenCall('approve', bank, units) })
        await fromOperator({ to: bank, data: deposit })
        const count = await client.readContract({ address: bank, abi: revenue, functionName: 'depositCount' })
        await rpc('anvil_mine', ['0x8'])
        return `${count}`
      })
    },
    /** Keeps transactions waiting, so that they can be replaced; `release` mines them and goes on as before. */
    async hold() {
      await turn.take()
      await rpc('evm_setAutomine', [false])
      isHeld = true
      return letGo
    },
    /** Ends a hold that a test which failed did not end. */
    letGo,
    /** Enough blocks to make final what is in the chain. */
    finalise: () => inTurn(() => rpc('anvil_mine', ['0x8'])),
    /** The time of the newest block. */
    async time(): Promise<Date> {
      const { timestamp } = await client.getBlock({ blockTag: 'latest' })
      return new Date(Number(timestamp) * 1_000)
    },
    readContract: client.readContract,
    /** Sends a call of a contract from a key, and waits for its block. */
    async sendFrom(key: Hex, to: Hex, data: Hex): Promise<'success' | 'reverted'> {
      const account = privateKeyToAccount(key)
      const nonce = await client.getTransactionCount({ address: account.address, blockTag: 'latest' })
      const hash = await signAndSend(account, { to, data, nonce })
      const { status } = await client.waitForTransactionReceipt({ hash, checkReplacement: false })
      return status
    },
    /** Deploys a bank that the product's bank can hand over to. */
    deploySuccessor: () =>
      deployBank({ rpcUrl, rpc } as Anvil, generateOperatorKeys(), {
        usdt: contracts.usdt,
        amc: contracts.amc,
        predecessor: contracts.bank,
      }),
    /** The chain's clock jumps ahead, and blocks follow that make it final. */
    passTime: (seconds: number) =>
      inTurn(async () => {
        await rpc('evm_increaseTime', [seconds])
        await rpc('anvil_mine', ['0x8'])
      }),
    /** One atomic batch from the account itself, which delegates to a batch account (EIP-7702). */
    async sendBatch(account: PrivateKeyAccount, calls: { to: Hex; data?: Hex }[]): Promise<Hex> {
      batchAccount ??= deployBatchAccount(rpc, client)
      const delegate = await batchAccount
      const nonce = await client.getTransactionCount({ address: account.address })
      const authorization = await account.signAuthorization({
        chainId: arbitrum.id,
        address: delegate,
        nonce: nonce + 1,
      })
      const data = encodeFunctionData({
        abi: batchAccountAbi,
        functionName: 'execute',
        args: [calls.map((call) => ({ to: call.to, data: call.data ?? '0x' }))],
      })
      return wallet.sendTransaction({
        account,
        to: account.address,
        data,
        nonce,
        gas: 2_000_000n,
        authorizationList: [authorization],
      })
    },
  }
}

export type Chain = ReturnType<typeof createChain>
