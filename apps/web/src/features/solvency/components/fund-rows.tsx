import type { Solvency } from '@rif/api-schema'
import { formatAmount, formatPrice, formatRatio, useTranslation } from '../../../lib/index.ts'
import { Card, Row, Section, TokenMark } from '../../../ui/index.ts'

/**
 * The fund products, separate from the ratios above: cash and investments of each over the worth of its
 * units.
 */
export function FundRows({ funds }: Pick<Solvency, 'funds'>) {
  const { t } = useTranslation()
  if (funds.length === 0) return null
  return (
    <Section title={t('heldOwed.fund.title')}>
      <Card className="divide-y divide-line py-1">
        {funds.map(({ product_id, name, cash, invested, units, nav, owed, ratio_ppm }) => (
          <Row
            key={product_id}
            mark={<TokenMark token="fund" />}
            wordy
            title={name}
            detail={
              <>
                <span className="block">
                  {t('heldOwed.fund.parts', { cash: formatAmount(cash), invested: formatAmount(invested) })}
                </span>
                <span className="block">
                  {t('heldOwed.fund.units', { units, nav: formatPrice(nav), owed: formatAmount(owed) })}
                </span>
              </>
            }
            end={
              <span className="text-16 font-medium">{ratio_ppm === null ? '–' : formatRatio(ratio_ppm)}</span>
            }
          />
        ))}
      </Card>
      <p className="px-1 text-12 text-muted">{t('heldOwed.fund.about')}</p>
    </Section>
  )
}
