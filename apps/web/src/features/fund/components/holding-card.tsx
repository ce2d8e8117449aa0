import type { FundHolding } from '@rif/api-schema'
import { formatTime, PageLink, useTranslation } from '../../../lib/index.ts'
import { buttonClass, Card, Fact, Facts, Money, Pill } from '../../../ui/index.ts'
import { lockedUnits } from '../fund-view.ts'
import { useUnits } from '../use-units.ts'
import { Gain } from './gain.tsx'

export interface HoldingCardProps {
  holding: FundHolding
  /** Without the ways to redeem and to the product. */
  isPlain?: boolean
}

/** All units of a product that a member holds: worth, profit, what can be redeemed and when. */
export function HoldingCard({ holding, isPlain = false }: HoldingCardProps) {
  const { t } = useTranslation()
  const units = useUnits()
  const { product_id, nav, next_unlock_at } = holding
  return (
    <Card>
      <article aria-label={holding.product_name} className="flex flex-col gap-4">
        <div className="flex items-start justify-between gap-3">
          <p className="min-w-0 text-16 font-semibold">{holding.product_name}</p>
          {holding.nav_stale && <Pill tone="warn">{t('fund.stale.pill')}</Pill>}
        </div>
        <Facts>
          <Fact label={t('fund.my.marketValue')}>
            <Money amount={holding.market_value} unit="USDT" className="font-semibold" />
          </Fact>
          <Fact label={t('fund.my.profit')}>
            <Gain amount={holding.profit} />
          </Fact>
          <Fact label={t('fund.order.currentNav')}>
            {nav === null ? '–' : <Money amount={nav} unit="USDT" />}
          </Fact>
          <Fact label={t('fund.order.units')}>{units(holding.units)}</Fact>
          {holding.units_redeeming !== '0' && (
            <Fact label={t('fund.order.unitsRedeeming')}>{units(holding.units_redeeming)}</Fact>
          )}
          <Fact label={t('fund.my.redeemable')}>{units(holding.units_redeemable)}</Fact>
          {next_unlock_at !== null && (
            <Fact label={t('fund.my.locked')}>
              {units(lockedUnits(holding))}
              <span className="block text-12 text-muted">
                {t('fund.my.nextUnlock', { time: formatTime(next_unlock_at) ?? '' })}
              </span>
            </Fact>
          )}
          {holding.units_redeemable !== '0' && (
            <Fact label={t('fund.product.nextRedeemable')}>{holding.next_redeemable_day}</Fact>
          )}
        </Facts>
        {!isPlain && (
          <div className="flex flex-wrap gap-3">
            <PageLink
              to="/pages/found/redemption"
              search={{ product_id }}
              className={buttonClass('secondary', true)}
            >
              {t('fund.redeem.button')}
            </PageLink>
            <PageLink
              to="/pages/found/productDetail"
              search={{ product_id }}
              className={`${buttonClass('quiet')} shrink-0 whitespace-nowrap`}
            >
              {t('fund.my.toProduct')}
            </PageLink>
          </div>
        )}
      </article>
    </Card>
  )
}
