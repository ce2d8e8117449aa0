import type { FundHoldings, Me } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
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
}

/**
 * Returns the portfolio; null until its parts are loaded, so that the total is shown only when it is
 * complete. The same object until an amount changes, so that a read of the same amounts draws nothing again.
 */
export function usePortfolio(me: Me | undefined): PortfolioView | null {
  const { data: fund, isPending: isFundPending } = useQuery(apiQuery('fundHoldings'))
  const { data: price, isPending: isPricePending } = useQuery(apiQuery('tokenPrice'))
  const { data: wallet, isError, refetch } = useBalances()
  const isPatient = useFirst(WALLET_PATIENCE_MS)
  const isReadingWallet = wallet === undefined && !isError
  const isComplete = !isFundPending && !isPricePending && !(isReadingWallet && isPatient)
  return useMemo(() => {
    if (me === undefined || !isComplete) return null
    const amcPrice = price?.price ?? null
    return {
      holdings: holdingsOf({ me, amcPrice, fund, wallet }),
      wallet,
      fund,
      amcPrice,
      amcSince: price?.valid_from ?? null,
      isReadingWallet,
      rereadWallet: () => void refetch(),
    }
  }, [me, isComplete, fund, price, wallet, isReadingWallet, refetch])
}

/** Returns the time when the oldest part of the total was read, in ms since the epoch. */
export function useTotalTime(): number {
  const fund = useQuery(apiQuery('fundHoldings')).dataUpdatedAt
  const price = useQuery(apiQuery('tokenPrice')).dataUpdatedAt
  const wallet = useBalances().dataUpdatedAt
  return Math.min(...[fund, price, wallet].filter((at) => at > 0), Date.now())
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
