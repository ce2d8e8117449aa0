import type { MoneyAsset, SavingsDirection } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatAmount, isZero, PageLink, useTranslation } from '../../../lib/index.ts'
import { buttonClass, EmptyState, ErrorState, ListSkeleton, Notice, Page } from '../../../ui/index.ts'
import { maxOf } from '../savings-draft.ts'
import { spanOf } from '../savings-view.ts'
import { SavingsForm } from './savings-form.tsx'

/** The page of one way: the form, or what to do first when there is nothing to move. */
export function TransferPage({
  direction,
  asset,
}: {
  direction: SavingsDirection
  /** What the link brought along. */
  asset: MoneyAsset | undefined
}) {
  const { t } = useTranslation()
  const { data: account, isError, refetch } = useQuery(apiQuery('savings'))
  const isEmpty =
    account !== undefined &&
    (['USDT', 'AMC'] as const).every((one) => isZero(maxOf({ direction, asset: one }, account)))
  const span = (ms: number) => {
    const { unit, count } = spanOf(ms)
    return t(`savings.span.${unit}`, { count })
  }
  return (
    <Page title={t(`savings.${direction}.title`)}>
      {account === undefined &&
        (isError ? <ErrorState onRetry={() => void refetch()} /> : <ListSkeleton rows={3} />)}
      {isEmpty && (
        <EmptyState
          icon="savings"
          title={t(`savings.${direction}.nothing`)}
          hint={t(`savings.${direction}.nothingHint`)}
          action={
            <PageLink
              to={direction === 'in' ? '/pages/rewardList/index' : '/pages/savings/in'}
              className={buttonClass('secondary')}
            >
              {t(`savings.${direction}.next`)}
            </PageLink>
          }
        />
      )}
      {account !== undefined && !isEmpty && (
        <>
          <SavingsForm direction={direction} account={account} asset={asset} />
          <Notice>
            {direction === 'in'
              ? t('savings.in.about')
              : t('savings.out.about', {
                  worth: formatAmount(account.fast_up_to_usdt, { min: 0, max: 2 }),
                  fast: span(account.fast_delay_ms),
                  slow: span(account.slow_delay_ms),
                })}
          </Notice>
        </>
      )}
    </Page>
  )
}
