import type { Withdrawal, WithdrawalStatus } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import {
  apiList,
  formatAmount,
  formatTime,
  PageLink,
  redirectTo,
  useListRefresh,
  useTranslation,
} from '../../../lib/index.ts'
import {
  buttonClass,
  Card,
  CsvButton,
  EmptyState,
  InfiniteList,
  LinkRow,
  Page,
  Pill,
  Segmented,
} from '../../../ui/index.ts'
import { WITHDRAWAL_TONES } from '../withdrawal-view.ts'

const PATH = '/pages/withdrawal/list'
const STATUSES = [
  'Auditing',
  'Withdrawable',
  'Success',
  'Rejected',
  'Cancelled',
] as const satisfies readonly WithdrawalStatus[]

/** My withdrawals by status, newest first. The chosen status stands in the address. */
export default function WithdrawalListPage() {
  const { t } = useTranslation()
  const { status } = useSearch({ from: PATH })
  const filter = status === undefined ? {} : { status }
  const query = useInfiniteQuery(apiList('withdrawals', { query: filter }))
  const refresh = useListRefresh('withdrawals')
  const options = [
    { value: 'all' as const, label: t('common.all') },
    ...STATUSES.map((value) => ({ value, label: t(`withdrawals.status.${value}`) })),
  ]
  return (
    <Page title={t('withdrawals.list.title')} actions={<CsvButton name="withdrawals" query={filter} />}>
      <Segmented
        label={t('withdrawals.list.filter')}
        options={options}
        value={status ?? 'all'}
        onChange={(value) => redirectTo(PATH, value === 'all' ? {} : { status: value })}
      />
      <InfiniteList
        query={query}
        onRefresh={refresh}
        label={t('withdrawals.list.title')}
        keyOf={(withdrawal) => withdrawal.withdraw_id}
        render={(withdrawal) => <WithdrawalRow withdrawal={withdrawal} />}
        empty={<NoWithdrawals isFiltered={status !== undefined} />}
      />
    </Page>
  )
}

function WithdrawalRow({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const { withdraw_id, amount, asset, status, created_at } = withdrawal
  return (
    <Card className="py-2">
      <LinkRow
        to="/pages/withdrawal/detail"
        search={{ withdraw_id }}
        title={`${formatAmount(amount)} ${asset}`}
        detail={formatTime(created_at)}
        end={<Pill tone={WITHDRAWAL_TONES[status]}>{t(`withdrawals.status.${status}`)}</Pill>}
      />
    </Card>
  )
}

function NoWithdrawals({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="withdraw"
      title={isFiltered ? t('withdrawals.list.emptyFiltered') : t('withdrawals.list.empty')}
      hint={t('withdrawals.list.emptyHint')}
      action={
        <PageLink to="/pages/withdrawal/index" className={buttonClass('secondary')}>
          {t('withdrawals.list.withdraw')}
        </PageLink>
      }
    />
  )
}
