import { useAppConfig, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Avatar,
  Card,
  ErrorState,
  InCurrency,
  Money,
  Skeleton,
  TokenMark,
} from '../../../ui/index.ts'
import { useBalances, useOwnAddress } from '../../../wallet/balances.ts'

const ASSETS = ['USDT', 'AMC', 'ETH'] as const

/** Shows the balances of the member's wallet on chain, with its address and network. */
export function Balances() {
  const { t } = useTranslation()
  const balances = useBalances()
  const owner = useOwnAddress()
  const network = useAppConfig()?.chain.name
  return (
    <Card className="flex flex-col gap-2">
      <span className="flex items-center gap-3">
        <Avatar address={owner} size={28} />
        <span className="min-w-0 text-14 text-muted">
          <Address value={owner} />
          {network !== undefined && <span className="block">{network}</span>}
        </span>
      </span>
      {balances.data === undefined && balances.isError && (
        <ErrorState text={t('localWallet.unread')} onRetry={() => void balances.refetch()} />
      )}
      {balances.data === undefined && !balances.isError && <Skeleton className="h-48" />}
      {balances.data !== undefined && (
        <ul className="divide-y divide-line">
          {ASSETS.map((asset) => (
            <li key={asset} className="flex min-h-16 items-center gap-3">
              <TokenMark token={asset} />
              <span className="flex-1 text-16 font-medium">{asset}</span>
              <span className="text-right">
                <Money
                  own
                  amount={balances.data[asset]}
                  unit={asset}
                  className="font-display text-20 font-semibold"
                />
                {asset !== 'ETH' && (
                  <InCurrency amount={balances.data[asset]} unit={asset} className="text-12 text-muted" />
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
