import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, formatPrice, useTranslation, WATCH_MS } from '../../../lib/index.ts'
import {
  Button,
  Card,
  Chip,
  Chips,
  ListSkeleton,
  Loaded,
  priceSourceText,
  Section,
  Skeleton,
} from '../../../ui/index.ts'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import { UtcTime } from '../components/utc-time.tsx'
import { PriceHistory } from '../prices/price-history.tsx'
import { PriceSheet } from '../prices/price-sheet.tsx'
import { RatesPanel } from '../prices/rates-panel.tsx'
import { SourcesCard } from '../prices/sources-card.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'

const ASSETS = ['AMC', 'RIF'] as const
type PricedAsset = (typeof ASSETS)[number]

/** The prices of AMC and RIF with their sources, the feeds and oracles, and all earlier prices. */
export default function PricesPage() {
  const { t } = useTranslation()
  const may = useMay()
  const [asset, setAsset] = useState<PricedAsset>('AMC')
  const [isPricing, setPricing] = useState(false)
  const { want, show, sheets } = useProposals({ place: 'prices' })
  const sources = useQuery({ ...apiQuery('adminPrices'), refetchInterval: WATCH_MS })
  return (
    <AdminPage
      title={t('admin.area.prices')}
      about={t('admin.about.prices')}
      actions={
        may('operator') && (
          <Button variant="secondary" onClick={() => setPricing(true)}>
            {t('admin.prices.propose')}
          </Button>
        )
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {ASSETS.map((item) => (
          <CurrentPrice key={item} asset={item} />
        ))}
      </div>
      <Loaded query={sources} skeleton={<ListSkeleton rows={2} />}>
        {(data) => <SourcesCard data={data} onShow={show} />}
      </Loaded>
      <RatesPanel want={want} />
      <Section title={t('admin.prices.history')}>
        <Chips label={t('admin.prices.asset')}>
          {ASSETS.map((item) => (
            <Chip key={item} pressed={asset === item} onClick={() => setAsset(item)}>
              {item}
            </Chip>
          ))}
        </Chips>
        <PriceHistory key={asset} asset={asset} />
      </Section>
      {isPricing && (
        <PriceSheet
          asset={asset}
          onSubmit={(wanted, onDone) => {
            setPricing(false)
            want(wanted, onDone)
          }}
          onClose={() => setPricing(false)}
        />
      )}
      {sheets}
    </AdminPage>
  )
}

function CurrentPrice({ asset }: { asset: PricedAsset }) {
  const { t } = useTranslation()
  const query = useQuery({
    ...apiQuery(asset === 'AMC' ? 'tokenPrice' : 'tokenPrice2'),
    refetchInterval: WATCH_MS,
  })
  return (
    <Card className="flex flex-col gap-1">
      <h2 className="text-12 text-muted">{t('price.title', { asset })}</h2>
      <Loaded query={query} skeleton={<Skeleton className="h-14" />}>
        {({ price, source, valid_from: at }) =>
          price === null || source === null || at === null ? (
            <p className="text-14 text-muted">{t('admin.prices.none')}</p>
          ) : (
            <>
              <p className="text-20 font-semibold tabular-nums">{formatPrice(price)} USDT</p>
              <p className="flex flex-wrap gap-x-3 text-12 text-muted">
                <span>
                  {t('price.source')}: {priceSourceText(t, source)}
                </span>
                <UtcTime value={at} />
              </p>
            </>
          )
        }
      </Loaded>
    </Card>
  )
}
