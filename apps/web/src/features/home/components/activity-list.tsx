import { formatMicros } from '@rif/rules'
import { useTranslation } from 'react-i18next'
import { formatAmount, formatTime } from '../../../lib/format.ts'
import { PageLink } from '../../../lib/page-link.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Card, Section } from '../../../ui/card.tsx'
import { LinkRow } from '../../../ui/row.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { type ActivityEntry, paidValue } from '../overview.ts'

/** The newest rewards, orders and withdrawals, each leading to where it is explained. */
export function ActivityList({ entries }: { entries: readonly ActivityEntry[] }) {
  const { t } = useTranslation()
  return (
    <Section title={t('home.recent')}>
      <Card className="divide-y divide-line py-2">
        {entries.length === 0 && (
          <EmptyState
            icon="activity"
            title={t('home.nothing')}
            action={
              <PageLink to="/pages/shop/index" className={buttonClass('secondary')}>
                {t('home.toShop')}
              </PageLink>
            }
          />
        )}
        {entries.map((entry) => (
          <EntryRow key={`${entry.kind} ${idOf(entry)}`} entry={entry} />
        ))}
      </Card>
    </Section>
  )
}

function idOf(entry: ActivityEntry): string {
  if (entry.kind === 'reward') return entry.reward.reward_id
  return entry.kind === 'order' ? entry.order.order_id : entry.withdrawal.withdraw_id
}

function EntryRow({ entry }: { entry: ActivityEntry }) {
  const { t } = useTranslation()
  const detail = formatTime(entry.at) ?? t('common.invalidTime')
  if (entry.kind === 'reward') {
    const paid = `+${formatAmount(formatMicros(paidValue(entry.reward)))} USDT`
    return (
      <LinkRow
        to="/pages/rewardList/detail"
        search={{ reward_id: entry.reward.reward_id }}
        icon="activity"
        title={t(`reward.${entry.reward.type}`)}
        detail={detail}
        end={paid}
      />
    )
  }
  if (entry.kind === 'order') {
    const { order } = entry
    const search = { order_id: order.order_id }
    return (
      <LinkRow
        to="/pages/shop/shopOrderDetail"
        search={search}
        icon="orders"
        title={order.product_name}
        detail={detail}
        end={t(`orderStatus.${order.status}`)}
      />
    )
  }
  const { withdrawal } = entry
  const search = { withdraw_id: withdrawal.withdraw_id }
  const amount = `−${formatAmount(withdrawal.amount)} ${withdrawal.asset}`
  return (
    <LinkRow
      to="/pages/withdrawal/detail"
      search={search}
      icon="withdraw"
      title={t('home.withdrawal')}
      detail={detail}
      end={amount}
    />
  )
}
