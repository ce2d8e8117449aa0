import { formatMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import {
  apiQuery,
  cx,
  formatAmount,
  formatExact,
  PageLink,
  type PlainPath,
  TWO_DECIMALS,
  useTranslation,
} from '../../../lib/index.ts'
import { Icon, type IconName, Skeleton } from '../../../ui/index.ts'
import { changeLines, historyOf, totalOf } from '../portfolio.ts'
import type { PortfolioView } from '../use-portfolio.ts'

const TotalChart = lazy(() => import('./total-chart.tsx'))

const SPANS = { '7': 8, '30': 31, '90': 91, '365': 366, all: 1_096 } as const
type Span = keyof typeof SPANS

const MUTED = 'text-hero-muted'

export interface TotalCardProps {
  /** Null while it is read. */
  portfolio: PortfolioView | null
  /** Someone with nothing on the platform has no history to show. */
  isNew: boolean
}

/** The navy field: the total, how it went and what changed it, and the four actions. */
export function TotalCard({ portfolio, isNew }: TotalCardProps) {
  const { t } = useTranslation()
  const [span, setSpan] = useState<Span>('30')
  const query = useQuery({
    ...apiQuery('portfolio', { query: { days: SPANS[span] } }),
    placeholderData: (previous) => previous,
    enabled: !isNew,
  })
  const history =
    portfolio === null || query.data === undefined ? null : historyOf(query.data, portfolio.wallet)
  return (
    <section
      aria-label={t('home.inAll')}
      className="hero-field flex flex-col gap-5 px-4 pb-11 pt-4 lg:rounded-24 lg:p-6"
    >
      <div className="flex flex-col gap-4 lg:flex-row lg:items-start lg:justify-between">
        <div className="min-w-0">
          <p className={`text-14 ${MUTED}`}>{t('home.inAll')}</p>
          {portfolio === null ? (
            <Skeleton className="mt-1 h-12 w-52 bg-white/15" />
          ) : (
            <Total amount={formatMicros(totalOf(portfolio.holdings))} />
          )}
          {portfolio !== null && <WalletNote portfolio={portfolio} />}
          {isNew && portfolio?.wallet !== undefined && (
            <p className={`mt-2 text-14 ${MUTED}`}>{t('home.new.inWallet')}</p>
          )}
          {!isNew && (
            <div className="min-h-12">
              {history !== null && <WhatChanged key={span} span={span} lines={changeLines(history)} />}
            </div>
          )}
        </div>
        <Actions className="hidden lg:grid" />
      </div>
      {!isNew && (
        <>
          <div className="min-h-48">
            {history === null ? (
              <Skeleton className="h-48 bg-white/10" />
            ) : (
              <Suspense fallback={<Skeleton className="h-48 bg-white/10" />}>
                <TotalChart history={history} />
              </Suspense>
            )}
          </div>
          <Spans span={span} onChange={setSpan} />
        </>
      )}
      <Actions className="grid lg:hidden" />
    </section>
  )
}

/** The one large figure: two decimals, the exact value on a tap. */
function Total({ amount }: { amount: string }) {
  const [isExact, setExact] = useState(false)
  const text = isExact ? formatExact(amount) : formatAmount(amount, TWO_DECIMALS)
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
        <span className="opacity-60">.{decimals}</span>
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

interface WhatChangedProps {
  span: Span
  lines: ReturnType<typeof changeLines>
}

const signed = (micros: bigint) =>
  `${micros > 0n ? '+' : ''}${formatAmount(formatMicros(micros), TWO_DECIMALS)}`

/** The difference over the range, and the lines that sum to it. */
function WhatChanged({ span, lines }: WhatChangedProps) {
  const { t } = useTranslation()
  const sum = lines.reduce((total, { micros }) => total + micros, 0n)
  const difference = signed(sum)
  const words =
    span === 'all'
      ? t('home.change.all', { amount: difference })
      : t('home.change.days', { amount: difference, count: Number(span) })
  if (lines.length === 0) return <p className="mt-2 text-14 font-medium">{words}</p>
  return (
    <details className="mt-1">
      <summary className="flex min-h-11 flex-wrap items-center gap-x-2 text-14 [&::-webkit-details-marker]:hidden">
        <span className="font-medium">{words}</span>
        <span className="inline-flex items-center gap-1 text-hero-data">
          {t('home.change.what')}
          <Icon name="down" size={16} />
        </span>
      </summary>
      <dl className="flex flex-col gap-2 pb-1 text-14 lg:max-w-md">
        {lines.map(({ cause, micros, titles }) => (
          <div key={cause} className="flex justify-between gap-4">
            <dt className={MUTED}>
              {t(`home.cause.${cause}`)}
              {titles.length > 0 && `: ${titles.join(', ')}`}
            </dt>
            <dd className="whitespace-nowrap font-medium">{signed(micros)}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 border-t border-white/15 pt-2 font-semibold">
          <dt>{t('home.sum')}</dt>
          <dd className="whitespace-nowrap">{difference} USDT</dd>
        </div>
      </dl>
    </details>
  )
}

function Spans({ span, onChange }: { span: Span; onChange: (span: Span) => void }) {
  const { t } = useTranslation()
  return (
    <fieldset className="flex justify-between lg:justify-end lg:gap-1">
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
          className="flex min-w-0 flex-col items-center gap-2 rounded-12 text-center text-14 font-medium max-[359px]:text-12 lg:w-19"
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
