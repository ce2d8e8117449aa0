import type { WithdrawalStatus } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiList, formatAmount, formatTime, redirectTo, useTranslation } from '../../../lib/index.ts'
import { LinkRow, Pill } from '../../../ui/index.ts'
import { OrderList } from '../../../wallet/order-list.tsx'
import { WITHDRAWAL_TONES } from '../withdrawal-view.ts'

const PATH = '/pages/withdrawal/list'
const STATUSES = [
  ...(['Auditing', 'Withdrawable', 'Success', 'Rejected', 'Cancelled'] as const),
] satisfies readonly WithdrawalStatus[]

/** My withdrawals by status. */
export default function WithdrawalListPage() {
  const { t } = useTranslation()
  const { status } = useSearch({ from: PATH })
  return (
    <OrderList
      route="withdrawals"
      query={useInfiniteQuery(apiList('withdrawals', { query: status === undefined ? {} : { status } }))}
      statuses={STATUSES}
      status={status}
      statusText={(value) => t(`withdrawals.status.${value}`)}
      onChoose={(value) => redirectTo(PATH, value === undefined ? {} : { status: value })}
      keyOf={({ withdraw_id }) => withdraw_id}
      render={({ withdraw_id, amount, asset, created_at, ...withdrawal }) => (
        <LinkRow
          to="/pages/withdrawal/detail"
          search={{ withdraw_id }}
          title={`${formatAmount(amount)} ${asset}`}
          detail={formatTime(created_at)}
          end={
            <Pill tone={WITHDRAWAL_TONES[withdrawal.status]}>
              {t(`withdrawals.status.${withdrawal.status}`)}
            </Pill>
          }
        />
      )}
      next={{ to: '/pages/withdrawal/index', label: t('withdrawals.list.withdraw') }}
    />
  )
}
