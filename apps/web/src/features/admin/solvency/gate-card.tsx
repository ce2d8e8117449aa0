import type { SolvencyBooks } from '@rif/api-schema'
import type { ReactNode } from 'react'
import { formatRatio, useTranslation } from '../../../lib/index.ts'
import { Button, Card, Meter, Pill, Section } from '../../../ui/index.ts'
import { useMay } from '../components/admin-page.tsx'
import { utcText } from '../components/utc-time.tsx'
import type { Wanted } from '../proposals/use-proposals.tsx'
import type { GuardReport } from './key-figures.tsx'

interface Props {
  guard: GuardReport
  books: SolvencyBooks | undefined
  onWant: (wanted: Wanted) => void
}

const MINUTE_MS = 60_000

/** Shows the conditions that close the gate, how near they are, and the proposal that clears a difference. */
export function GateCard({ guard, books, onWant }: Props) {
  const { t } = useTranslation()
  const may = useMay()
  const { causes, snapshot } = guard
  const isClosed = causes.length > 0
  const difference = causes.find(({ cause }) => cause === 'difference')
  return (
    <Section title={t('adminSolvency.wouldClose')}>
      <Card className="flex flex-col gap-4">
        <p>
          <Pill tone={isClosed ? 'bad' : 'good'}>
            {t(isClosed ? 'adminSolvency.closed' : 'adminSolvency.open')}
          </Pill>
        </p>
        {causes.map(({ cause, detail, since }) => (
          <p key={cause} className="text-14">
            <span className="block font-semibold">{t(`guard.cause.${cause}`)}</span>
            <span className="block wrap-anywhere">{detail}</span>
            <span className="block text-muted">{utcText(since)}</span>
          </p>
        ))}
        {difference !== undefined && may('operator') && (
          <Button variant="secondary" onClick={() => onWant({ kind: 'guard_clear', payload: {} })}>
            {t('admin.guard.propose')}
          </Button>
        )}
        <Limit
          label={t('adminSolvency.inBooks')}
          value={difference === undefined ? '0' : t('adminSolvency.closed')}
          hint={t('adminSolvency.inBooksText')}
        />
        {books?.items.map(({ asset, ratio_ppm }) => (
          <Limit
            key={asset}
            label={t('adminSolvency.ratioOf', { asset })}
            value={ratio_ppm === null ? '–' : formatRatio(ratio_ppm)}
            hint={t('adminSolvency.closesBelow')}
          />
        ))}
        {snapshot === null ? (
          <Limit label={t('adminSolvency.age')} value="–" hint={t('adminSolvency.notNeeded')} />
        ) : (
          <Age at={snapshot.at} lastsMs={snapshot.lasts_ms} />
        )}
        <p className="text-12 text-muted">{t('adminSolvency.passes')}</p>
      </Card>
    </Section>
  )
}

function Age({ at, lastsMs }: { at: string; lastsMs: number }) {
  const { t } = useTranslation()
  const ageMs = Math.max(0, Date.now() - Date.parse(at))
  const minutes = Math.floor(ageMs / MINUTE_MS)
  const text = t('adminSolvency.old', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
  return (
    <Limit
      label={t('adminSolvency.age')}
      value={text}
      hint={t('adminSolvency.closesAt', { hours: lastsMs / (60 * MINUTE_MS) })}
    >
      <Meter label={t('adminSolvency.age')} share={ageMs / lastsMs} text={text} />
    </Limit>
  )
}

interface LimitProps {
  label: string
  value: string
  hint: string
  children?: ReactNode
}

function Limit({ label, value, hint, children }: LimitProps) {
  return (
    <div className="flex flex-col gap-1 border-t border-line pt-3">
      <p className="flex flex-wrap justify-between gap-x-3 text-14">
        <span>{label}</span>
        <span className="font-semibold">{value}</span>
      </p>
      {children}
      <p className="text-12 text-muted">{hint}</p>
    </div>
  )
}
