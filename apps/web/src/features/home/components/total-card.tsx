import { formatMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import {
  apiQuery,
  cx,
  formatOwn,
  formatOwnExact,
  formatSince,
  PageLink,
  type PlainPath,
  setOwnHidden,
  TWO_DECIMALS,
  useIsWide,
  useOwnHidden,
  useTranslation,
} from '../../../lib/index.ts'
import { Icon, type IconName, InCurrency, Skeleton } from '../../../ui/index.ts'
import { changeLines, eventsOf, historyOf, portfolioTotalOf, SPANS, type Span } from '../portfolio.ts'
import { type PortfolioView, useTotalTime } from '../use-portfolio.ts'
import { ChangeFigures, WhatChanged } from './what-changed.tsx'

const TotalChart = lazy(() => import('./total-chart.tsx'))

const MUTED = 'text-hero-muted'

export interface TotalCardProps {
  /** Null while it loads. */
  portfolio: PortfolioView | null
  /** A member with nothing on the platform has no history to show. */
  isNew: boolean
}

/** The navy field: the total, its development and causes, and the four actions. */
export function TotalCard({ portfolio, isNew }: TotalCardProps) {
  const { t } = useTranslation()
  const [span, setSpan] = useState<Span>('30')
  const isWide = useIsWide()
  const isHidden = useOwnHidden()
  const query = useQuery({
    ...apiQuery('portfolio', { query: { days: SPANS[span] } }),
    placeholderData: (previous) => previous,
    enabled: !isNew,
  })
  const history =
    portfolio === null || query.data === undefined ? null : historyOf(query.data, portfolio.wallet)
  const lines = history === null ? null : changeLines(history)
  return (
    <section
      aria-label={t('home.inAll')}
      className="hero-field flex flex-col gap-5 px-4 pb-11 pt-4 lg:rounded-24 lg:p-6"
    >
      <div className="flex flex-col gap-4 lg:flex-row lg:items-start lg:justify-between">
        <div className="min-w-0">
          <p className={`flex items-center gap-1 text-14 ${MUTED}`}>
            {t('home.inAll')}
            <HideOwn />
          </p>
          {portfolio === null ? (
            <Skeleton className="mt-1 h-13.75 w-52 bg-white/15 max-[359px]:h-12" />
          ) : (
            <>
              <Total amount={formatMicros(portfolioTotalOf(portfolio.holdings))} />
              <InCurrency
                tap
                amount={formatMicros(portfolioTotalOf(portfolio.holdings))}
                className="text-16"
              />
            </>
          )}
          <p className={`min-h-4 text-12 ${MUTED}`}>{portfolio !== null && <AsOf />}</p>
          {portfolio !== null && <WalletNote portfolio={portfolio} />}
          {isNew && portfolio?.wallet !== undefined && (
            <p className={`mt-2 text-14 ${MUTED}`}>{t('home.new.inWallet')}</p>
          )}
          {!isNew && (
            <div className="flow-root min-h-12 lg:min-h-7">
              {lines !== null && <WhatChanged key={span} span={span} lines={lines} isFolded={!isWide} />}
            </div>
          )}
        </div>
        <Actions className="hidden xl:grid" />
      </div>
      {!isNew && (
        <>
          <div className="min-h-61">
            {isHidden ? (
              <p className={`grid h-61 place-items-center text-14 ${MUTED}`}>{t('own.hidden')}</p>
            ) : history === null ? (
              <Skeleton className="h-61 bg-white/10" />
            ) : (
              <Suspense fallback={<Skeleton className="h-61 bg-white/10" />}>
                <TotalChart history={history} events={eventsOf(history)} />
              </Suspense>
            )}
          </div>
          <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
            {isWide && lines !== null && <ChangeFigures lines={lines} />}
            <Spans span={span} onChange={setSpan} />
          </div>
        </>
      )}
      <Actions className="grid xl:hidden" />
    </section>
  )
}

/** Drawn apart from the total, because every read changes it. */
function AsOf() {
  const { t } = useTranslation()
  return t('home.asOf', { time: formatSince(useTotalTime()) })
}

/** Hides or shows all of the member's own sums in the overviews of this device. */
function HideOwn() {
  const { t } = useTranslation()
  const isHidden = useOwnHidden()
  return (
    <button
      type="button"
      aria-label={t(isHidden ? 'own.show' : 'own.hide')}
      className="-my-3 inline-grid size-11 place-items-center"
      onClick={() => setOwnHidden(!isHidden)}
    >
      <Icon name={isHidden ? 'eyeOff' : 'eye'} size={18} />
    </button>
  )
}

/** The only large figure: two decimals, and the exact value on a tap. */
function Total({ amount }: { amount: string }) {
  const [isExact, setExact] = useState(false)
  const text = isExact ? formatOwnExact(amount) : formatOwn(amount, TWO_DECIMALS)
  const [whole, decimals] = text.split('.')
  const size =
    text.length > 12 ? 'font-display text-36 max-[359px]:text-28' : 'font-display text-44 max-[359px]:text-36'
  return (
    <button
      type="button"
      aria-expanded={isExact}
      className={cx('touch-line mt-1 whitespace-nowrap text-left font-semibold', size)}
      onClick={() => setExact(!isExact)}
    >
      <span>
        {whole}
        {decimals !== undefined && <span className="opacity-60">.{decimals}</span>}
        <span className={`ml-1.5 text-16 font-medium ${MUTED}`}>USDT</span>
      </span>
    </button>
  )
}

function WalletNote({ portfolio }: { portfolio: PortfolioView }) {
  const { t } = useTranslation()
  if (portfolio.wallet !== undefined) return null
  if (portfolio.isReadingWallet) return <p className={`mt-1 text-14 ${MUTED}`}>{t('home.wallet.reading')}</p>
  return (
    <p className="mt-1 text-14">
      {t('home.wallet.unread')}{' '}
      <button type="button" className="touch-line font-medium underline" onClick={portfolio.rereadWallet}>
        <span>{t('common.retry')}</span>
      </button>
    </p>
  )
}

function Spans({ span, onChange }: { span: Span; onChange: (span: Span) => void }) {
  const { t } = useTranslation()
  return (
    <fieldset className="flex grow justify-between lg:ml-auto lg:grow-0">
      <legend className="sr-only">{t('home.history.span')}</legend>
      {(Object.keys(SPANS) as Span[]).map((value) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === span}
          className={cx('grid min-h-11 min-w-12 place-items-center text-14', value !== span && MUTED)}
          onClick={() => onChange(value)}
        >
          <span
            className={cx(
              'rounded-full px-3 py-1.5 font-medium leading-5',
              value === span && 'bg-white font-semibold text-on-white',
            )}
          >
            {t(`home.spans.${value}`)}
          </span>
        </button>
      ))}
    </fieldset>
  )
}

const ACTIONS: readonly { name: 'add' | 'buy' | 'withdraw' | 'send'; to: PlainPath; icon: IconName }[] = [
  { name: 'add', to: '/pages/localWallet/index', icon: 'plus' },
  { name: 'buy', to: '/pages/shop/index', icon: 'shop' },
  { name: 'withdraw', to: '/pages/withdrawal/index', icon: 'withdraw' },
  { name: 'send', to: '/pages/transfer/index', icon: 'send' },
]

function Actions({ className }: { className: string }) {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('home.actions.label')} className={cx('grid-cols-4 gap-1', className)}>
      {ACTIONS.map(({ name, to, icon }, index) => (
        <PageLink
          key={name}
          to={to}
          className="flex min-w-0 flex-col items-center gap-2 rounded-12 text-center text-14 font-medium max-[359px]:text-12 xl:w-19"
        >
          <span
            className={cx(
              'grid size-13 place-items-center rounded-full',
              index === 0 ? 'bg-white text-on-white' : 'bg-hero-fill',
            )}
          >
            <Icon name={icon} />
          </span>
          {t(`home.actions.${name}`)}
        </PageLink>
      ))}
    </nav>
  )
}
