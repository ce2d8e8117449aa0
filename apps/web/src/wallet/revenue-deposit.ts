import type { AppConfig } from '@rif/api-schema'
import { rifBankAbi } from '@rif/contracts/abi'
import { type PaymentAsset, parseMicros, revenueDepositCalls, toChainUnits } from '@rif/rules'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { sessionStore } from '../lib/index.ts'
import { sendAdminCall } from './admin-calls.ts'
import { activeProvider } from './connection.ts'
import { ensureChain } from './provider.ts'

export interface RevenueToDeposit {
  readonly asset: PaymentAsset
  /** A decimal amount. */
  readonly amount: string
  /** A word to find the deposit by, at most 32 bytes in UTF-8. */
  readonly label: string
  /** The SHA-256 of the paper that attests the revenue. */
  readonly documentHash: string
}

/**
 * Pays revenue into the bank with the wallet: allows exactly this amount, unless that is allowed already, then deposits
 * it. Waits for each transaction. Returns false when one is not in a block in time; repeating it continues. Throws the
 * wallet's error, `FlowError`, and an error when a transaction reverted.
 */
export async function depositRevenue(config: AppConfig, wanted: RevenueToDeposit): Promise<boolean> {
  const { contracts, decimals } = config
  const { asset, amount, label, documentHash } = wanted
  const token = (asset === 'USDT' ? contracts.usdt : contracts.amc) as Hex
  const bank = contracts.bank as Hex
  const units = toChainUnits(parseMicros(amount), decimals[asset])
  const callsOf = (value: bigint) =>
    revenueDepositCalls({ bank, token, units: value, label, documentHash: documentHash as Hex })
  const approve = (value: bigint) => {
    const { to, ...call } = callsOf(value).approve
    return sendAdminCall(config, { to, data: encodeFunctionData({ abi: erc20Abi, ...call }) })
  }
  const allowance = await allowanceOf(config, token)
  if (allowance !== units) {
    // Some forms of USDT refuse to replace an allowance by another one.
    if (allowance !== 0n && !(await approve(0n))) return false
    if (!(await approve(units))) return false
  }
  const { to, ...call } = callsOf(units).deposit
  return sendAdminCall(config, { to, data: encodeFunctionData({ abi: rifBankAbi, ...call }) })
}

async function allowanceOf(config: AppConfig, token: Hex): Promise<bigint> {
  const provider = await activeProvider(config)
  await ensureChain(provider, config.chain)
  const args = [sessionStore.getState().tokenAddress as Hex, config.contracts.bank as Hex] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args })
  return BigInt(
    (await provider.request({ method: 'eth_call', params: [{ to: token, data }, 'latest'] })) as Hex,
  )
}
