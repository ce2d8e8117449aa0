import { formatMicros } from '@rif/rules'
import { useState } from 'react'
import { cx, formatOwn, formatPrice, formatTime, TWO_DECIMALS, useTranslation } from '../../../lib/index.ts'
import { Card, Icon, PartKey, Parts, PriceNote } from '../../../ui/index.ts'
import { navDays } from '../overview.ts'
import { type Holdings, PLACES, type Place, placeWorth, portfolioTotalOf } from '../portfolio.ts'
import type { PortfolioView } from '../use-portfolio.ts'

const text = (micros: bigint) => formatOwn(formatMicros(micros), TWO_DECIMALS)

export interface WhereCardProps {
  portfolio: PortfolioView
  /** With enough space the sum is always open. */
  isWide: boolean
}

/** The four places of the total, and their sum on a tap. */
export function WhereCard({ portfolio, isWide }: WhereCardProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { holdings } = portfolio
  const isSumShown = isOpen || isWide
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-16 font-semibold">{t('home.where.title')}</h2>
        {!isWide && (
          <button
            type="button"
            aria-expanded={isOpen}
            className="-my-2 inline-flex min-h-11 items-center gap-1 text-14 font-medium text-accent"
            onClick={() => setOpen(!isOpen)}
          >
            {t('home.where.how')}
            <Icon name="down" size={16} className={cx(isOpen && 'rotate-180')} />
          </button>
        )}
      </div>
      <Parts
        label={PLACES.map((place) => `${t(`home.place.${place}`)} ${text(placeWorth(holdings, place))}`).join(
          ', ',
        )}
        // A number only for the length of the bar.
        parts={PLACES.map((place) => ({
          colour: place,
          size: Number(formatMicros(placeWorth(holdings, place))),
        }))}
      />
      {isSumShown ? <Sum portfolio={portfolio} /> : <Legend holdings={holdings} />}
    </Card>
  )
}

function Legend({ holdings }: { holdings: Holdings }) {
  const { t } = useTranslation()
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-2 text-14 max-[359px]:grid-cols-1 max-[430px]:[:lang(ja)_&]:grid-cols-1">
      {PLACES.map((place) => (
        <div key={place} className="flex items-center gap-2">
          <PartKey colour={place} />
          <dt className="flex-1">{t(`home.place.${place}`)}</dt>
          <dd className="font-medium">
            {place === 'wallet' && holdings.wallet === null ? '–' : text(placeWorth(holdings, place))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Shows the sum of the total, its parts, and the prices used. */
function Sum({ portfolio }: { portfolio: PortfolioView }) {
  const { t } = useTranslation()
  const { holdings, amcPrice, amcSince, fund } = portfolio
  const nav = fund === undefined ? null : navDays(fund.items)
  const madeOf = (place: Place) => {
    if (place === 'fund') return fund === undefined ? t('home.where.unread') : fundText(fund.items)
    const tokens = holdings[place]
    if (tokens === null) return t('home.where.unread')
    // Line breaks are between the assets, not within one.
    const amc = `${text(tokens.amc)}\u00a0AMC`
    const worth = amcPrice === null ? amc : `${amc}\u00a0×\u00a0${formatPrice(amcPrice)}`
    return `${text(tokens.usdt)}\u00a0USDT + ${worth}`
  }
  return (
    <>
      <dl className="flex flex-col gap-2.5 text-14">
        {PLACES.map((place) => (
          <div key={place} className="flex items-start gap-2">
            <span className="flex h-5 items-center">
              <PartKey colour={place} />
            </span>
            <dt className="min-w-0 flex-1 font-medium">
              {t(`home.place.${place}`)}
              <span className="block text-12 font-normal text-muted">{madeOf(place)}</span>
            </dt>
            <dd className="font-medium">{text(placeWorth(holdings, place))}</dd>
          </div>
        ))}
        <div className="flex justify-between border-t border-line pt-2.5 font-semibold">
          <dt>{t('home.where.total')}</dt>
          <dd>{text(portfolioTotalOf(holdings))}</dd>
        </div>
      </dl>
      <p className="text-12 text-muted">
        {t('home.where.wallet')}{' '}
        {amcPrice === null
          ? t('home.where.noPrice')
          : t('home.where.price', {
              price: formatPrice(amcPrice),
              at: (amcSince && formatTime(amcSince)) ?? '',
            })}{' '}
        {nav !== null && `${t('home.where.nav', { day: nav })} `}
        {t('home.where.apart')}
      </p>
      {amcPrice !== null && <PriceNote named asset="AMC" className="self-start" />}
    </>
  )
}

const fundText = (items: NonNullable<PortfolioView['fund']>['items']) =>
  items
    .filter(({ nav }) => nav !== null)
    .map(({ units, nav }) => `${units} × ${formatPrice(nav!)}`)
    .join(' + ') || '0'
