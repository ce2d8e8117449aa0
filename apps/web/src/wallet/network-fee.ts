import { formatMicros, fromChainUnits } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { useAppConfig } from '../lib/index.ts'
import { activeProvider } from './connection.ts'

/**
 * The gas of the wallet's steps, from the measurements of the contracts, with a reserve for a token's
 * approval.
 */
const GAS = { order: 260_000n, fundOrder: 190_000n, claim: 130_000n } as const

const ETHER_DECIMALS = 18

/** Returns the approximate network fee as a wire amount of ETH; undefined while it is unknown. */
export function useNetworkFee(what: keyof typeof GAS): string | undefined {
  const config = useAppConfig()
  const { data } = useQuery({
    queryKey: ['gasPrice'],
    enabled: config !== undefined,
    retry: false,
    queryFn: async () => {
      const answer = await (await activeProvider(config!)).request({ method: 'eth_gasPrice' })
      return BigInt(answer as string)
    },
  })
  return data === undefined
    ? undefined
    : formatMicros(fromChainUnits(data * GAS[what], ETHER_DECIMALS).micros)
}
