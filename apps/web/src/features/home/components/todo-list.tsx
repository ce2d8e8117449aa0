import type { Order, Withdrawal } from '@rif/api-schema'
import { useTranslation } from 'react-i18next'
import { formatAmount } from '../../../lib/format.ts'
import { Card, Section } from '../../../ui/card.tsx'
import { Countdown } from '../../../ui/countdown.tsx'
import { LinkRow } from '../../../ui/row.tsx'

export interface TodoListProps {
  orders: readonly Order[]
  withdrawals: readonly Withdrawal[]
}

/** What waits for the member: orders to finish and claims to fetch. Nothing at all when nothing waits. */
export function TodoList({ orders, withdrawals }: TodoListProps) {
  const { t } = useTranslation()
  if (orders.length + withdrawals.length === 0) return null
  return (
    <Section title={t('home.todo')}>
      <Card className="divide-y divide-line py-2">
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
      </Card>
    </Section>
  )
}
