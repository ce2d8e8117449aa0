import { formatMicros, fromChainUnits } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { useAppConfig } from '../lib/index.ts'
import { activeProvider } from './connection.ts'

/** Describes what the wallet's steps cost in gas, from the contracts' own measurements, with room for a token's approval. */
const GAS = { order: 260_000n, fundOrder: 190_000n, claim: 130_000n } as const

const ETHER_DECIMALS = 18

/** Returns about what the network will ask for, a wire amount of ETH; undefined while it is not known. */
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
