import type { Exchange } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiQuery, formatPpm, isZero, PageLink, useTranslation } from '../../../lib/index.ts'
import {
  buttonClass,
  Card,
  EmptyState,
  ErrorState,
  ListSkeleton,
  Money,
  NavLink,
  Page,
} from '../../../ui/index.ts'
import { DividendCard } from '../components/dividend-card.tsx'
import { ExchangeForm } from '../components/exchange-form.tsx'
import { LaunchSection } from '../components/launch-section.tsx'

/** What can RIF become: my shares, the exchange, what dividends really paid, and the launches. */
export default function ExchangePage() {
  const { t } = useTranslation()
  const { data, isPending, isError, refetch } = useQuery(apiQuery('exchange'))
  return (
    <Page
      title={t('exchange.title')}
      actions={<NavLink to="/pages/exchange/list">{t('exchange.history')}</NavLink>}
    >
      {isPending && <ListSkeleton />}
      {data === undefined && isError && <ErrorState onRetry={() => void refetch()} />}
      {data !== undefined && (
        <>
          <SharesCard centre={data} />
          {isZero(data.rif) ? <NothingToExchange /> : <ExchangeForm centre={data} />}
          <DividendCard centre={data} />
          <LaunchSection vcAvailable={data.vc.available} />
        </>
      )}
    </Page>
  )
}

function SharesCard({ centre }: { centre: Exchange }) {
  const { t } = useTranslation()
  const { rif, div, vc } = centre
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-x-4">
        <Figure label={t('exchange.share.DIV')} value={formatPpm(div.share_ppm)}>
          <Money amount={div.available} unit="DIV" />
        </Figure>
        <Figure label={t('exchange.share.VC')} value={formatPpm(vc.share_ppm)}>
          <Money amount={vc.available} unit="VC" />
          {!isZero(vc.locked) && (
            <span className="block">
              <Money amount={vc.locked} unit="VC" /> {t('exchange.inLaunches')}
            </span>
          )}
        </Figure>
        <div className="col-span-2 mt-4 flex items-baseline justify-between gap-4 border-line border-t pt-4 text-14">
          <dt className="text-muted">{t('exchange.rifPower')}</dt>
          <dd>
            <Money amount={rif} unit="RIF" className="text-16 font-semibold" />
          </dd>
        </div>
      </dl>
    </Card>
  )
}

function Figure({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    // Both figures share their rows, so that the numbers stand on one line whatever the labels' length.
    <div className="row-span-2 grid grid-rows-subgrid">
      <dt className="text-14 text-muted">{label}</dt>
      <dd>
        <span className="block text-28 font-semibold">{value}</span>
        <span className="text-12 text-muted">{children}</span>
      </dd>
    </div>
  )
}

function NothingToExchange() {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="bolt"
      title={t('exchange.nothing')}
      hint={t('exchange.nothingHint')}
      action={
        <PageLink to="/pages/index/hashRate" className={buttonClass('secondary')}>
          {t('exchange.getRif')}
        </PageLink>
      }
    />
  )
}
