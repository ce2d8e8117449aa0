import type { AppConfig, WalletAsset } from '@rif/api-schema'
import { formatMicros, fromChainUnits } from '@rif/rules'
import { balanceCalls, type ChainCall } from './chain-calls.ts'
import { activeProvider } from './connection.ts'

/** The wallet's balances on chain, wire amounts. */
export type WalletBalances = Readonly<Record<WalletAsset, string>>

const ETHER_DECIMALS = 18

/**
 * Reads through the member's own wallet, so that the page shows the state on which the wallet will act.
 * Without viem, because the home page reads it too. Throws when the wallet is not connected or does not
 * return a number.
 */
export async function readBalances(config: AppConfig, owner: string): Promise<WalletBalances> {
  const provider = await activeProvider(config)
  const unitsOf = async ([method, params]: ChainCall) => {
    const answer = await provider.request({ method, params })
    if (typeof answer !== 'string' || !/^0x[0-9a-f]+$/i.test(answer)) throw new Error(`${method}: no number`)
    return BigInt(answer)
  }
  const [eth = 0n, usdt = 0n, amc = 0n] = await Promise.all(balanceCalls(config, owner).map(unitsOf))
  const text = (units: bigint, decimals: number) => formatMicros(fromChainUnits(units, decimals).micros)
  return {
    ETH: text(eth, ETHER_DECIMALS),
    USDT: text(usdt, config.decimals.USDT),
    AMC: text(amc, config.decimals.AMC),
  }
}
