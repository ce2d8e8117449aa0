import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatPpm, PageLink, useTranslation } from '../../../lib/index.ts'
import { Icon } from '../../../ui/index.ts'

/** Shows the operator's holdings and liabilities by asset; links to the public proof. */
export function HeldRow() {
  const { t } = useTranslation()
  const assets = useQuery(apiQuery('solvency')).data?.assets ?? []
  return (
    <PageLink to="/pages/solvency" className="flex min-h-14 flex-wrap items-center gap-x-3 px-1 text-14">
      <Icon name="shield" size={20} />
      <span className="flex-1 whitespace-nowrap">{t('home.held')}</span>
      {assets.map(({ asset, ratio_ppm }) => (
        <span key={asset} className="whitespace-nowrap font-medium">
          {asset} {ratio_ppm === null ? '–' : formatPpm(Math.floor(ratio_ppm / 10_000) * 10_000)}
        </span>
      ))}
      <Icon name="forward" size={16} className="text-muted" />
    </PageLink>
  )
}
