import { useQuery } from '@tanstack/react-query'
import { apiQuery, isZero, useTranslation } from '../../../lib/index.ts'
import { EmptyState, ErrorState, FormSkeleton, NavLink, OwedNotice, Page } from '../../../ui/index.ts'
import { WithdrawForm } from '../components/withdraw-form.tsx'

/** A withdrawal: asset, receiver, amount, net amount, and the rest of the day's limit. */
export default function WithdrawPage() {
  const { t } = useTranslation()
  const limit = useQuery(apiQuery('withdrawLimit'))
  const me = useQuery(apiQuery('me'))
  const retry = () => {
    if (limit.data === undefined) void limit.refetch()
    if (me.data === undefined) void me.refetch()
  }
  const isLoaded = limit.data !== undefined && me.data !== undefined
  const isEmpty = isLoaded && isZero(limit.data.available.USDT) && isZero(limit.data.available.AMC)
  return (
    <Page
      wide
      title={t('withdrawals.title')}
      actions={<NavLink to="/pages/withdrawal/list">{t('withdrawals.history')}</NavLink>}
    >
      {(limit.isPending || me.isPending) && <FormSkeleton />}
      {!isLoaded && (limit.isError || me.isError) && <ErrorState onRetry={retry} />}
      {isLoaded && <OwedNotice owed={me.data.owed} />}
      {isEmpty && <NothingToWithdraw />}
      {isLoaded && !isEmpty && <WithdrawForm limit={limit.data} ownAddress={me.data.receive_address} />}
    </Page>
  )
}

function NothingToWithdraw() {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="withdraw"
      title={t('withdrawals.form.nothing')}
      hint={t('withdrawals.form.nothingHint')}
      about="withdrawals.empty"
      next={{ to: '/pages/rewardList/index', label: t('withdrawals.form.toRewards') }}
    />
  )
}
