import { formatMicros } from '@rif/rules'
import { formatOwn, TWO_DECIMALS, useTranslation } from '../../../lib/index.ts'
import { Icon } from '../../../ui/index.ts'
import type { ChangeLine, Span } from '../portfolio.ts'

const MUTED = 'text-hero-muted'

const signed = (micros: bigint) => `${micros > 0n ? '+' : ''}${formatOwn(formatMicros(micros), TWO_DECIMALS)}`

const sumOf = (lines: readonly ChangeLine[]) => lines.reduce((total, { micros }) => total + micros, 0n)

export interface WhatChangedProps {
  span: Span
  lines: readonly ChangeLine[]
  /** True if the lines open on a tap; otherwise they are shown elsewhere. */
  isFolded: boolean
}

/** The difference over the range and, folded below it, the lines that add up to it. */
export function WhatChanged({ span, lines, isFolded }: WhatChangedProps) {
  const { t } = useTranslation()
  const difference = signed(sumOf(lines))
  const words =
    span === 'all'
      ? t('home.change.all', { amount: difference })
      : t('home.change.days', { amount: difference, count: Number(span) })
  if (!isFolded || lines.length === 0) return <p className="mt-2 text-14 font-medium lg:mt-1">{words}</p>
  return (
    <details className="mt-1">
      <summary className="flex min-h-11 flex-wrap items-center gap-x-2 text-14 [&::-webkit-details-marker]:hidden">
        <span className="font-medium">{words}</span>
        <span className="inline-flex items-center gap-1 text-hero-data">
          {t('home.change.what')}
          <Icon name="down" size={16} />
        </span>
      </summary>
      <dl className="flex flex-col gap-2 pb-1 text-14">
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

/** The lines that add up to the difference, as small figures below the chart on a desktop. */
export function ChangeFigures({ lines }: { lines: readonly ChangeLine[] }) {
  const { t } = useTranslation()
  return (
    <dl aria-label={t('home.change.what')} className="flex flex-wrap gap-x-4 gap-y-2 text-13">
      {lines.map(({ cause, micros }) => (
        <div key={cause}>
          <dt className={`text-12 ${MUTED}`}>{t(`home.causeShort.${cause}`)}</dt>
          <dd className="whitespace-nowrap font-medium">{signed(micros)}</dd>
        </div>
      ))}
    </dl>
  )
}
