import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatAmount, formatPpm, isZero, PageLink, useTranslation } from '../../../lib/index.ts'
import { Card, Loaded, Money, Section, Skeleton } from '../../../ui/index.ts'

/** What the available hash power takes off each package, worked out by the rule that the order will use. */
export function DiscountCard() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('hashRatePercent'))
  return (
    <Section
      title={t('hashPower.discount.title')}
      aside={<PageLink to="/pages/shop/index">{t('hashPower.discount.toShop')}</PageLink>}
    >
      <Loaded query={query} skeleton={<Skeleton className="h-88 rounded-12" />}>
        {(data) => (
          <Card className="flex flex-col gap-3">
            <p className="text-14 text-muted">
              {t('hashPower.discount.hint', { percent: formatPpm(data.percent_ppm) })}
            </p>
            {data.rif_price === null && <p className="text-14">{t('hashPower.discount.unpriced')}</p>}
            <ul className="flex flex-col divide-y divide-line">
              {data.packages.map(({ product_id, name, discount, rif }) => (
                <li key={product_id} className="flex items-baseline justify-between gap-4 py-2 text-14">
                  <span>{name}</span>
                  {isZero(discount) ? (
                    <span className="text-muted">{t('hashPower.discount.none')}</span>
                  ) : (
                    <span className="text-right">
                      <Money amount={`-${discount}`} unit="USDT" className="font-semibold" />
                      <span className="block text-12 text-muted">
                        {t('hashPower.discount.for', { rif: formatAmount(rif) })}
                      </span>
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </Card>
        )}
      </Loaded>
    </Section>
  )
}
