import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  type PublicClient,
  parseAbi,
  parseEther,
  parseUnits,
  stringToHex,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { arbitrum } from 'viem/chains'
import { batchAccountAbi, deployBatchAccount } from './batch-account.ts'

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

interface ToSign {
  to: Hex
  data: Hex
  nonce: number
  value?: bigint
  feeFactor?: bigint
}

/** The local chain as a test drives it: money for new wallets, mining by hand, balances in base units. */
export function createChain(rpcUrl: string, contracts: Contracts) {
  const client: PublicClient = createPublicClient({ transport: http(rpcUrl), pollingInterval: 100 })
  const wallet = createWalletClient({ chain: arbitrum, transport: http(rpcUrl) })
  const rpc = (method: string, params: unknown[] = []) =>
    client.request({ method, params } as never) as Promise<unknown>
  let batchAccount: Promise<Hex> | null = null

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

  async function fromOperator(to: Hex, data: Hex, value = 0n): Promise<void> {
    const [holder] = (await rpc('eth_accounts')) as Hex[]
    const hash = (await rpc('eth_sendTransaction', [
      { from: holder, to, data, value: `0x${value.toString(16)}` },
    ])) as Hex
    await client.waitForTransactionReceipt({ hash, checkReplacement: false })
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
      await fromOperator(address, '0x', parseEther('1'))
      const mint = encodeFunctionData({
        abi: erc20,
        functionName: 'mint',
        args: [address, parseUnits(usdt, 6)],
      })
      if (usdt !== '0') await fromOperator(contracts.usdt, mint)
      const give = encodeFunctionData({
        abi: erc20,
        functionName: 'transfer',
        args: [address, parseUnits(amc, 18)],
      })
      if (amc !== '0') await fromOperator(contracts.amc, give)
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
      const [operator] = (await rpc('eth_accounts')) as [Hex]
      const { bank, [asset]: token } = contracts
      const units = parseUnits(amount, asset === 'usdt' ? 6 : 18)
      const call = (functionName: 'mint' | 'approve', to: Hex) =>
        fromOperator(token, encodeFunctionData({ abi: erc20, functionName, args: [to, units] }))
      if (asset === 'usdt') await call('mint', operator)
      await call('approve', bank)
      const args = [stringToHex(label, { size: 32 }), token, units, documentHash] as const
      await fromOperator(bank, encodeFunctionData({ abi: revenue, functionName: 'depositRevenue', args }))
      await rpc('anvil_mine', ['0x8'])
      const count = await client.readContract({ address: bank, abi: revenue, functionName: 'depositCount' })
      return `${count}`
    },
    /** Keeps transactions waiting, so that they can be replaced; `release` mines them and goes on as before. */
    async hold() {
      await rpc('evm_setAutomine', [false])
      return async function release() {
        await rpc('anvil_mine', ['0x1'])
        await rpc('evm_setAutomine', [true])
      }
    },
    /** The chain's clock jumps ahead, and blocks follow that make it final. */
    async passTime(seconds: number) {
      await rpc('evm_increaseTime', [seconds])
      await rpc('anvil_mine', ['0x8'])
    },
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
