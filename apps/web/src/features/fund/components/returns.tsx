import type { FundProduct } from '@rif/api-schema'
import { cx, formatPpm, formatTime, useTranslation } from '../../../lib/index.ts'
import { formatReturn } from '../fund-view.ts'

/** The estimate as what it is, beside what the NAV really did. Rules, section 8. */
export function Returns({ product }: { product: FundProduct }) {
  const { t } = useTranslation()
  const { return_year_ppm: real, return_since, estimated_annual_return_ppm } = product
  return (
    <span className="grid grid-cols-2 gap-3">
      <span>
        <span
          className={cx(
            'block text-20 font-semibold',
            real !== null && (real < 0 ? 'text-bad' : real > 0 && 'text-good'),
          )}
        >
          {real === null ? '–' : formatReturn(real)}
        </span>
        <span className="block text-12 text-muted">
          {return_since === null
            ? t('fund.product.noHistory')
            : t('fund.product.realSince', { day: formatTime(return_since)?.slice(0, 10) ?? '' })}
        </span>
      </span>
      <span>
        <span className="block text-20 font-semibold text-muted">
          {formatPpm(estimated_annual_return_ppm)}
        </span>
        <span className="block text-12 text-muted">{t('fund.product.estimate')}</span>
      </span>
    </span>
  )
}
