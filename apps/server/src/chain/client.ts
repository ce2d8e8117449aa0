import { amcTokenAbi, rifBankAbi } from '@rif/contracts/abi'
import {
  amcTokenBytecode,
  type ContractBytecode,
  rifBankBytecode,
  rifTransferBytecode,
  testUsdtBytecode,
} from '@rif/contracts/bytecode'
import {
  type Address,
  type BaseError,
  ContractFunctionZeroDataError,
  type Hex,
  isAddressEqual,
  type PublicClient,
  RpcRequestError,
  zeroAddress,
} from 'viem'
import { AppError } from '../lib/errors.ts'
import { StartError } from '../lib/start-error.ts'
import { banksOf, type ContractAddresses, withChecksums } from './banks.ts'
import { hasExpectedCode } from './code-check.ts'
import type { ChainNode } from './nodes/node.ts'
import { createNodes, lineOf, type Nodes, type NodesSettings } from './nodes/nodes.ts'

export type { ContractAddresses }

/** Verified access to the chain, used by all code that talks to it. */
export type Chain = {
  /**
   * Reads from one node, which may lie: for a nonce, a gas price or a history that only its owner sees. `nodes.quorumRead` is for
   * all others. The linter lists its users (scripts/lint/architecture.mjs).
   */
  readonly untrustedClient: PublicClient
  readonly nodes: Nodes
  readonly chainId: number
  readonly contracts: ContractAddresses
  readonly decimals: { readonly USDT: 6 | 18; readonly AMC: 18 }
}

/** The code of a node for a call that the contract refused. */
const REVERTED = 3

export type ChainSettings = NodesSettings & {
  readonly contracts: ContractAddresses
  /** Refuses the test USDT, which anybody can mint: it is for the chain that the product starts itself. */
  readonly refusesTestToken?: boolean
}

/** Thrown while too few nodes answer to check the contracts. The same check may pass later. */
export class ChainAway extends StartError {}

/** The check that the contracts of the settings are the ones that this version works with. */
export interface ContractsCheck {
  /** True once a quorum of the nodes has passed it. */
  isPassed(): boolean
  /**
   * Checks the chain id, the code of our own contracts (except immutables), the banks' two tokens and their succession, and the
   * decimals (USDT 6 or 18, AMC 18). Other nodes than those of the quorum are set aside. Throws a StartError if a quorum refuses
   * them: one line that states the problem and the setting to check; and ChainAway if neither has a quorum.
   */
  run(): Promise<void>
  /** Takes the decimals of USDT that an earlier check has stored, until this one has read them. */
  assume(usdtDecimals: 6 | 18): void
}

/**
 * Opens the access to a chain without a request, and the check of its contracts. Until that has passed, nothing may be signed,
 * paid or indexed, and the decimals of USDT throw CHAIN_UNAVAILABLE unless they were assumed.
 */
export function openChain(settings: ChainSettings): { chain: Chain; check: ContractsCheck } {
  const nodes = createNodes(settings)
  const contracts = withChecksums(settings.contracts)
  let isPassed = false
  let usdtDecimals: 6 | 18 | undefined
  const decimals = {
    get USDT() {
      if (usdtDecimals === undefined) throw new AppError('CHAIN_UNAVAILABLE')
      return usdtDecimals
    },
    AMC: 18 as const,
  }

  async function run(): Promise<void> {
    const results = await Promise.allSettled(
      nodes.all.map(async (node) => {
        await checkChainId(node, settings.chainId)
        if (settings.refusesTestToken) await refuseTestToken(node.client, contracts)
        return checkContracts(node.client, contracts)
      }),
    )
    const votes = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const agreed = ([6, 18] as const).find(
      (item) => votes.filter((vote) => vote === item).length >= nodes.quorum,
    )
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    const refusals = reasons.filter((reason) => reason instanceof StartError)
    if (refusals.length >= nodes.quorum) throw refusals[0]
    if (agreed === undefined) throw awayBecause(refusals[0] ?? reasons[0], contracts)
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled') {
        if (result.value !== agreed)
          nodes.all[index]!.setAside('disagrees', 'gives other decimals of USDT than the quorum')
        continue
      }
      const state = result.reason instanceof StartError ? 'disagrees' : 'unreachable'
      nodes.all[index]!.setAside(state, lineOf(result.reason))
    }
    usdtDecimals = agreed
    isPassed = true
  }

  return {
    chain: {
      untrustedClient: nodes.untrustedClient,
      nodes,
      chainId: settings.chainId,
      contracts,
      decimals,
    },
    check: {
      isPassed: () => isPassed,
      run,
      assume(stored) {
        if (!isPassed) usdtDecimals = stored
      },
    },
  }
}

function awayBecause(reason: unknown, { usdt }: ContractAddresses): ChainAway {
  if (reason === undefined)
    return new ChainAway(`the chain nodes disagree about the decimals of USDT at ${usdt}`)
  return new ChainAway(lineOf(reason), { cause: reason })
}

/** Opens a chain and checks its contracts at once, for what cannot go on without. Throws as the check. */
export async function connectChain(settings: ChainSettings): Promise<Chain> {
  const { chain, check } = openChain(settings)
  await check.run()
  return chain
}

async function checkChainId({ client, host }: ChainNode, expected: number): Promise<void> {
  const actual = await client.getChainId().catch((cause: unknown) => {
    throw new Error(`the chain node at ${host} does not answer`, { cause })
  })
  if (actual !== expected)
    throw new StartError(`the node at ${host} is on chain ${actual}, expected ${expected}`)
}

/** Checks the contracts as reported by one node, and returns the decimals of USDT. */
async function checkContracts(client: PublicClient, contracts: ContractAddresses): Promise<6 | 18> {
  await checkCode(client, 'bank', contracts.bank, rifBankBytecode)
  await checkCode(client, 'transfer', contracts.transfer, rifTransferBytecode)
  await checkCode(client, 'AMC', contracts.amc, amcTokenBytecode)
  for (const bank of banksOf(contracts))
    for (const token of ['usdt', 'amc'] as const) await checkBankToken(client, bank, contracts, token)
  await checkSuccession(client, contracts)

  const usdtDecimals = await readDecimals(client, contracts.usdt)
  const amcDecimals = await readDecimals(client, contracts.amc)
  if (usdtDecimals !== 6 && usdtDecimals !== 18)
    throw new StartError(`USDT at ${contracts.usdt} has ${usdtDecimals} decimals, expected 6 or 18`)
  if (amcDecimals !== 18)
    throw new StartError(`AMC at ${contracts.amc} has ${amcDecimals} decimals, expected 18`)
  return usdtDecimals
}

/**
 * Checks that the server's signing keys hold their roles in the bank, and returns what is wrong with the claim key, if
 * anything: a new one waits 48 hours for its role, and all else goes on meanwhile. Throws StartError for the quote key, whose role is
 * granted at once: otherwise this would be noticed only when a member's payment reverts.
 */
export async function checkSignerRoles(
  chain: Chain,
  { quoteSigner, claimSigner }: { quoteSigner: Address; claimSigner: Address },
): Promise<string | undefined> {
  const bank = { address: chain.contracts.bank, abi: rifBankAbi } as const
  const { hash: blockHash } = await chain.nodes.newestBlock()
  const read = <T>(ask: (client: PublicClient) => Promise<T>) => chain.nodes.quorumRead(ask)
  const problemOf = async (
    signer: Address,
    roleName: 'QUOTE_SIGNER_ROLE' | 'CLAIM_SIGNER_ROLE',
  ): Promise<string | undefined> => {
    const at = { ...bank, blockHash } as const
    const role = await read((client) => client.readContract({ ...at, functionName: roleName }))
    const isHeld = await read((client) =>
      client.readContract({ ...at, functionName: 'hasRole', args: [role, signer] }),
    )
    return isHeld
      ? undefined
      : `the key of ${signer} does not hold ${roleName} in the bank at ${chain.contracts.bank}`
  }
  const problem = await problemOf(quoteSigner, 'QUOTE_SIGNER_ROLE')
  if (problem !== undefined) throw new StartError(problem)
  return problemOf(claimSigner, 'CLAIM_SIGNER_ROLE')
}

async function refuseTestToken(client: PublicClient, { usdt }: ContractAddresses): Promise<void> {
  const code = await client.getCode({ address: usdt })
  if (code !== undefined && hasExpectedCode(code, testUsdtBytecode))
    throw new StartError(`CONTRACTS.usdt ${usdt} is the test token: it works only on the local chain`)
}

async function checkCode(
  client: PublicClient,
  name: string,
  address: Address,
  expected: ContractBytecode,
): Promise<void> {
  const code: Hex | undefined = await client.getCode({ address })
  if (code === undefined) throw new StartError(`there is no contract at the ${name} address ${address}`)
  if (!hasExpectedCode(code, expected))
    throw new StartError(`the contract at the ${name} address ${address} is not the one of this version`)
}

/**
 * Checks that each bank of the list was deployed as the successor of the previous one, that no former bank is
 * handing or has handed over to another contract, and that the one that takes orders is open. A former bank
 * may be of an earlier version, so its code is not compared: it was when it took orders.
 */
async function checkSuccession(client: PublicClient, contracts: ContractAddresses): Promise<void> {
  const banks = banksOf(contracts)
  for (const [index, address] of banks.entries()) {
    const bank = { address, abi: rifBankAbi } as const
    const next = banks[index + 1]
    const [successor, [queued]] = await Promise.all([
      client.readContract({ ...bank, functionName: 'successor' }),
      client.readContract({ ...bank, functionName: 'pendingHandOver' }),
    ])
    if (next === undefined) {
      if (successor !== zeroAddress)
        throw new StartError(
          `the bank at ${address} has handed over to ${successor}: set CONTRACTS.bank to that`,
        )
      continue
    }
    const predecessor = await client.readContract({
      address: next,
      abi: rifBankAbi,
      functionName: 'predecessor',
    } as const)
    if (!isAddressEqual(predecessor, address))
      throw new StartError(`the bank at ${next} is no successor of ${address} (CONTRACTS)`)
    const other = [successor, queued].find((item) => item !== zeroAddress && !isAddressEqual(item, next))
    if (other !== undefined)
      throw new StartError(`the bank at ${address} hands over to ${other}, not to ${next} of the settings`)
  }
}

/**
 * Reports whether a contract lacks the called function, or an address has no contract. A node that fails for another reason says
 * nothing about the settings.
 */
function isNoSuchFunction(error: BaseError): boolean {
  const isAnswered = (cause: unknown) =>
    cause instanceof ContractFunctionZeroDataError ||
    (cause instanceof RpcRequestError && (cause.code === REVERTED || /revert/i.test(cause.details)))
  return error.walk(isAnswered) !== null
}

/** Immutables are masked in the code check, so the tokens are read from the bank. */
async function checkBankToken(
  client: PublicClient,
  bank: Address,
  contracts: ContractAddresses,
  token: 'usdt' | 'amc',
): Promise<void> {
  const actual = await client
    .readContract({ address: bank, abi: rifBankAbi, functionName: token })
    .catch((error: BaseError) => {
      // An error of the node is not one of the settings.
      if (!isNoSuchFunction(error)) throw error
      const text = `there is no bank contract at ${bank} (CONTRACTS)`
      throw new StartError(text, { cause: error })
    })
  if (!isAddressEqual(actual, contracts[token]))
    throw new StartError(`the bank at ${bank} was made for another ${token}: ${actual}`)
}

async function readDecimals(client: PublicClient, address: Address): Promise<number> {
  return client.readContract({ address, abi: amcTokenAbi, functionName: 'decimals' }).catch((cause) => {
    if (!isNoSuchFunction(cause)) throw cause
    throw new StartError(`the contract at ${address} does not tell its decimals`, { cause })
  })
}
