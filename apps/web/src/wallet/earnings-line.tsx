import type { EarningsFigures } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatAmount, PageLink, TWO_DECIMALS, useTranslation } from '../lib/index.ts'

/** Returns a rate as the amount that was earned back per 100.00 paid, truncated: 16_900 ppm is "1.69". */
export const per100 = (ppm: number) => formatAmount(formatMicros(BigInt(ppm) * 100n), TWO_DECIMALS)

/**
 * States in one line the share that members have earned back, for a level where one is given, with a link to
 * all figures.
 */
export function EarningsLine({ level }: { level?: number }) {
  const { t } = useTranslation()
  const figures = useQuery(apiQuery('earnings')).data?.published?.figures
  return (
    <p className="text-14">
      {figures !== undefined && (
        <span className="block text-muted">
          {level === undefined ? allText(t, figures) : levelText(t, figures, level)}
        </span>
      )}
      <PageLink
        to="/pages/earnings"
        className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-4"
      >
        {t('earnings.title')}
      </PageLink>
    </p>
  )
}

type T = ReturnType<typeof useTranslation>['t']

function allText(t: T, { all, members, fewest }: EarningsFigures): string {
  if (all === null) return t('earnings.line.few', { fewest })
  return t('earnings.line.whole', { whole: all.whole, members })
}

/** The median of the highest age that enough members of the level have reached. */
function levelText(t: T, figures: EarningsFigures, level: number): string {
  const own = figures.levels.find((item) => item.level === level)
  const figure = own?.ages.findLast(({ median_ppm }) => median_ppm !== null)
  if (figure?.median_ppm == null) return `${t('earnings.line.fewLevel', { level })} ${allText(t, figures)}`
  const values = { level, days: figure.days, count: figure.members, median: per100(figure.median_ppm) }
  return `${t('earnings.line.level', values)} ${allText(t, figures)}`
}
