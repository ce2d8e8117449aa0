import type { FundProduct, FundProductDetail } from '@rif/api-schema'
import { formatCount, formatPpm, useTranslation } from '../../../lib/index.ts'
import { Fact, Facts, Money, Time } from '../../../ui/index.ts'
import { useUnits } from '../use-units.ts'

/** A product's terms: minimum, increments, lock-up, redeemable days, fees. */
export function TermFacts({ product }: { product: FundProduct }) {
  const { t } = useTranslation()
  const units = useUnits()
  return (
    <Facts>
      <Fact label={t('fund.product.minimum')}>
        <Money amount={product.minimum_usd} unit="USD" />
        {product.minimum_units !== null && (
          <span className="block text-12 text-muted">
            {t('fund.product.minimumUnits', { units: units(product.minimum_units) })}
          </span>
        )}
      </Fact>
      <Fact label={t('fund.product.increment')}>{t('fund.product.wholeUnits')}</Fact>
      <Fact label={t('fund.product.lock')}>{t('fund.days', { days: product.lock_days })}</Fact>
      <Fact label={t('fund.product.redeemableDays')}>
        <Weekdays days={product.redeemable_weekdays} />
      </Fact>
      <Fact label={t('fund.product.nextRedeemable')}>{product.next_redeemable_day}</Fact>
      <Fact label={t('fund.product.subscriptionFee')}>{formatPpm(product.subscription_fee_ppm)}</Fact>
      <Fact label={t('fund.product.redemptionFee')}>{formatPpm(product.redemption_fee_ppm)}</Fact>
      <Fact label={t('fund.product.managementFee')}>
        {t('fund.product.ofProfit', { rate: formatPpm(product.management_fee_ppm) })}
      </Fact>
    </Facts>
  )
}

const ALL_DAYS = 7

function Weekdays({ days }: { days: readonly number[] }) {
  const { t } = useTranslation()
  if (days.length === ALL_DAYS) return t('fund.product.everyDay')
  return days.map((day) => t(`fund.weekday.${day as 1 | 2 | 3 | 4 | 5 | 6 | 7}`)).join(', ')
}

/** What stands behind the units: the last NAV, the assets attested with it, what is owed. */
export function BackingFacts({ product }: { product: FundProductDetail }) {
  const { t } = useTranslation()
  const { nav, nav_published_at, attested_assets, outstanding_value } = product
  return (
    <Facts>
      <Fact label={t('fund.product.nav')}>
        {nav === null ? '–' : <Money amount={nav} unit="USDT" exact />}
      </Fact>
      <Fact label={t('fund.product.published')}>
        {nav_published_at === null ? '–' : <Time value={nav_published_at} />}
      </Fact>
      <Fact label={t('fund.product.assets')}>
        {attested_assets === null ? '–' : <Money amount={attested_assets} unit="USDT" />}
      </Fact>
      <Fact label={t('fund.product.outstanding')}>
        {outstanding_value === null ? '–' : <Money amount={outstanding_value} unit="USDT" />}
      </Fact>
      <Fact label={t('fund.product.queue')}>{formatCount(product.queue_length)}</Fact>
    </Facts>
  )
}
