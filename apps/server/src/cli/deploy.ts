import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { amcTokenAbi, rifBankAbi, rifTransferAbi } from '@rif/contracts/abi'
import {
  type Abi,
  type Address,
  BaseError,
  concatHex,
  createPublicClient,
  createWalletClient,
  decodeErrorResult,
  defineChain,
  encodeAbiParameters,
  getAddress,
  type Hex,
  HttpRequestError,
  http,
  isAddress,
  isAddressEqual,
  isHex,
  keccak256,
  parseUnits,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { ARBITRUM_ONE } from '../chain/arbitrum.ts'
import { banksOf } from '../chain/banks.ts'
import {
  bankConfig,
  CREATION,
  type DeploymentPlan,
  deploymentProblems,
  readDecimals,
} from '../chain/deployment.ts'
import type { ContractsFile } from '../json-settings.ts'
import { StartError } from '../lib/start-error.ts'
import { writeFileAtomically } from '../local/atomic-file.ts'
import { parseSettings, type Settings, settingText } from '../settings.ts'
import { usageOf } from './usage.ts'

const account = z
  .string()
  .refine((text) => isAddress(text), 'must be an address')
  .transform((text) => getAddress(text))
const whole = z.string().regex(/^[1-9]\d{0,17}$/, 'must be a whole number of tokens')

const POLL_MS = 250
/** A longer part of an error is the code of a contract. */
const MAX_REASON = 300

/** The file that describes a deployment (docs/operations/install.md). */
const deploymentFile = z.strictObject({
  chain_id: z.number().int().positive(),
  usdt: account,
  amc: z.union([account, z.strictObject({ holder: account, supply: whole })]),
  admin: account,
  admin_delay_hours: z.number().int().min(48).max(720),
  quote_signer: account,
  claim_signer: account,
  publisher: account,
  pauser: account,
  guardian: account,
  treasurer: account.nullable().default(null),
  predecessor: account.nullable().default(null),
  daily_caps: z.strictObject({ usdt: whole, amc: whole }),
})

/**
 * Runs `rif deploy`: deploys the contracts of a file with the key in DEPLOYER_KEY, compares all of their
 * state with the file, writes the file of the setting CONTRACTS beside it, and prints that setting. A successor takes its
 * predecessor's contracts from CONTRACTS. Throws a StartError with every difference; a differing deployment must not be used. The signed transactions are kept beside the file before they are sent, so that a repeated
 * command continues an interrupted one and deploys nothing twice.
 */
export async function deploy(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const [path, ...others] = args
  const [key, rpcUrl] = ['DEPLOYER_KEY', 'DEPLOY_RPC_URL'].map((name) => {
    const { text, problem } = settingText(env, name)
    if (problem !== undefined) throw new StartError(problem)
    return text
  })
  if (path === undefined || others.length > 0 || !key || !rpcUrl)
    throw new StartError(`${usageOf('deploy')}, with DEPLOYER_KEY and DEPLOY_RPC_URL`)
  const deployer = accountOf(key)
  if (!URL.canParse(rpcUrl)) throw new StartError('DEPLOY_RPC_URL must be the address of a node')
  const { chainId, plan, sha256 } = await readPlan(path)
  const predecessor = plan.predecessor === null ? undefined : predecessorOf(env, plan.predecessor)
  const progress = await readProgress(`${path}.progress`, { sha256, deployer: deployer.address })
  try {
    const contracts = await deployPlan({ chainId, plan, predecessor, deployer, rpcUrl, progress })
    const contractsPath = resolve(`${path}.contracts`)
    await writeFileAtomically(contractsPath, `${JSON.stringify(contracts, null, 2)}\n`)
    process.stderr.write(`the contracts are in ${contractsPath}: set CONTRACTS_FILE to it, or to a copy\n`)
    process.stdout.write(`CONTRACTS_FILE=${contractsPath}\n`)
    return 0
  } catch (error) {
    throw error instanceof BaseError ? new StartError(reasonOf(error), { cause: error }) : error
  }
}

interface Deployment {
  readonly chainId: number
  readonly plan: DeploymentPlan
  /** The contracts in use, whose bank hands over to the new one. */
  readonly predecessor: Predecessor | undefined
  readonly deployer: PrivateKeyAccount
  readonly rpcUrl: string
  readonly progress: Progress
}

type Predecessor = NonNullable<Settings['CONTRACTS']>

/** Returns the contracts in use, of the setting CONTRACTS. Throws StartError without them, or if their bank is not the predecessor. */
function predecessorOf(env: NodeJS.ProcessEnv, bank: Address): Predecessor {
  const { CONTRACTS } = parseSettings(env)
  if (CONTRACTS === undefined)
    throw new StartError('a predecessor needs CONTRACTS, or CONTRACTS_FILE: the contracts in use')
  if (!isAddressEqual(CONTRACTS.addresses.bank, bank))
    throw new StartError(`CONTRACTS.bank must be the predecessor ${bank}`)
  return CONTRACTS
}

/** Deploys the plan, checks the result and returns the value of CONTRACTS. Throws StartError and viem's errors. */
async function deployPlan(deployment: Deployment): Promise<ContractsFile> {
  const { chainId, plan, predecessor, deployer, rpcUrl, progress } = deployment
  // The deployer's key is on a networked machine, so it must be worthless afterwards.
  if (Object.values(plan.roles).includes(deployer.address))
    throw new StartError('the deployer must not hold a role of the bank')
  const chain = defineChain({ ...ARBITRUM_ONE, id: chainId, rpcUrls: { default: { http: [rpcUrl] } } })
  const client = createPublicClient({ chain, transport: http(rpcUrl), pollingInterval: POLL_MS })
  const actual = await client.getChainId()
  if (actual !== chainId) throw new StartError(`the node is on chain ${actual}, expected ${chainId}`)

  const wallet = createWalletClient({ account: deployer, chain, transport: http(rpcUrl) })
  const startBlock = progress.startBlock ?? (await client.getBlockNumber())
  async function create(
    name: keyof typeof CREATION,
    abi: Abi,
    parameters: readonly unknown[],
  ): Promise<Address> {
    const signature = abi.find((item) => item.type === 'constructor')
    const args = encodeAbiParameters(signature?.inputs ?? [], parameters)
    let signed = progress.transactions[name]
    if (signed === undefined) {
      const data = concatHex([CREATION[name], args])
      const request = await wallet.prepareTransactionRequest({ data })
      signed = await wallet.signTransaction(request)
      await progress.save({ startBlock, name, signed })
    }
    const hash = keccak256(signed)
    const isMined = await client.getTransactionReceipt({ hash }).then(
      () => true,
      () => false,
    )
    if (!isMined) await client.sendRawTransaction({ serializedTransaction: signed }).catch(unlessKnown)
    const receipt = await client.waitForTransactionReceipt({ hash, checkReplacement: false })
    if (receipt.status !== 'success' || !receipt.contractAddress) {
      await progress.save({ startBlock, name, signed: undefined })
      throw new StartError(`the deployment of ${name} failed in transaction ${hash}`)
    }
    const address = getAddress(receipt.contractAddress)
    process.stderr.write(
      `${name}: ${address} in transaction ${hash}, ${receipt.gasUsed} gas, constructor arguments ${args}\n`,
    )
    return address
  }
  const usdtDecimals = await readDecimals(client, plan.usdt)
  const amc =
    typeof plan.amc === 'string'
      ? plan.amc
      : await create('amc', amcTokenAbi, [plan.amc.holder, parseUnits(plan.amc.supply, 18)])
  const bank = await create('bank', rifBankAbi, [bankConfig(plan, amc, usdtDecimals)])
  // A successor continues with the existing transfer contract.
  const transfer = predecessor?.addresses.transfer ?? (await create('transfer', rifTransferAbi, []))
  const contracts = { bank, transfer, usdt: plan.usdt, amc }

  const problems = await deploymentProblems(client, plan, contracts)
  if (problems.length > 0)
    throw new StartError(`do not use this deployment of the bank at ${bank}: ${problems.join('; ')}`)
  const file = { bank, transfer, usdt: plan.usdt, usdt_decimals: usdtDecimals as 6 | 18, amc }
  if (predecessor === undefined) return { ...file, start_block: Number(startBlock) }
  return {
    ...file,
    // Each is followed until it has handed over.
    former_banks: [...banksOf(predecessor.addresses)],
    start_block: Number(predecessor.startBlock),
    bank_start_block: Number(startBlock),
  }
}

/** Ignores the error of a node that has the transaction already. */
function unlessKnown(error: unknown): void {
  if (!(error instanceof BaseError) || !/already known|already imported/i.test(error.message)) throw error
}

/** The transactions that an earlier run of the same deployment signed. */
interface Progress {
  readonly startBlock: bigint | undefined
  readonly transactions: Partial<Record<keyof typeof CREATION, Hex>>
  /** Stores a signed transaction before it is sent, or forgets a failed one. */
  save(step: { startBlock: bigint; name: keyof typeof CREATION; signed: Hex | undefined }): Promise<void>
}

const progressFile = z.strictObject({
  sha256: z.string(),
  deployer: account,
  start_block: z.string(),
  transactions: z.partialRecord(z.enum(['amc', 'bank', 'transfer']), z.custom<Hex>(isHex)),
})

/** Returns the value of a JSON file's text. Throws a StartError for other text. */
function jsonOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StartError(`${path} is not JSON`)
  }
}

/** Reads the progress of a deployment. Throws a StartError if it belongs to another file or another key. */
async function readProgress(
  path: string,
  { sha256, deployer }: { sha256: string; deployer: Address },
): Promise<Progress> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartError(`${path} cannot be read`)
  })
  const stored = text === undefined ? undefined : progressFile.safeParse(jsonOf(path, text))
  if (stored && (!stored.success || stored.data.sha256 !== sha256 || stored.data.deployer !== deployer))
    throw new StartError(`${path} belongs to another deployment or another deployer: remove it to begin anew`)
  const transactions = stored?.data.transactions ?? {}
  return {
    startBlock: stored === undefined ? undefined : BigInt(stored.data.start_block),
    transactions,
    async save({ startBlock, name, signed }) {
      transactions[name] = signed
      const content = { sha256, deployer, start_block: `${startBlock}`, transactions }
      await writeFileAtomically(path, `${JSON.stringify(content, null, 2)}\n`)
    },
  }
}

function accountOf(key: string): PrivateKeyAccount {
  try {
    return privateKeyToAccount(key as Hex)
  } catch {
    // The error of the library may contain the key.
    throw new StartError('DEPLOYER_KEY must be a private key: 0x and 64 hexadecimal digits')
  }
}

/** Returns one line: the refusal of the contract by its name, or viem's summary, whose whole text has the code of the contract. */
function reasonOf(error: BaseError): string {
  const data = (error.walk((cause) => isHex((cause as { data?: unknown }).data)) as { data?: Hex } | null)
    ?.data
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: rifBankAbi, data: data ?? '0x' })
    return `the contract refuses: ${errorName}(${args.join(', ')})`
  } catch {
    const parts = [error.shortMessage, error.details as string | undefined].map(
      (text) => text?.split('\n', 1)[0],
    )
    const reason = [...new Set(parts)].filter((part) => part && part.length < MAX_REASON).join(' ')
    return error.walk((cause) => cause instanceof HttpRequestError) ? `${reason} (DEPLOY_RPC_URL)` : reason
  }
}

async function readPlan(path: string): Promise<{ chainId: number; plan: DeploymentPlan; sha256: string }> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new StartError(`${path} cannot be read`)
  })
  const parsed = deploymentFile.safeParse(jsonOf(path, text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new StartError(`${path}: ${issue!.path.join('.')}: ${issue!.message}`)
  }
  const {
    chain_id: chainId,
    admin_delay_hours: hours,
    daily_caps: dailyCaps,
    predecessor,
    usdt,
    amc,
    ...roles
  } = parsed.data
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { chainId, plan: { usdt, amc, roles, dailyCaps, predecessor, adminDelayS: hours * 3_600 }, sha256 }
}
