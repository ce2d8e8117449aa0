import type { SavingsAccount, SavingsCoverage } from '@rif/api-schema'
import { formatPpm, isZero, useTranslation } from '../../../lib/index.ts'
import { Card, Fact, Facts, Money } from '../../../ui/index.ts'
import { reallyPaid } from '../savings-view.ts'

interface AssetCardProps {
  savings: SavingsAccount['assets'][number]
  /** Undefined while it is being loaded. */
  coverage: SavingsCoverage | undefined
}

/** Savings of one asset: what is there, what it earned, and the rate as a ceiling beside what was really paid. */
export function AssetCard({ savings, coverage }: AssetCardProps) {
  const { t } = useTranslation()
  const { asset, rate_ppm } = savings
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <div className="flex items-baseline justify-between gap-4">
          <p className="text-14 text-muted">{asset}</p>
          <p className="text-14 font-medium">{t('savings.upTo', { rate: formatPpm(rate_ppm) })}</p>
        </div>
        <Money amount={savings.savings} unit={asset} className="text-20 font-semibold" />
        <p className="text-12 text-muted">
          {coverage === undefined ? ' ' : <ReallyPaid {...{ savings, coverage }} />}
        </p>
      </div>
      <Facts>
        <Fact label={t('savings.sum.yesterday_income')}>
          <Money amount={savings.yesterday_income} unit={asset} signed />
        </Fact>
        <Fact label={t('savings.sum.total_earned')}>
          <Money amount={savings.total_earned} unit={asset} />
        </Fact>
        {!isZero(savings.leaving) && (
          <Fact label={t('savings.leaving')}>
            <Money amount={savings.leaving} unit={asset} />
          </Fact>
        )}
      </Facts>
    </Card>
  )
}

function ReallyPaid({
  savings,
  coverage,
}: {
  savings: AssetCardProps['savings']
  coverage: SavingsCoverage
}) {
  const { t } = useTranslation()
  const paid = reallyPaid(coverage, savings.asset, savings.rate_ppm)
  if (paid === null) return t('savings.nothingDue')
  return t('savings.paid', { rate: formatPpm(paid.ratePpm), share: formatPpm(paid.coveragePpm) })
}
