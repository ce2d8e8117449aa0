import type { AppConfig } from '@rif/api-schema'
import { rifBankAbi } from '@rif/contracts/abi'
import { type PaymentAsset, parseMicros, toChainUnits } from '@rif/rules'
import { encodeFunctionData, erc20Abi, type Hex, stringToHex } from 'viem'
import { sessionStore } from '../lib/index.ts'
import { sendCall } from './admin-calls.ts'
import { activeProvider } from './connection.ts'
import { ensureChain } from './provider.ts'

/** The bytes of the contract's label. */
const LABEL_BYTES = 32

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
  const approve = (value: bigint) =>
    sendCall(config, {
      to: token,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [bank, value] }),
    })
  const allowance = await allowanceOf(config, token)
  if (allowance !== units) {
    // Some forms of USDT refuse to replace an allowance by another one.
    if (allowance !== 0n && !(await approve(0n))) return false
    if (!(await approve(units))) return false
  }
  const args = [stringToHex(label, { size: LABEL_BYTES }), token, units, documentHash as Hex] as const
  return sendCall(config, {
    to: bank,
    data: encodeFunctionData({ abi: rifBankAbi, functionName: 'depositRevenue', args }),
  })
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
