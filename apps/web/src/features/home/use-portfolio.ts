import type { FundHoldings, Me } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiQuery } from '../../lib/index.ts'
import type { WalletBalances } from '../../wallet/balance-reads.ts'
import { useBalances } from '../../wallet/balances.ts'
import { type Holdings, holdingsOf } from './portfolio.ts'

/** A wallet that answers more slowly is left out of the total until it answers. */
const WALLET_PATIENCE_MS = 3_000

/** All holdings of the member, as far as they are loaded. */
export interface PortfolioView {
  readonly holdings: Holdings
  readonly wallet: WalletBalances | undefined
  readonly fund: FundHoldings | undefined
  readonly amcPrice: string | null
  readonly amcSince: string | null
  /** True while the wallet has not answered; false once it has, or could not be read. */
  readonly isReadingWallet: boolean
  readonly rereadWallet: () => void
  /** The time when the oldest part was read, in ms since the epoch. */
  readonly asOf: number
}

/**
 * Returns the portfolio; null until its parts are loaded, so that the total is shown only when it is
 * complete.
 */
export function usePortfolio(me: Me | undefined): PortfolioView | null {
  const fund = useQuery(apiQuery('fundHoldings'))
  const amc = useQuery(apiQuery('tokenPrice'))
  const wallet = useBalances()
  const isPatient = useFirst(WALLET_PATIENCE_MS)
  if (me === undefined || fund.isPending || amc.isPending) return null
  const isReadingWallet = wallet.data === undefined && !wallet.isError
  if (isReadingWallet && isPatient) return null
  const amcPrice = amc.data?.price ?? null
  return {
    holdings: holdingsOf({ me, amcPrice, fund: fund.data, wallet: wallet.data }),
    ...{ wallet: wallet.data, fund: fund.data, amcPrice, isReadingWallet },
    amcSince: amc.data?.valid_from ?? null,
    rereadWallet: () => void wallet.refetch(),
    asOf: Math.min(...[fund, amc, wallet].flatMap(({ dataUpdatedAt }) => dataUpdatedAt || []), Date.now()),
  }
}

/** Returns true for some time after the first rendering. */
function useFirst(ms: number): boolean {
  const [isFirst, setFirst] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setFirst(false), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isFirst
}
