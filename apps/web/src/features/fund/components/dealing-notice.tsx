import type { FundProductDetail } from '@rif/api-schema'
import { formatTime, usePlan, useTranslation } from '../../../lib/index.ts'
import { Notice } from '../../../ui/index.ts'

const DAY_MS = 86_400_000

/** Explains why a product does not deal now, or sells no more units. Rules, section 8. */
export function DealingNotice({ product }: { product: Pick<FundProductDetail, 'nav_stale' | 'books'> }) {
  const { t } = useTranslation()
  const maxAgeMs = usePlan().data?.fund.navMaxAgeMs
  const { closed_reason, valuation_proposed, valued_at } = product.books
  return (
    <>
      {closed_reason !== null && (
        <Notice tone="warn" title={t('fund.product.closed')}>
          {closed_reason === 'operator' ? t('fund.product.closedText') : t(`fund.dealing.${closed_reason}`)}
        </Notice>
      )}
      {product.nav_stale && (
        <Notice tone="warn" title={t('fund.stale.title')}>
          <p>
            {valuation_proposed
              ? t('fund.dealing.proposed')
              : t('fund.dealing.old', { time: formatTime(valued_at ?? '') ?? '' })}
          </p>
          {!valuation_proposed && maxAgeMs !== undefined && (
            <p className="mt-1 text-muted">{t('fund.stale.rule', { days: maxAgeMs / DAY_MS })}</p>
          )}
        </Notice>
      )}
    </>
  )
}
