import type { RouteData } from '@rif/api-schema'
import { isZero, useTranslation } from '../../../lib/index.ts'
import { Card, Money } from '../../../ui/index.ts'
import { SUM_NAMES } from '../reward-view.ts'

export type Incomes = Pick<
  RouteData<'profitAll'>,
  'sums' | 'profit_sum' | 'yesterday_profit' | 'yesterday_profit_amc'
>

/** What was really paid: in all, yesterday, and by kind. */
export function IncomeSums({ incomes }: { incomes: Incomes }) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <p className="text-14 text-muted">{t('rewards.total')}</p>
        <Money amount={incomes.profit_sum} unit="USDT" className="text-28 font-semibold" />
        <p className="mt-1 text-14 text-muted">
          {t('rewards.yesterday')}{' '}
          <Money amount={incomes.yesterday_profit} unit="USDT" signed className="text-ink" />
          {!isZero(incomes.yesterday_profit_amc) && (
            <>
              {' '}
              <Money amount={incomes.yesterday_profit_amc} unit="AMC" signed className="text-ink" />
            </>
          )}
        </p>
      </div>
      <section aria-label={t('rewards.sumsLabel')}>
        <dl className="grid grid-cols-2 gap-3">
          {SUM_NAMES.map((name) => (
            <div
              key={name}
              className="flex flex-col justify-between rounded-12 bg-sunken p-3 max-[359px]:px-2"
            >
              <dt className="text-12 text-muted">{t(`rewards.sum.${name}`)}</dt>
              <dd className="mt-1">
                <Money
                  amount={incomes.sums[name]}
                  unit="USDT"
                  className="text-16 font-semibold max-[359px]:text-14"
                />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </Card>
  )
}
