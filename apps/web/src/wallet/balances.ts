import { useQuery } from '@tanstack/react-query'
import { useAppConfig, useSession } from '../lib/index.ts'
import { readBalances } from './balance-reads.ts'

/** The signed-in wallet. */
export const useOwnAddress = () => useSession().tokenAddress

/** Returns the query of the wallet's balances on chain. */
export function useBalances() {
  const config = useAppConfig()
  const owner = useOwnAddress()
  return useQuery({
    queryKey: ['walletBalances', owner],
    enabled: config !== undefined && owner !== '',
    queryFn: () => readBalances(config!, owner),
  })
}
