import type { FundProduct } from '@rif/api-schema'
import { formatTime, usePlan, useTranslation } from '../../../lib/index.ts'
import { Notice } from '../../../ui/index.ts'

const DAY_MS = 86_400_000

/** Says why a product can be neither bought nor redeemed now, or not bought; nothing while it can. Rules, section 8. */
export function StaleNotice({ product }: { product: FundProduct }) {
  const { t } = useTranslation()
  const maxAgeMs = usePlan().data?.fund.navMaxAgeMs
  const { nav_published_at, nav_stale, state } = product
  if (nav_stale) {
    return (
      <Notice tone="warn" title={t('fund.stale.title')}>
        <p>
          {nav_published_at === null
            ? t('fund.stale.never')
            : t('fund.stale.text', { time: formatTime(nav_published_at) ?? '' })}
        </p>
        {maxAgeMs !== undefined && (
          <p className="mt-1 text-muted">{t('fund.stale.rule', { days: maxAgeMs / DAY_MS })}</p>
        )}
      </Notice>
    )
  }
  return state === 'closed' ? <Notice tone="warn">{t('fund.product.closedText')}</Notice> : null
}
