import type { FundOrder, Management, Me, Order, Withdrawal } from '@rif/api-schema'
import { formatAmount, isZero, useTranslation } from '../../../lib/index.ts'
import { Card, Countdown, LinkRow, Section } from '../../../ui/index.ts'

export interface TodoListProps {
  me: Me
  orders: readonly Order[]
  /** Purchases of the fund that wait for a payment from the wallet. */
  fundOrders: readonly FundOrder[]
  withdrawals: readonly Withdrawal[]
  award: Management | undefined
}

/** Lists what the member has to do: unfinished orders, open claims, a paused award, money on its way. Renders nothing when empty. */
export function TodoList({ me, orders, fundOrders, withdrawals, award }: TodoListProps) {
  const { t } = useTranslation()
  const leaving = (['USDT', 'AMC'] as const).filter((asset) => !isZero(me.balances[asset].savings_leaving))
  const isPaused = award?.paused === true
  const waiting = orders.length + fundOrders.length + withdrawals.length + leaving.length
  if (waiting === 0 && !isPaused) return null
  return (
    <Section title={t('home.todo')}>
      <Card className="divide-y divide-line py-1">
        {orders.map((order) => (
          <LinkRow
            key={order.order_id}
            to="/pages/shop/shopOrderDetail"
            search={{ order_id: order.order_id }}
            icon="orders"
            title={t('home.finishOrder', { name: order.product_name })}
            detail={t('home.finishOrderHint', {
              usdt: formatAmount(order.quote.usdt),
              amc: formatAmount(order.quote.amc),
            })}
            end={<Countdown until={order.expires_at} />}
          />
        ))}
        {fundOrders.map((order) => (
          <LinkRow
            key={order.order_id}
            to="/pages/found/pay"
            search={{ order_id: order.order_id }}
            icon="fund"
            title={t('home.finishOrder', { name: order.product_name })}
            detail={`${formatAmount(order.total)} USDT`}
            end={order.expires_at !== null && <Countdown until={order.expires_at} />}
          />
        ))}
        {withdrawals.map((withdrawal) => (
          <LinkRow
            key={withdrawal.withdraw_id}
            to="/pages/withdrawal/detail"
            search={{ withdraw_id: withdrawal.withdraw_id }}
            icon="withdraw"
            title={t('home.fetchClaim')}
            detail={`${formatAmount(withdrawal.receives)} ${withdrawal.asset}`}
          />
        ))}
        {isPaused && (
          <LinkRow
            to="/pages/rewardList/index"
            icon="clock"
            title={t('home.awardPaused')}
            detail={t('home.awardPausedHint', { base: formatAmount(award.base) })}
          />
        )}
        {leaving.map((asset) => (
          <LinkRow
            key={asset}
            to="/pages/savings/list"
            search={{ show: 'leaving' }}
            icon="savings"
            title={t('home.leaving')}
            detail={`${formatAmount(me.balances[asset].savings_leaving)} ${asset}`}
          />
        ))}
      </Card>
    </Section>
  )
}
