import type { AppConfig } from '@rif/api-schema'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { configQuery, sessionStore, useAppConfig, useSession } from '../lib/index.ts'
import { readBalances } from './balance-reads.ts'

/** The signed-in wallet. */
export const useOwnAddress = () => useSession().tokenAddress

const balancesQuery = (config: AppConfig | undefined, owner: string) =>
  queryOptions({
    queryKey: ['walletBalances', owner],
    enabled: config !== undefined && owner !== '',
    queryFn: () => readBalances(config!, owner),
  })

/** Returns the query of the wallet's balances on chain. */
export const useBalances = () => useQuery(balancesQuery(useAppConfig(), useOwnAddress()))

/** Reads the balances for a page that is not rendered yet. A failure is shown when the page reads them. */
export async function readBalancesAhead(client: QueryClient): Promise<void> {
  const config = await client.ensureQueryData(configQuery)
  await client.prefetchQuery(balancesQuery(config, sessionStore.getState().tokenAddress))
}
