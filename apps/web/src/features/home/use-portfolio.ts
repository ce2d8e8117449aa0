import type { FundHoldings, Me } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiQuery } from '../../lib/index.ts'
import type { WalletBalances } from '../../wallet/balance-reads.ts'
import { useBalances } from '../../wallet/balances.ts'
import { type Holdings, holdingsOf } from './portfolio.ts'

/** A wallet that takes longer than this to answer is left out of the total until it does. */
const WALLET_PATIENCE_MS = 3_000

/** Everything that the member has, as far as it is read. */
export interface PortfolioView {
  readonly holdings: Holdings
  readonly wallet: WalletBalances | undefined
  readonly fund: FundHoldings | undefined
  readonly amcPrice: string | null
  readonly amcSince: string | null
  /** True while the wallet has not answered; false once it has, or could not be read. */
  readonly isReadingWallet: boolean
  readonly rereadWallet: () => void
  /** When the oldest of the parts was read, in ms since the epoch. */
  readonly asOf: number
}

/** Returns the portfolio; null until its parts are read, so that the total is shown once and whole. */
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

/** Returns true for some time after the first drawing. */
function useFirst(ms: number): boolean {
  const [isFirst, setFirst] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setFirst(false), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isFirst
}
