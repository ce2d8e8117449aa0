import type { FundDesk } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { amountText, formatAmount, formatPrice, useTranslation } from '../../../lib/index.ts'
import { Button, Card, Notice, TextField, useDraftForm } from '../../../ui/index.ts'
import { useMay } from '../components/admin-page.tsx'
import { EvidenceField } from '../components/evidence-field.tsx'
import { utcText } from '../components/utc-time.tsx'
import type { Wanted } from '../proposals/use-proposals.tsx'
import { checkValuation, lineDraft, MAX_HELD_AT, previewValuation } from './fund-drafts.ts'
import { LineFields } from './line-fields.tsx'
import { PreviewTable } from './preview-table.tsx'

interface ValuationProps {
  desk: FundDesk
  names: ReadonlyMap<string, string>
  onWant: (wanted: Wanted, onDone: () => void) => void
  onProposal: (proposalId: string) => void
}

/** The valuation of a product: the form to propose one, or the pending one. */
export function Valuation(props: ValuationProps) {
  const { t } = useTranslation()
  const may = useMay()
  const { desk, onProposal } = props
  const { proposed, proposals, is_invested } = desk
  const waits = proposed !== null || proposals.valuation !== null
  return (
    <section aria-label={t('admin.desk.valuation.title')}>
      <Card className="flex flex-col gap-4">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="text-16 font-semibold">{t('admin.desk.valuation.title')}</span>
          <span className="text-12 text-muted">{t('admin.desk.secondPerson')}</span>
        </p>
        {waits ? (
          <Proposed proposed={proposed} />
        ) : !is_invested ? (
          <p className="text-14 text-muted">{t('admin.desk.valuation.nothing')}</p>
        ) : may('operator') ? (
          <ValuationForm {...props} />
        ) : (
          <p className="text-14 text-muted">{t('admin.desk.operatorsOnly')}</p>
        )}
        {proposals.valuation !== null && (
          <Button variant="secondary" onClick={() => onProposal(proposals.valuation!)}>
            {t('admin.fund.valuationWaits')}
          </Button>
        )}
      </Card>
    </section>
  )
}

function Proposed({ proposed }: Pick<FundDesk, 'proposed'>) {
  const { t } = useTranslation()
  if (proposed === null) return <p className="text-14 text-muted">{t('admin.desk.valuation.delayed')}</p>
  const { kind, value, amount, lapses_at, stops_dealing } = proposed
  return (
    <>
      <p className="text-14">
        {kind === 'divestment'
          ? t('admin.desk.valuation.waitsDivest', {
              amount: formatAmount(amount ?? '0'),
              value: formatAmount(value),
            })
          : t('admin.desk.valuation.waits', { value: formatAmount(value) })}
      </p>
      <Notice tone={stops_dealing ? 'warn' : 'info'}>
        {t(stops_dealing ? 'admin.desk.valuation.stopped' : 'admin.desk.valuation.quiet', {
          time: utcText(lapses_at) ?? '',
        })}
      </Notice>
    </>
  )
}

function ValuationForm({ desk, names, onWant }: ValuationProps) {
  const { t } = useTranslation()
  const form = useDraftForm({
    name: `valuation ${desk.product_id}`,
    initial: lineDraft(desk, ({ value }) => amountText(value)),
    check: (text) => checkValuation(text, desk),
    text: (problem) => t(`admin.desk.problem.${problem}`),
    recheck: true,
  })
  const { values, field, textField, submit, clear } = form
  const preview = previewValuation(values, desk)
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={submit(({ payload }) => onWant({ kind: 'fund_valuation', payload }, clear))}
    >
      <LineFields desk={desk} names={names} field={field} />
      <TextField label={t('admin.fund.heldAt')} maxLength={MAX_HELD_AT} {...textField('heldAt')} />
      <EvidenceField {...field('document')} />
      {preview !== undefined && <PreviewTable preview={preview} queued={desk.queue.units} />}
      <Notice tone="warn">{t('admin.desk.valuation.stops')}</Notice>
      <Button type="submit" block>
        {preview === undefined || preview.after.units === 0n
          ? t('admin.fund.proposeValuation')
          : t('admin.desk.valuation.propose', { nav: formatPrice(formatMicros(preview.after.navMicros)) })}
      </Button>
    </form>
  )
}
