import { amcTokenAbi, rifBankAbi } from '@rif/contracts/abi'
import {
  amcTokenBytecode,
  type ContractBytecode,
  rifBankBytecode,
  rifTransferBytecode,
  testUsdtBytecode,
} from '@rif/contracts/bytecode'
import { type Address, type Hex, isAddressEqual, type PublicClient, parseUnits, zeroAddress } from 'viem'
import { BANK_ROLES, type BankRole } from './bank-state.ts'
import type { ContractAddresses } from './client.ts'
import { hasExpectedCode } from './code-check.ts'

/** The contracts as specified by the operator. Amounts are decimal strings in whole tokens. */
export interface DeploymentPlan {
  readonly usdt: Address
  /** The AMC token, or the receiver of its whole supply if it is deployed too. */
  readonly amc: Address | { readonly holder: Address; readonly supply: string }
  /** The only holder of each role; null for no publisher or treasurer. */
  readonly roles: Readonly<Record<BankRole, Address | null>>
  readonly adminDelayS: number
  readonly dailyCaps: { readonly usdt: string; readonly amc: string }
  /** The bank that may hand over to this one; null for none. */
  readonly predecessor: Address | null
}

type Client = Pick<PublicClient, 'getCode' | 'readContract'>

const AMC_DECIMALS = 18

/** The bank's constructor argument, with the caps in base units. */
export function bankConfig(plan: DeploymentPlan, amc: Address, usdtDecimals: number) {
  const { roles, dailyCaps } = plan
  return {
    usdt: plan.usdt,
    amc,
    admin: roles.admin!,
    adminDelay: plan.adminDelayS,
    quoteSigner: roles.quote_signer!,
    claimSigner: roles.claim_signer!,
    publisher: roles.publisher ?? zeroAddress,
    treasurer: roles.treasurer ?? zeroAddress,
    pauser: roles.pauser!,
    guardian: roles.guardian!,
    predecessor: plan.predecessor ?? zeroAddress,
    usdtDailyCap: parseUnits(dailyCaps.usdt, usdtDecimals),
    amcDailyCap: parseUnits(dailyCaps.amc, AMC_DECIMALS),
  } as const
}

/**
 * Returns the differences between the deployed contracts and the plan: code, tokens, decimals, the holders of
 * every role, delay, caps, queue and pause. Throws viem's error if the node does not answer.
 */
export async function deploymentProblems(
  client: Client,
  plan: DeploymentPlan,
  contracts: ContractAddresses,
): Promise<string[]> {
  const { usdt, amc } = contracts
  const code = (await Promise.all(codeChecks(client, contracts))).flat()
  // Without the expected code, the contracts' answers mean nothing.
  if (code.length > 0) return code
  const decimals = await Promise.all([usdt, amc].map((token) => readDecimals(client, token)))
  const wanted = bankConfig(plan, amc, decimals[0]!)
  const bank = { address: contracts.bank, abi: rifBankAbi } as const
  const read = client.readContract
  const [
    adminDelay,
    [pendingAdmin],
    [pendingDelay],
    paused,
    deposits,
    signers,
    removals,
    tokens,
    caps,
    exits,
  ] = await Promise.all([
    read({ ...bank, functionName: 'defaultAdminDelay' }),
    read({ ...bank, functionName: 'pendingDefaultAdmin' }),
    read({ ...bank, functionName: 'pendingDefaultAdminDelay' }),
    read({ ...bank, functionName: 'ordersPaused' }),
    read({ ...bank, functionName: 'depositCount' }),
    read({ ...bank, functionName: 'queuedClaimSigners' }),
    read({ ...bank, functionName: 'queuedGuardianRemovals' }),
    Promise.all([read({ ...bank, functionName: 'usdt' }), read({ ...bank, functionName: 'amc' })]),
    Promise.all([usdt, amc].map((token) => read({ ...bank, functionName: 'dailyCap', args: [token] }))),
    readExitState(client, contracts.bank),
  ])
  const raises = await Promise.all(
    [usdt, amc].map((token) => read({ ...bank, functionName: 'pendingCapRaise', args: [token] })),
  )
  const predecessor = plan.predecessor ?? zeroAddress
  const facts: readonly (readonly [string, unknown, unknown])[] = [
    ['the USDT of the bank', tokens[0].toLowerCase(), usdt.toLowerCase()],
    ['the AMC of the bank', tokens[1].toLowerCase(), amc.toLowerCase()],
    ['the decimals of AMC', decimals[1], AMC_DECIMALS],
    ['the decimals of USDT', decimals[0] === 6 || decimals[0] === 18, true],
    ['the delay of the admin in seconds', adminDelay, plan.adminDelayS],
    ['the successor of the admin', BigInt(pendingAdmin), 0n],
    ['the next delay of the admin', pendingDelay, 0],
    ['the daily cap of USDT', caps[0], wanted.usdtDailyCap],
    ['the daily cap of AMC', caps[1], wanted.amcDailyCap],
    ['the number of queued changes', signers.length + removals.length, 0],
    ['the number of queued raises', raises.filter(([, at]) => at !== 0n).length, 0],
    ['the pause of orders', paused, false],
    ['the number of deposits', deposits, 0n],
    ['the number of destinations of exits', exits.destinations, 0],
    ['the last day that was published', exits.lastDay, 0],
    ['the successor of the bank', exits.successor, zeroAddress],
    ['the predecessor of the bank', exits.predecessor.toLowerCase(), predecessor.toLowerCase()],
  ]
  const differing = facts.filter(([, actual, expected]) => actual !== expected)
  return [
    ...differing.map(([what, actual, expected]) => `${what} is ${actual}, expected ${expected}`),
    ...(await roleProblems(client, plan, contracts.bank)),
    ...(plan.predecessor === null ? [] : await predecessorProblems(client, plan.predecessor, contracts)),
  ]
}

/** Reads the destinations of exits, listed and queued, the last publication, and the neighbours in the list of banks. */
async function readExitState(client: Client, address: Address) {
  const bank = { address, abi: rifBankAbi } as const
  const read = client.readContract
  const [listed, queued, lastDay, predecessor, successor, [pending]] = await Promise.all([
    read({ ...bank, functionName: 'destinations' }),
    read({ ...bank, functionName: 'queuedDestinations' }),
    read({ ...bank, functionName: 'lastSolvencyDay' }),
    read({ ...bank, functionName: 'predecessor' }),
    read({ ...bank, functionName: 'successor' }),
    read({ ...bank, functionName: 'pendingHandOver' }),
  ])
  const next = successor === zeroAddress ? pending : successor
  return { destinations: listed.length + queued.length, lastDay, predecessor, successor: next }
}

/** Returns the reason why the predecessor could not hand over to the new bank. */
async function predecessorProblems(
  client: Client,
  predecessor: Address,
  { usdt, amc }: ContractAddresses,
): Promise<string[]> {
  const bank = { address: predecessor, abi: rifBankAbi } as const
  const read = client.readContract
  const [tokens, isClosed] = await Promise.all([
    Promise.all([read({ ...bank, functionName: 'usdt' }), read({ ...bank, functionName: 'amc' })]),
    read({ ...bank, functionName: 'handedOver' }),
  ])
  const hasOtherTokens = !isAddressEqual(tokens[0], usdt) || !isAddressEqual(tokens[1], amc)
  return [
    ...(hasOtherTokens ? [`the predecessor at ${predecessor} has other tokens`] : []),
    ...(isClosed ? [`the predecessor at ${predecessor} has handed over already`] : []),
  ]
}

function codeChecks(client: Client, { bank, transfer, usdt, amc }: ContractAddresses): Promise<string[]>[] {
  const check = async (name: string, address: Address, expected: ContractBytecode) => {
    const code = await client.getCode({ address })
    return code !== undefined && hasExpectedCode(code, expected)
      ? []
      : [`the code of ${name} at ${address} is not the one of this version`]
  }
  const refuse = async () => {
    const code = await client.getCode({ address: usdt })
    if (code === undefined) return [`there is no contract at the USDT address ${usdt}`]
    return hasExpectedCode(code, testUsdtBytecode) ? [`USDT at ${usdt} is the test token`] : []
  }
  return [
    check('the bank', bank, rifBankBytecode),
    check('the transfer contract', transfer, rifTransferBytecode),
    check('AMC', amc, amcTokenBytecode),
    refuse(),
  ]
}

/** Compares the holders of every role with the plan: exactly one each, or none. */
async function roleProblems(client: Client, { roles }: DeploymentPlan, bank: Address): Promise<string[]> {
  const names = Object.keys(BANK_ROLES) as BankRole[]
  const problems = names.map(async (name) => {
    const holders = await client.readContract({
      address: bank,
      abi: rifBankAbi,
      functionName: 'getRoleMembers',
      args: [BANK_ROLES[name]],
    } as const)
    const wanted = roles[name]
    const isRight =
      wanted === null ? holders.length === 0 : holders.length === 1 && isAddressEqual(holders[0]!, wanted)
    return isRight
      ? []
      : [`${name} is held by ${holders.join(', ') || 'nobody'}, expected ${wanted ?? 'nobody'}`]
  })
  return (await Promise.all(problems)).flat()
}

/** Reads the decimals of a token. Throws viem's error if there is no token at the address. */
export const readDecimals = (client: Pick<Client, 'readContract'>, token: Address): Promise<number> =>
  client.readContract({ address: token, abi: amcTokenAbi, functionName: 'decimals' })

/** The creation code and the ABI of the contracts to deploy, by name. */
export const CREATION: Readonly<Record<'amc' | 'bank' | 'transfer', Hex>> = {
  amc: amcTokenBytecode.bytecode,
  bank: rifBankBytecode.bytecode,
  transfer: rifTransferBytecode.bytecode,
}
