import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiQuery, formatOwn, formatTime, isZero, TWO_DECIMALS, useTranslation } from '../../../lib/index.ts'
import { Card, LinkRow, ListSkeleton, Section } from '../../../ui/index.ts'

const OPEN = 10

/** The queries of unfinished items. */
function useReads() {
  const unpaid = useQuery(apiQuery('orders', { query: { status: 'UnPaid', limit: OPEN } }))
  const processing = useQuery(apiQuery('orders', { query: { status: 'Processing', limit: OPEN } }))
  const claimable = useQuery(apiQuery('withdrawals', { query: { status: 'Withdrawable', limit: OPEN } }))
  const checked = useQuery(apiQuery('withdrawals', { query: { status: 'Auditing', limit: OPEN } }))
  const me = useQuery(apiQuery('me'))
  return {
    isPending: [unpaid, processing, claimable, checked, me].some((query) => query.isPending),
    orders: [...(unpaid.data?.items ?? []), ...(processing.data?.items ?? [])],
    claims: claimable.data?.items ?? [],
    checked: checked.data?.items ?? [],
    balances: me.data?.balances,
  }
}

/**
 * Shows what has begun and is not over (orders, withdrawals, money that leaves savings), above its children. Both appear together, so
 * that nothing moves.
 */
export function UnderWay({ children }: { children?: ReactNode }) {
  const reads = useReads()
  if (reads.isPending) return <ListSkeleton />
  return (
    <>
      <Begun {...reads} />
      {children}
    </>
  )
}

function Begun({ orders, claims, checked, balances }: Omit<ReturnType<typeof useReads>, 'isPending'>) {
  const { t } = useTranslation()
  const leaving = (['USDT', 'AMC'] as const).filter(
    (asset) => balances !== undefined && !isZero(balances[asset].savings_leaving),
  )
  if (orders.length + claims.length + checked.length + leaving.length === 0) return null
  return (
    <Section title={t('feed.underWay')}>
      <Card className="divide-y divide-line py-1">
        {claims.map((claim) => (
          <LinkRow
            key={claim.withdraw_id}
            to="/pages/withdrawal/detail"
            search={{ withdraw_id: claim.withdraw_id }}
            icon="withdraw"
            tone="info"
            title={t('feed.readyToClaim')}
            detail={t('feed.withdrawalOf', { time: formatTime(claim.created_at) ?? '' })}
            end={<Amount amount={claim.receives} unit={claim.asset} />}
          />
        ))}
        {checked.map((request) => (
          <LinkRow
            key={request.withdraw_id}
            to="/pages/withdrawal/detail"
            search={{ withdraw_id: request.withdraw_id }}
            icon="clock"
            title={t('feed.personChecks')}
            detail={t('feed.withdrawalOf', { time: formatTime(request.created_at) ?? '' })}
            end={<Amount amount={request.receives} unit={request.asset} />}
          />
        ))}
        {orders.map((order) => (
          <LinkRow
            key={order.order_id}
            to="/pages/shop/shopOrderDetail"
            search={{ order_id: order.order_id }}
            icon="orders"
            title={t(order.status === 'UnPaid' ? 'feed.orderOpen' : 'feed.orderPaid', {
              name: order.product_name,
            })}
            {...(order.status === 'UnPaid' && {
              detail: t('feed.orderUntil', { time: formatTime(order.expires_at) ?? '' }),
            })}
            end={<Amount amount={order.total} unit="USDT" />}
          />
        ))}
        {leaving.map((asset) => (
          <LinkRow
            key={asset}
            to="/pages/savings/list"
            search={{ show: 'leaving' }}
            icon="savings"
            title={t('feed.leaving')}
            end={<Amount amount={balances![asset].savings_leaving} unit={asset} />}
          />
        ))}
      </Card>
    </Section>
  )
}

function Amount({ amount, unit }: { amount: string; unit: string }): ReactNode {
  return (
    <span className="flex flex-col items-end">
      <span className="text-16 font-medium">{formatOwn(amount, TWO_DECIMALS)}</span>
      <span className="text-12 text-muted">{unit}</span>
    </span>
  )
}
