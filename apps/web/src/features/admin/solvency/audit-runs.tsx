import { formatDecimal, useTranslation } from '../../../lib/index.ts'
import { Card, DataTable, Pill, Section } from '../../../ui/index.ts'
import { utcText } from '../components/utc-time.tsx'
import type { GuardReport } from './key-figures.tsx'

/** The last automatic audits, and the last time the gate was closed. */
export function AuditRuns({ guard }: { guard: GuardReport }) {
  const { t } = useTranslation()
  const { audits, closings } = guard
  const title = t('adminSolvency.audits')
  const last = closings[0]
  return (
    <Section title={title}>
      <Card className="flex flex-col gap-3">
        <p className="text-12 text-muted">{t('adminSolvency.auditsAbout')}</p>
        {audits.length === 0 ? (
          <p className="text-14 text-muted">{t('admin.guard.none')}</p>
        ) : (
          <DataTable
            dense
            caption={title}
            words={[1, 3]}
            head={[
              t('adminSolvency.run'),
              t('adminSolvency.kind'),
              t('adminSolvency.took'),
              t('adminSolvency.found'),
            ]}
            rows={audits.map((audit) => ({
              key: audit.started_at,
              cells: [
                utcText(audit.started_at),
                t(`admin.guard.${audit.kind}`),
                audit.ended_at === null
                  ? '–'
                  : t('adminSolvency.seconds', { seconds: secondsOf(audit.started_at, audit.ended_at) }),
                <Found key="found" differences={audit.differences} />,
              ],
            }))}
          />
        )}
        {last !== undefined && (
          <p className="text-12 text-muted">
            {t('adminSolvency.lastPause', {
              from: utcText(last.from) ?? '',
              until: utcText(last.until) ?? '',
              cause: t(`guard.cause.${last.cause}`),
            })}
          </p>
        )}
      </Card>
    </Section>
  )
}

const secondsOf = (from: string, until: string) =>
  formatDecimal(((Date.parse(until) - Date.parse(from)) / 1000).toFixed(1))

function Found({ differences }: { differences: number | null }) {
  const { t } = useTranslation()
  if (differences === null) return <Pill>{t('admin.guard.running')}</Pill>
  return differences === 0 ? (
    <Pill tone="good">{t('adminSolvency.noneFound')}</Pill>
  ) : (
    <Pill tone="bad">{t('adminSolvency.differences', { count: differences })}</Pill>
  )
}
