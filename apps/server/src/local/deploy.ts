import { amcTokenAbi, rifBankAbi, rifTransferAbi, testUsdtAbi } from '@rif/contracts/abi'
import {
  amcTokenBytecode,
  rifBankBytecode,
  rifTransferBytecode,
  testUsdtBytecode,
} from '@rif/contracts/bytecode'
import {
  type Abi,
  type Address,
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  parseEther,
  parseUnits,
  zeroAddress,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { arbitrum } from '../chain/arbitrum.ts'
import type { ContractAddresses } from '../chain/client.ts'
import type { Anvil } from './anvil.ts'
import type { OperatorKeys } from './operator-files.ts'

const AMC_SUPPLY = parseEther('1000000000')
const USDT_SUPPLY = '1000000000'
const NOBODY = '0x000000000000000000000000000000000000dEaD'
const DAILY_CAP = { usdt: '1000000', amc: '2000000' } as const
const ADMIN_DELAY_S = 3 * 24 * 60 * 60
const OPERATOR_ETHER = parseEther('1000')

export function generateOperatorKeys(): OperatorKeys {
  return {
    admin: generatePrivateKey(),
    quoteSigner: generatePrivateKey(),
    claimSigner: generatePrivateKey(),
    publisher: generatePrivateKey(),
    pauser: generatePrivateKey(),
    guardian: generatePrivateKey(),
    treasurer: generatePrivateKey(),
  }
}

export interface DeploySettings {
  readonly usdtDecimals?: 6 | 18
  /** A token that is there, of these decimals, in the place of the test USDT. */
  readonly usdt?: Address
  /** The wallets that are the bank's default admin, pauser, guardian and treasurer; else those of the keys. */
  readonly admin?: Address
  readonly pauser?: Address
  readonly guardian?: Address
  readonly treasurer?: Address
  /** The bank that may hand over to the new one; none by default. */
  readonly predecessor?: Address
}

/**
 * Deploys test USDT (6 decimals, or 18), AMC, the bank and the transfer contract on a local chain, from the first development account, which
 * keeps the whole supply of AMC. The keys get their roles, and ether for gas.
 */
export async function deployContracts(
  anvil: Anvil,
  keys: OperatorKeys,
  settings: DeploySettings = {},
): Promise<ContractAddresses> {
  const { usdtDecimals = 6, usdt: existing } = settings
  const { deployer, wallet, client, deploy } = await connectDeployer(anvil)
  for (const role of Object.keys(keys) as (keyof OperatorKeys)[]) {
    const address = privateKeyToAddress(keys[role])
    await anvil.rpc('anvil_setBalance', [address, `0x${OPERATOR_ETHER.toString(16)}`])
  }
  const usdt = existing ?? (await deploy(testUsdtAbi, testUsdtBytecode.bytecode, [usdtDecimals]))
  if (existing === undefined) {
    // The bank refuses a cap that reaches the supply of its token.
    const args = [NOBODY, parseUnits(USDT_SUPPLY, usdtDecimals)] as const
    const mint = await wallet.writeContract({ address: usdt, abi: testUsdtAbi, functionName: 'mint', args })
    await client.waitForTransactionReceipt({ hash: mint, checkReplacement: false })
  }
  const amc = await deploy(amcTokenAbi, amcTokenBytecode.bytecode, [deployer, AMC_SUPPLY])
  const bank = await deployBank(anvil, keys, { ...settings, usdtDecimals, usdt, amc })
  const transfer = await deploy(rifTransferAbi, rifTransferBytecode.bytecode, [])
  return { usdt, amc, bank, transfer }
}

/** Deploys a bank for tokens that are there; with a `predecessor`, its successor. The keys get their roles. */
export async function deployBank(
  anvil: Anvil,
  keys: OperatorKeys,
  settings: DeploySettings & { readonly usdt: Address; readonly amc: Address },
): Promise<Address> {
  const { usdtDecimals = 6, usdt, amc, admin, pauser, guardian, treasurer, predecessor } = settings
  const { deploy } = await connectDeployer(anvil)
  const address = (role: keyof OperatorKeys) => privateKeyToAddress(keys[role])
  return deploy(rifBankAbi, rifBankBytecode.bytecode, [
    {
      usdt,
      amc,
      admin: admin ?? address('admin'),
      adminDelay: ADMIN_DELAY_S,
      quoteSigner: address('quoteSigner'),
      claimSigner: address('claimSigner'),
      publisher: address('publisher'),
      pauser: pauser ?? address('pauser'),
      guardian: guardian ?? address('guardian'),
      treasurer: treasurer ?? address('treasurer'),
      predecessor: predecessor ?? zeroAddress,
      usdtDailyCap: parseUnits(DAILY_CAP.usdt, usdtDecimals),
      amcDailyCap: parseEther(DAILY_CAP.amc),
    },
  ])
}

async function connectDeployer(anvil: Anvil) {
  const [deployer] = await anvil.rpc<[Address]>('eth_accounts')
  const transport = http(anvil.rpcUrl)
  const wallet = createWalletClient({ account: deployer, chain: arbitrum, transport })
  const client = createPublicClient({ chain: arbitrum, transport, pollingInterval: 20 })

  async function deploy(abi: Abi, bytecode: Hex, args: readonly unknown[]): Promise<Address> {
    const hash = await wallet.deployContract({ abi, bytecode, args })
    // While viem looks for a replacement it misses a block, and a chain that is idle mines no other.
    const { contractAddress, status } = await client.waitForTransactionReceipt({
      hash,
      checkReplacement: false,
    })
    if (status !== 'success' || !contractAddress) throw new Error('a contract could not be deployed')
    return contractAddress
  }
  return { deployer, wallet, client, deploy }
}

/** Gives an account test tokens on a local chain: `usdt` and `amc` in base units. */
export async function giveTestTokens(
  anvil: Anvil,
  contracts: ContractAddresses,
  to: Address,
  amounts: { usdt: bigint; amc: bigint },
): Promise<void> {
  const [holder] = await anvil.rpc<[Address]>('eth_accounts')
  const transport = http(anvil.rpcUrl)
  const wallet = createWalletClient({ account: holder, chain: arbitrum, transport })
  const client = createPublicClient({ chain: arbitrum, transport, pollingInterval: 20 })
  const mint = {
    address: contracts.usdt,
    abi: testUsdtAbi,
    functionName: 'mint',
    args: [to, amounts.usdt],
  } as const
  const give = {
    address: contracts.amc,
    abi: amcTokenAbi,
    functionName: 'transfer',
    args: [to, amounts.amc],
  } as const
  const hashes = [await wallet.writeContract(mint), await wallet.writeContract(give)]
  for (const hash of hashes) await client.waitForTransactionReceipt({ hash, checkReplacement: false })
}
