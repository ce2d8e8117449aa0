import type { Withdrawal, WithdrawalStatus } from '@rif/api-schema'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import {
  apiList,
  apiQuery,
  formatAmount,
  formatTime,
  PageLink,
  redirectTo,
  type Translate,
  useTranslation,
} from '../../../lib/index.ts'
import { buttonClass, type ListColumn, Loaded, MoneyText, Skeleton, TokenMark } from '../../../ui/index.ts'
import { LimitCard } from '../../../wallet/limit-card.tsx'
import { OrderList } from '../../../wallet/order-list.tsx'
import { ClaimAll } from '../components/claim-step.tsx'
import { WhenCard } from '../components/confirm-sheet.tsx'
import { StatusPill, WithdrawalReceiver, WithdrawalRow } from '../components/withdrawal-parts.tsx'
import { isReturned } from '../withdrawal-view.ts'

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
      keyOf={idOf}
      columns={useMemo(() => columnsOf(t), [t])}
      line={lineOf}
      render={rowOf}
      next={{ to: '/pages/withdrawal/index', label: t('withdrawals.list.withdraw') }}
      side={<Aside />}
      notice={<ClaimAll />}
    />
  )
}

const idOf = ({ withdraw_id }: Withdrawal) => withdraw_id

const columnsOf = (t: Translate): ListColumn<Withdrawal>[] => [
  {
    name: t('withdrawals.detail.amount'),
    width: '1.5fr',
    cell: (withdrawal) => <Amount withdrawal={withdrawal} />,
  },
  {
    name: t('withdrawals.detail.receives'),
    width: '0.85fr',
    cell: (withdrawal) => (isReturned(withdrawal) ? '–' : formatAmount(withdrawal.receives)),
    end: true,
  },
  {
    name: t('withdrawals.form.to'),
    width: '1.15fr',
    cell: ({ address }) => <WithdrawalReceiver address={address} />,
  },
  { name: t('withdrawals.detail.status'), cell: ({ status: is }) => <StatusPill status={is} /> },
  {
    name: t('withdrawals.detail.created'),
    width: '1.45fr',
    end: true,
    cell: ({ created_at }) => <span className="text-muted">{formatTime(created_at)}</span>,
  },
]

/** A line of the table. */
const lineOf = ({ withdraw_id }: Withdrawal, look: string, cells: ReactNode) => (
  <PageLink to="/pages/withdrawal/detail" search={{ withdraw_id }} className={look}>
    {cells}
  </PageLink>
)

/** A line on a phone. */
const rowOf = (withdrawal: Withdrawal) => <WithdrawalRow withdrawal={withdrawal} />

/** Shows the next step, the rest of today's limit, and the usual duration of a withdrawal. */
function Aside() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('withdrawLimit'))
  return (
    <>
      <PageLink to="/pages/withdrawal/index" className={buttonClass('primary', true)}>
        {t('withdrawals.list.withdraw')}
      </PageLink>
      <Loaded query={query} skeleton={<Skeleton className="h-72 rounded-16" />}>
        {(limit) => (
          <>
            <LimitCard limit={limit} worth={null} />
            <WhenCard limit={limit} isAudited={null} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Amount({ withdrawal: { amount, asset } }: { withdrawal: Withdrawal }) {
  return (
    <span className="flex items-center gap-3 font-medium">
      <TokenMark token={asset} size={28} />
      <MoneyText amount={formatAmount(amount)} unit={asset} />
    </span>
  )
}
