import { useQuery } from '@tanstack/react-query'
import { useAppConfig, useSession } from '../lib/index.ts'

/** The signed-in wallet. */
export const useOwnAddress = () => useSession().tokenAddress

/** Returns the query of the wallet's balances on chain. */
export function useBalances() {
  const config = useAppConfig()
  const owner = useOwnAddress()
  return useQuery({
    queryKey: ['walletBalances', owner],
    enabled: config !== undefined && owner !== '',
    queryFn: async () => (await import('./balance-reads.ts')).readBalances(config!, owner),
  })
}
