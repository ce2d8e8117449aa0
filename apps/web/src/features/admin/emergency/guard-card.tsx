import type { RouteData } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { Button, Card, Fact, Facts, Pill, Section } from '../../../ui/index.ts'
import { useMay } from '../components/admin-page.tsx'
import { utcText } from '../components/utc-time.tsx'
import type { Wanted } from '../proposals/use-proposals.tsx'

type Report = RouteData<'emergency'>['guard']

/**
 * Shows why the guard has closed the gate, and its last audits. Two admins clear a difference in the books.
 */
export function GuardCard({ report, onWant }: { report: Report; onWant: (wanted: Wanted) => void }) {
  const { t } = useTranslation()
  const may = useMay()
  const { causes, audits } = report
  const isClosed = causes.length > 0
  const resultOf = ({ differences }: Report['audits'][number]) => {
    if (differences === null) return t('admin.guard.running')
    return differences === 0 ? t('admin.guard.clean') : t('admin.guard.found', { count: `${differences}` })
  }
  return (
    <Section title={t('admin.guard.title')}>
      <Card className="flex flex-col gap-3">
        <p className="flex items-start justify-between gap-3">
          <span className="text-14 text-muted">{t('admin.guard.about')}</span>
          <Pill tone={isClosed ? 'bad' : 'good'}>
            {t(isClosed ? 'admin.guard.closed' : 'admin.guard.open')}
          </Pill>
        </p>
        {causes.map(({ cause, detail, since }) => (
          <p key={cause} className="text-14">
            <span className="block font-semibold">{t(`guard.cause.${cause}`)}</span>
            <span className="block break-words">{detail}</span>
            <span className="block text-muted">{utcText(since)}</span>
          </p>
        ))}
        {causes.some(({ cause }) => cause === 'difference') && may('operator') && (
          <Button variant="secondary" onClick={() => onWant({ kind: 'guard_clear', payload: {} })}>
            {t('admin.guard.propose')}
          </Button>
        )}
        {audits.length === 0 && <p className="text-14 text-muted">{t('admin.guard.none')}</p>}
        <Facts>
          {audits.map((audit) => (
            <Fact
              key={audit.started_at}
              label={`${t(`admin.guard.${audit.kind}`)} · ${utcText(audit.started_at)}`}
            >
              {resultOf(audit)}
            </Fact>
          ))}
        </Facts>
      </Card>
    </Section>
  )
}
