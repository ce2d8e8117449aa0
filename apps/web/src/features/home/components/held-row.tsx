import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { apiQuery, formatPpm, PageLink, useIsNear, useTranslation } from '../../../lib/index.ts'
import { Icon } from '../../../ui/index.ts'

/**
 * Shows the operator's holdings and liabilities by asset; links to the public proof. Its figures are a part of the largest response of
 * the page, so they are read when the row is near the window.
 */
export function HeldRow() {
  const { t } = useTranslation()
  const row = useRef<HTMLDivElement>(null)
  const isNear = useIsNear(row)
  const assets = useQuery({ ...apiQuery('solvency'), enabled: isNear }).data?.assets ?? []
  return (
    <div ref={row}>
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
    </div>
  )
}
