import type { ExitDestination, FundDesk } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatAmount, toAmount, useTranslation } from '../../../lib/index.ts'
import { AmountField, Button, Notice, Sheet, TextField, useDraftForm } from '../../../ui/index.ts'
import { EvidenceField } from '../components/evidence-field.tsx'
import type { Wanted } from '../proposals/use-proposals.tsx'
import { DestinationChoice, usableDestinations } from '../treasury/destination-choice.tsx'
import { coveredMicros } from '../treasury/exit-checks.ts'
import { checkInvestment, EMPTY_INVESTMENT, MAX_HELD_AT, previewInvestment } from './fund-drafts.ts'
import { PreviewTable } from './preview-table.tsx'

interface InvestSheetProps {
  desk: FundDesk
  destinations: readonly ExitDestination[]
  onSubmit: (wanted: Wanted, onDone: () => void) => void
  onClose: () => void
}

/**
 * Asks for the amount of a product's cash, the listed destination, the place of custody, and the document.
 */
export function InvestSheet({ desk, destinations, onSubmit, onClose }: InvestSheetProps) {
  const { t } = useTranslation()
  const listed = usableDestinations(destinations)
  const { values, field, textField, submit, clear } = useDraftForm({
    name: `investment ${desk.product_id}`,
    initial: { ...EMPTY_INVESTMENT, destination: listed[0]?.address ?? '' },
    check: (text) => checkInvestment(text, desk),
    text: (problem) => t(`admin.desk.problem.${problem}`),
    recheck: true,
  })
  const preview = previewInvestment(values, desk)
  return (
    <Sheet open onClose={onClose} title={t('admin.desk.invest.title')}>
      <div className="flex flex-col gap-4">
        <p className="text-14 text-muted">{t('admin.desk.invest.about')}</p>
        <AmountField
          label={t('admin.treasury.amount')}
          unit="USDT"
          aside={t('admin.desk.invest.most', { amount: formatAmount(desk.investable) })}
          max={desk.investable}
          {...field('amount')}
        />
        <UncoveredNotice amount={toAmount(values.amount)} />
        <DestinationChoice destinations={destinations} {...field('destination')} />
        <TextField label={t('admin.desk.invest.heldAt')} maxLength={MAX_HELD_AT} {...textField('heldAt')} />
        <EvidenceField {...field('document')} />
        {preview !== undefined && (
          <>
            <PreviewTable preview={preview} queued={desk.queue.units} />
            <p className="text-14 text-muted">{t('admin.desk.invest.left', leftOf(desk, values.amount))}</p>
          </>
        )}
        <Button
          disabled={listed.length === 0}
          onClick={submit(({ payload }) => onSubmit({ kind: 'fund_invest', payload }, clear))}
        >
          {t('admin.preview')}
        </Button>
      </div>
    </Sheet>
  )
}

/**
 * Returns the remaining cash for buyers and pending redemptions, and the redemptions' need by the current
 * estimate.
 */
function leftOf(desk: FundDesk, amount: string) {
  const free = parseMicros(desk.cash) - parseMicros(desk.announced) - parseMicros(toAmount(amount) ?? '0')
  const needed = parseMicros(desk.queue.value) + parseMicros(desk.pending.value)
  return { left: formatAmount(formatMicros(free)), needed: formatAmount(formatMicros(needed)) }
}

/** Warns while the contract would refuse an amount; the announcement can still be made, and waits. */
function UncoveredNotice({ amount }: { amount: string | null }) {
  const { t } = useTranslation()
  const { data } = useQuery(apiQuery('treasury'))
  const figures = data?.assets.find(({ asset }) => asset === 'USDT')
  if (amount === null || figures === undefined) return null
  const covered = coveredMicros('fund_invest', figures, Date.now())
  if (covered === null) return <Notice tone="warn">{t('admin.desk.invest.noCover')}</Notice>
  if (parseMicros(amount) <= covered) return null
  return (
    <Notice tone="warn">
      {t('admin.desk.invest.overCover', { amount: formatAmount(formatMicros(covered)) })}
    </Notice>
  )
}
