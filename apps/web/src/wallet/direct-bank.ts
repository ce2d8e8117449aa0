import {
  type AppConfig,
  BANK_FACTS_PATH,
  type BankCallBody,
  type BankFacts,
  type RouteData,
} from '@rif/api-schema'
import { rifBankAbi } from '@rif/contracts/abi'
import { formatMicros, fromChainUnits } from '@rif/rules'
import { type Address, encodeFunctionData, erc20Abi, type Hex, keccak256, toBytes, zeroHash } from 'viem'
import { bankCallData, sendWith, type UsedWallet } from './admin-calls.ts'
import type { WalletChoice } from './connection.ts'
import { chooseDemoAccount, createDemoProvider } from './demo-wallet.ts'
import { ensureChain, FlowError, firstAccount, type WalletConfig } from './provider.ts'
import { createChainClient } from './tx-flow/chain-reads.ts'

/**
 * The bank contracts through a wallet alone: without a session, and while the product or its database is away. The contract decides
 * what a wallet may do.
 */

/** The state of a bank in the form of the API, with every key that the bank accepts. */
export interface DirectBank extends NonNullable<RouteData<'emergency'>['chain']> {
  readonly claim_keys: readonly string[]
  readonly decimals: AppConfig['decimals']
}

/** An exit as the bank knows it. */
export interface DirectExit {
  readonly state: 'none' | 'announced' | 'executed' | 'cancelled'
  readonly executableAt: string
}

const EXIT_STATES = ['none', 'announced', 'executed', 'cancelled'] as const
const WINDOW_S = 7n * 86_400n
const ROLES = {
  admin: zeroHash,
  pauser: keccak256(toBytes('PAUSER_ROLE')),
  guardian: keccak256(toBytes('GUARDIAN_ROLE')),
  claimSigner: keccak256(toBytes('CLAIM_SIGNER_ROLE')),
} as const

/** Reads which contracts there are. Throws when the server cannot be reached or does not know them. */
export async function readBankFacts(): Promise<BankFacts> {
  const answer = await fetch(BANK_FACTS_PATH)
  if (!answer.ok) throw new Error(`${BANK_FACTS_PATH}: ${answer.status}`)
  return (await answer.json()) as BankFacts
}

/** Connects a wallet for this page only; the session of the app stays as it is. Throws like a wallet, and `FlowError`. */
export async function connectDirect(choice: WalletChoice, config: WalletConfig): Promise<UsedWallet> {
  if ('account' in choice) chooseDemoAccount(choice.account)
  const provider = 'provider' in choice ? choice.provider : createDemoProvider(config)
  if (provider === null) throw new FlowError('noWallet')
  const account = await firstAccount(provider, { ask: true })
  if (account === null) throw new FlowError('locked')
  await ensureChain(provider, config.chain)
  return { provider, account }
}

/** Reads a bank through the wallet; null once it has handed over. Throws the wallet's or viem's error. */
export async function readDirectBank(
  { provider, account }: UsedWallet,
  facts: BankFacts,
  address: string,
): Promise<DirectBank | null> {
  const client = createChainClient(provider, facts)
  const read = client.readContract
  const bank = { address: address as Address, abi: rifBankAbi } as const
  if (await read({ ...bank, functionName: 'handedOver' })) return null
  const you = account as Address
  const holds = (role: Hex) => read({ ...bank, functionName: 'hasRole', args: [role, you] })
  const assets = ['USDT', 'AMC'] as const
  const tokens = { USDT: facts.contracts.usdt as Address, AMC: facts.contracts.amc as Address }
  const [keys, pauser, guardian, admin, paused, head, signers, removals, destinations, handOver, limits] =
    await Promise.all([
      read({ ...bank, functionName: 'getRoleMembers', args: [ROLES.claimSigner] }),
      ...([holds(ROLES.pauser), holds(ROLES.guardian), holds(ROLES.admin)] as const),
      read({ ...bank, functionName: 'ordersPaused' }),
      client.getBlock(),
      read({ ...bank, functionName: 'queuedClaimSigners' }),
      read({ ...bank, functionName: 'queuedGuardianRemovals' }),
      read({ ...bank, functionName: 'queuedDestinations' }),
      read({ ...bank, functionName: 'pendingHandOver' }),
      Promise.all(
        assets.map(async (asset) => {
          const args = [tokens[asset]] as const
          const [decimals, cap, remaining, raise] = await Promise.all([
            read({ address: tokens[asset], abi: erc20Abi, functionName: 'decimals' }),
            read({ ...bank, functionName: 'dailyCap', args }),
            read({ ...bank, functionName: 'remainingToday', args }),
            read({ ...bank, functionName: 'pendingCapRaise', args }),
          ])
          const amount = (units: bigint) => formatMicros(fromChainUnits(units, decimals).micros)
          return { asset, decimals, cap: amount(cap), remaining: amount(remaining), raise, amount }
        }),
      ),
    ])
  const queued = (
    kind: DirectBank['queue'][number]['kind'],
    changes: readonly { account: string; executableAt: bigint }[],
  ) =>
    changes.map(({ account: subject, executableAt }) => ({
      kind,
      subject,
      asset: null,
      cap: null,
      ...timesOf(executableAt),
    }))
  const [successor, handOverAt] = handOver
  return {
    bank: address,
    orders_paused: paused,
    claim_keys: keys,
    claim_signer: keys[0] ?? null,
    claim_signer_appointed: keys.length > 0,
    caps: limits.map(({ asset, cap, remaining }) => ({ asset, cap, remaining })),
    decimals: { USDT: limits[0]!.decimals, AMC: limits[1]!.decimals },
    queue: [
      ...queued('claim_signer', signers),
      ...queued('guardian_removal', removals),
      ...limits.flatMap(({ asset, raise: [newCap, executableAt], amount }) =>
        executableAt === 0n
          ? []
          : [
              {
                kind: 'cap_raise' as const,
                subject: tokens[asset],
                asset,
                cap: amount(newCap),
                ...timesOf(executableAt),
              },
            ],
      ),
      ...queued('destination', destinations),
      ...queued('hand_over', handOverAt === 0n ? [] : [{ account: successor, executableAt: handOverAt }]),
    ],
    head_at: timeOf(head.timestamp),
    you: { pauser, guardian, admin },
  }
}

const timeOf = (seconds: bigint) => new Date(Number(seconds) * 1_000).toISOString()
const timesOf = (executableAt: bigint) => ({
  executable_at: timeOf(executableAt),
  expires_at: timeOf(executableAt + WINDOW_S),
})

/** Sends a call of a bank. Returns and throws like `sendCall`. */
export function callDirectBank(
  wallet: UsedWallet,
  facts: BankFacts,
  { decimals }: DirectBank,
  what: BankCallBody,
): Promise<boolean> {
  const { contracts } = facts
  return sendWith(wallet, facts, { to: what.bank, data: bankCallData({ contracts, decimals }, what) })
}

/** Reads an exit of a bank by its number on chain. Throws the wallet's or viem's error. */
export async function readDirectExit(
  { provider }: UsedWallet,
  facts: BankFacts,
  { bank, exitId }: { bank: string; exitId: bigint },
): Promise<DirectExit> {
  const [state, executableAt] = await createChainClient(provider, facts).readContract({
    address: bank as Address,
    abi: rifBankAbi,
    functionName: 'exitOf',
    args: [exitId],
  })
  return { state: EXIT_STATES[state] ?? 'none', executableAt: timeOf(executableAt) }
}

/** Cancels an announced exit. Returns and throws like `sendCall`. */
export function cancelDirectExit(
  wallet: UsedWallet,
  facts: BankFacts,
  { bank, exitId }: { bank: string; exitId: bigint },
): Promise<boolean> {
  const data = encodeFunctionData({ abi: rifBankAbi, functionName: 'cancelExit', args: [exitId] })
  return sendWith(wallet, facts, { to: bank, data })
}
