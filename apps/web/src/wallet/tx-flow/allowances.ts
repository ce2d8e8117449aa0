import type { AppConfig } from '@rif/api-schema'
import { amcTokenAbi } from '@rif/contracts/abi'
import { type Address, encodeFunctionData } from 'viem'
import { sessionStore } from '../../lib/index.ts'
import { FlowError, isOnChain, sameAddress, type WalletProvider, wrongAccount } from '../provider.ts'
import { createChainClient } from './chain-reads.ts'
import { approvalPreview, type Spender, type Sum, spendersOf, sumOf } from './flow-state.ts'
import {
  beginRun,
  type FlowDeps,
  type FlowRun,
  guardFlow,
  rehearse,
  sendCall,
  settlePending,
} from './send.ts'

/** The amount of a token that a contract of the product may take from a wallet. */
export interface Allowance {
  token: 'usdt' | 'amc'
  spender: Spender
  spenderAddress: string
  sum: Sum
  /** More than any balance: an unlimited approval made elsewhere. */
  isUnlimited: boolean
}

const TOKENS = ['usdt', 'amc'] as const
const UNLIMITED = 2n ** 127n

/** Reads through the wallet the allowances of the product's contracts. Throws `wrongChain`. */
export async function readAllowances(
  provider: WalletProvider,
  config: AppConfig,
  owner: string,
): Promise<Allowance[]> {
  if (!(await isOnChain(provider, config.chain))) throw new FlowError('wrongChain')
  const client = createChainClient(provider, config)
  const pairs = spendersOf(config).flatMap((item) => TOKENS.map((token) => ({ token, ...item })))
  return Promise.all(
    pairs.map(async ({ token, spender, spenderAddress }): Promise<Allowance> => {
      const value = await client.readContract({
        address: config.contracts[token] as Address,
        abi: amcTokenAbi,
        functionName: 'allowance',
        args: [owner as Address, spenderAddress as Address],
      })
      const isUnlimited = value >= UNLIMITED
      const sum = sumOf(isUnlimited ? 0n : value, token === 'usdt' ? 'USDT' : 'AMC', config)
      return { token, spender, spenderAddress, sum, isUnlimited }
    }),
  )
}

type Revoked = Pick<Allowance, 'token' | 'spenderAddress'>

/**
 * Revokes an approval: approves zero with the wallet, built from the config's addresses, and resolves when
 * the allowance on chain is zero.
 */
export async function runRevoke(allowance: Revoked, deps: FlowDeps) {
  await guardFlow(
    deps,
    async () => {
      const run = await beginRun(`approval:${allowance.token} ${allowance.spenderAddress}`, deps)
      if (run === null) return deps.dispatch({ type: 'waits' })
      const owner = sessionStore.getState().tokenAddress
      if (!sameAddress(run.account, owner)) throw wrongAccount(owner, run.account)
      await advance(run, allowance)
    },
    async () => false,
  )
}

async function advance(run: FlowRun, { token, spenderAddress: address }: Revoked) {
  const { client, config, account } = run
  const to = config.contracts[token] as Address
  const spender = spendersOf(config).find((item) => sameAddress(item.spenderAddress, address))
  if (spender === undefined) throw new FlowError('mismatch', 'contract')
  const spenderAddress = spender.spenderAddress as Address
  const step = token === 'usdt' ? 'revokeUsdt' : 'revokeAmc'
  const isRevoked = async () => {
    const args = [account, spenderAddress] as const
    return (
      (await client.readContract({ address: to, abi: amcTokenAbi, functionName: 'allowance', args })) === 0n
    )
  }
  const before = await settlePending(run)
  run.dispatch({ type: 'planned', steps: [step], finished: [] })
  if (await isRevoked()) return run.dispatch({ type: 'done' })
  if (before !== null && before.outcome !== 'mined') throw new FlowError(PROBLEMS[before.outcome])
  if (!run.mayAsk) return run.dispatch({ type: 'waits' })
  const data = encodeFunctionData({ abi: amcTokenAbi, functionName: 'approve', args: [spenderAddress, 0n] })
  await rehearse(run, { to, data })
  const preview = approvalPreview(config, token, spenderAddress, 0n)
  const outcome = await sendCall(run, step, { call: { to, data }, previews: [preview] })
  if (await isRevoked()) return run.dispatch({ type: 'done' })
  throw new FlowError(outcome === 'mined' ? 'failed' : PROBLEMS[outcome])
}

const PROBLEMS = { reverted: 'transferFailed', replaced: 'replaced' } as const
