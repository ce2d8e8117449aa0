import type { FundHolding, FundProductDetail } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiQuery, formatDay, formatTime, PageLink, useTranslation } from '../../../lib/index.ts'
import { buttonClass, EmptyState, ErrorState, FormSkeleton, Notice, Page } from '../../../ui/index.ts'
import { DealingNotice } from '../components/dealing-notice.tsx'
import { HoldingCard } from '../components/my-panel.tsx'
import { useProduct } from '../components/parts.tsx'
import { RedeemForm } from '../components/redeem-form.tsx'
import { redemptionBar, today } from '../units-draft.ts'

/** A redemption: units, the preview of value, fees and arrival, and a single confirmation. */
export default function RedemptionPage() {
  const { t } = useTranslation()
  const { product_id, units } = useSearch({ from: '/pages/found/redemption' })
  const product = useProduct(product_id)
  const holdings = useQuery(apiQuery('fundHoldings'))
  const hasFailed = product.isError || holdings.isError
  const retry = () => void Promise.all([product.refetch(), holdings.refetch()])
  const holding = holdings.data?.items.find((item) => item.product_id === product_id)
  return (
    <Page wide title={t('fund.redeem.title')}>
      {hasFailed ? (
        <ErrorState error={product.error} onRetry={retry} />
      ) : product.data === undefined || holdings.data === undefined ? (
        <FormSkeleton />
      ) : holding === undefined ? (
        <NothingHeld productId={product_id} />
      ) : (
        <Redeem product={product.data} holding={holding} units={units ?? ''} />
      )}
    </Page>
  )
}

function NothingHeld({ productId }: { productId: string }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="fund"
      title={t('fund.redeem.nothing')}
      hint={t('fund.redeem.nothingHint')}
      action={
        <PageLink
          to="/pages/found/productDetail"
          search={{ product_id: productId }}
          className={buttonClass('secondary')}
        >
          {t('fund.my.toProduct')}
        </PageLink>
      }
    />
  )
}

interface RedeemProps {
  product: FundProductDetail
  holding: FundHolding
  units: string
}

function Redeem({ product, holding, units }: RedeemProps) {
  const { t } = useTranslation()
  const bar = redemptionBar(holding, product, today())
  if (bar === null)
    return (
      <>
        <DealingNotice product={product} />
        <RedeemForm product={product} holding={holding} units={units} />
      </>
    )
  const { next_unlock_at } = holding
  return (
    <>
      {bar === 'weekday' && (
        <Notice tone="warn" title={t('fund.redeem.notToday')}>
          {t('fund.redeem.notTodayText', { day: formatDay(product.next_redeemable_day) })}
        </Notice>
      )}
      {bar === 'locked' && (
        <Notice tone="warn" title={t('fund.redeem.locked')}>
          {next_unlock_at === null
            ? t('fund.redeem.allReserved')
            : t('fund.redeem.lockedText', { time: formatTime(next_unlock_at) ?? '' })}
        </Notice>
      )}
      <HoldingCard holding={holding} isPlain />
    </>
  )
}
