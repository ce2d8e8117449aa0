import { useQuery } from '@tanstack/react-query'
import { useAppConfig, useSession } from '../../lib/index.ts'

/** The signed-in wallet. */
export const useOwnAddress = () => useSession().tokenAddress

/** What the wallet holds on chain; viem is loaded for it. */
export function useBalances() {
  const config = useAppConfig()
  const owner = useOwnAddress()
  return useQuery({
    queryKey: ['walletBalances', owner],
    enabled: config !== undefined && owner !== '',
    queryFn: async () => (await import('./wallet-reads.ts')).readBalances(config!, owner),
  })
}
