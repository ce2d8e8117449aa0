import type { AppConfig, WalletAsset } from '@rif/api-schema'
import { formatMicros, fromChainUnits } from '@rif/rules'
import { activeProvider } from './connection.ts'

/** The wallet's balances on chain, wire amounts. */
export type WalletBalances = Readonly<Record<WalletAsset, string>>

/** The selector of `balanceOf(address)` (ERC-20). */
const BALANCE_OF = '0x70a08231'
const WORD_DIGITS = 64
const ETHER_DECIMALS = 18

/**
 * Reads through the member's own wallet: what is shown is what the wallet will act on. Without viem, because the home
 * page reads it, too. Throws where the wallet is not connected or does not answer with a number.
 */
export async function readBalances(config: AppConfig, owner: string): Promise<WalletBalances> {
  const provider = await activeProvider(config)
  const unitsOf = async (method: string, params: readonly unknown[]) => {
    const answer = await provider.request({ method, params })
    if (typeof answer !== 'string' || !/^0x[0-9a-f]+$/i.test(answer)) throw new Error(`${method}: no number`)
    return BigInt(answer)
  }
  const data = BALANCE_OF + owner.slice(2).toLowerCase().padStart(WORD_DIGITS, '0')
  const tokens = (to: string) => unitsOf('eth_call', [{ to, data }, 'latest'])
  const [eth, usdt, amc] = await Promise.all([
    unitsOf('eth_getBalance', [owner, 'latest']),
    tokens(config.contracts.usdt),
    tokens(config.contracts.amc),
  ])
  const text = (units: bigint, decimals: number) => formatMicros(fromChainUnits(units, decimals).micros)
  return {
    ETH: text(eth, ETHER_DECIMALS),
    USDT: text(usdt, config.decimals.USDT),
    AMC: text(amc, config.decimals.AMC),
  }
}
