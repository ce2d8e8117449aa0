import type { RouteData, SolvencyBooks, SolvencyDay } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import type { ReactNode } from 'react'
import { formatAmount, formatDay, formatRatio, TWO_DECIMALS, useTranslation } from '../../../lib/index.ts'
import { Card, Pill } from '../../../ui/index.ts'
import { utcText } from '../components/utc-time.tsx'

export type GuardReport = RouteData<'emergency'>['guard']

interface Props {
  guard: GuardReport
  books: SolvencyBooks | undefined
  /** The last report on chain. */
  latest: SolvencyDay | null
}

const ONE_PPM = 1_000_000

/** The state of the gate, the ratios, the last report and the last audit, each with a mark. */
export function KeyFigures({ guard, books, latest }: Props) {
  const { t } = useTranslation()
  const isClosed = guard.causes.length > 0
  const audit = guard.audits.find(({ ended_at }) => ended_at !== null)
  return (
    <Card className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-5">
      <Figure
        label={t('adminSolvency.gate')}
        isGood={!isClosed}
        value={t(isClosed ? 'adminSolvency.closed' : 'adminSolvency.open')}
        detail={
          isClosed
            ? guard.causes.map(({ cause }) => t(`guard.cause.${cause}`)).join(' · ')
            : t('adminSolvency.noCause')
        }
      />
      {books?.items.map(({ asset, ratio_ppm, held: holding, owed }) => (
        <Figure
          key={asset}
          label={t('adminSolvency.held', { asset })}
          isGood={ratio_ppm !== null && ratio_ppm >= ONE_PPM}
          value={ratio_ppm === null ? '–' : formatRatio(ratio_ppm)}
          detail={holding === null ? t('heldOwed.noChain') : <Above holding={holding} owed={owed} />}
        />
      ))}
      <Figure
        label={t('adminSolvency.lastSnapshot')}
        isGood={latest !== null && !guard.causes.some(({ cause }) => cause === 'old_snapshot')}
        value={latest === null ? t('adminSolvency.never') : formatDay(latest.day)}
        detail={latest?.published_at == null ? '' : utcText(latest.published_at)}
      />
      <Figure
        label={t('adminSolvency.lastAudit')}
        isGood={audit !== undefined && audit.differences === 0}
        value={audit === undefined ? '–' : (utcText(audit.started_at) ?? '–')}
        detail={
          audit === undefined
            ? t('admin.guard.none')
            : audit.differences === 0
              ? t('adminSolvency.noDifference')
              : t('adminSolvency.differences', { count: audit.differences ?? 0 })
        }
      />
    </Card>
  )
}

function Above({ holding, owed }: { holding: string; owed: string }) {
  const { t } = useTranslation()
  const rest = parseMicros(holding) - parseMicros(owed)
  const amount = formatAmount(formatMicros(rest < 0n ? -rest : rest), TWO_DECIMALS)
  return t(rest < 0n ? 'adminSolvency.below' : 'adminSolvency.above', { amount })
}

interface FigureProps {
  label: string
  isGood: boolean
  value: string
  detail: ReactNode
}

function Figure({ label, isGood, value, detail }: FigureProps) {
  const { t } = useTranslation()
  return (
    <section aria-label={label} className="flex min-w-0 flex-col gap-1">
      <p className="flex items-center justify-between gap-2 text-14 text-muted">
        {label}
        <Pill tone={isGood ? 'good' : 'warn'}>{t(isGood ? 'adminSolvency.ok' : 'adminSolvency.look')}</Pill>
      </p>
      <p className="text-20 font-semibold">{value}</p>
      <p className="text-12 text-muted">{detail}</p>
    </section>
  )
}
