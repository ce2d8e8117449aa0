import type { TokenPrice } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, PageLink, useTranslation } from '../lib/index.ts'
import { buttonClass } from './button.tsx'
import { SheetPanel } from './dialogs.tsx'
import { Fact, Facts, MoneyFact, TimeFact } from './facts.tsx'
import { Loaded } from './loaded.tsx'
import { priceSourceText } from './price-source.tsx'
import { Skeleton } from './states.tsx'

/** A price of an asset, or the NAV of a fund product. */
export type PriceNoteSubject =
  | {
      asset: 'AMC' | 'RIF'
      /** A second asset, where both prices are used. */
      and?: 'RIF' | undefined
      /** The time at which the price was fixed; the current one without it. */
      at?: string | undefined
    }
  | {
      /** The name of the product. */
      fund: string
      productId: string
      nav: string
      /** The time at which the NAV was that; the current NAV without it. */
      at?: string | undefined
    }

interface PriceNoteSheetProps {
  subject: PriceNoteSubject
  title: string
  open: boolean
  onClose: () => void
}

/** The source and the date of a price. */
export default function PriceNoteSheet({ subject, ...sheet }: PriceNoteSheetProps) {
  return (
    <SheetPanel {...sheet}>
      {'asset' in subject ? <OfAssets {...subject} /> : <OfFund {...subject} />}
    </SheetPanel>
  )
}

function OfAssets({ asset, and, at }: Extract<PriceNoteSubject, { asset: string }>) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-4">
      <OfAsset asset={asset} at={at} />
      {and !== undefined && (
        <>
          <hr className="border-line" />
          <OfAsset asset={and} at={at} />
        </>
      )}
      <p className="text-14 text-muted">{t(at === undefined ? 'price.hint' : 'price.kept')}</p>
    </div>
  )
}

function OfAsset({ asset, at }: { asset: 'AMC' | 'RIF'; at: string | undefined }) {
  const current = useQuery({
    ...apiQuery(asset === 'AMC' ? 'tokenPrice' : 'tokenPrice2'),
    enabled: at === undefined,
  })
  const then = useQuery({
    ...apiQuery('priceAt', { query: { asset, at: at ?? '' } }),
    enabled: at !== undefined,
  })
  return (
    <Loaded query={at === undefined ? current : then} skeleton={<Skeleton className="h-24 rounded-16" />}>
      {(price) => <PriceFacts price={price} />}
    </Loaded>
  )
}

function PriceFacts({ price: { asset, price, valid_from: from, source } }: { price: TokenPrice }) {
  const { t } = useTranslation()
  if (price === null || from === null || source === null)
    return <p className="text-14">{t('price.none', { asset })}</p>
  return (
    <Facts>
      <MoneyFact label={`1 ${asset}`} price exact amount={price} unit="USDT" />
      <Fact label={t('price.source')}>{priceSourceText(t, source)}</Fact>
      <TimeFact label={t('price.validFrom')} value={from} />
      {source.observed_at !== null && <TimeFact label={t('price.observed')} value={source.observed_at} />}
    </Facts>
  )
}

function OfFund({ productId, nav, at }: Extract<PriceNoteSubject, { fund: string }>) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-4">
      <Facts>
        <MoneyFact label={t('price.perUnit')} price exact amount={nav} unit="USDT" />
        <Fact label={t('price.source')}>{t('price.valuation')}</Fact>
        {at !== undefined && <TimeFact label={t('price.navAt')} value={at} />}
      </Facts>
      <p className="text-14 text-muted">{t('price.navHint')}</p>
      <PageLink
        to="/pages/found/productDetail"
        search={{ product_id: productId }}
        className={buttonClass('secondary', true)}
      >
        {t('price.books')}
      </PageLink>
    </div>
  )
}
