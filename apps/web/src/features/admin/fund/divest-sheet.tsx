import type { FundDesk } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { apiWatchedList, formatAmount, shortAddress, useTranslation } from '../../../lib/index.ts'
import { Button, ListSkeleton, Notice, Segmented, Sheet, TextField, useDraftForm } from '../../../ui/index.ts'
import { ShowMore } from '../components/admin-page.tsx'
import { EvidenceField } from '../components/evidence-field.tsx'
import type { Wanted } from '../proposals/use-proposals.tsx'
import {
  checkDivestment,
  divestmentDraft,
  freeDeposits,
  MAX_HELD_AT,
  NOTHING_BACK,
  previewDivestment,
} from './fund-drafts.ts'
import { LineFields } from './line-fields.tsx'
import { PreviewTable } from './preview-table.tsx'

interface DivestSheetProps {
  desk: FundDesk
  names: ReadonlyMap<string, string>
  onSubmit: (wanted: Wanted, onDone: () => void) => void
  onClose: () => void
}

/**
 * Asks for the deposit that returned invested money, and the value of the rest; a divestment is a valuation
 * too.
 */
export function DivestSheet({ desk, names, onSubmit, onClose }: DivestSheetProps) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiWatchedList('revenueDeposits', { query: {} }))
  const deposits = freeDeposits(query.data?.pages.flatMap((page) => page.items) ?? [])
  const { values, field, textField, submit, clear } = useDraftForm({
    name: `divestment ${desk.product_id}`,
    initial: divestmentDraft(desk),
    check: (text) => checkDivestment(text, desk, deposits),
    text: (problem) => t(`admin.desk.problem.${problem}`),
    recheck: true,
  })
  const preview = previewDivestment(values, desk, deposits)
  const { error, ...deposit } = field('deposit')
  return (
    <Sheet open onClose={onClose} title={t('admin.desk.divest.title')}>
      <div className="flex flex-col gap-4">
        <p className="text-14 text-muted">{t('admin.desk.divest.about')}</p>
        <div className="flex flex-col gap-2">
          <p className="text-14 font-medium">{t('admin.desk.divest.deposit')}</p>
          {query.isPending ? (
            <ListSkeleton rows={1} />
          ) : (
            <Segmented
              wraps
              label={t('admin.desk.divest.deposit')}
              options={[
                ...deposits.map(({ deposit_id, amount, from }) => ({
                  value: deposit_id,
                  label: `${formatAmount(amount)} USDT, ${shortAddress(from)}`,
                })),
                { value: NOTHING_BACK, label: t('admin.desk.divest.nothing') },
              ]}
              {...deposit}
            />
          )}
          {query.isError && <Notice tone="bad">{t('common.loadFailed')}</Notice>}
          {!query.isPending && deposits.length === 0 && (
            <p className="text-12 text-muted">{t('admin.desk.divest.none')}</p>
          )}
          <p role={error === undefined ? undefined : 'alert'} className="text-12 text-bad empty:hidden">
            {error}
          </p>
          <ShowMore query={query} />
        </div>
        <p className="text-14 font-medium">{t('admin.desk.divest.remains')}</p>
        <LineFields desk={desk} names={names} field={field} />
        <TextField label={t('admin.fund.heldAt')} maxLength={MAX_HELD_AT} {...textField('heldAt')} />
        <EvidenceField {...field('document')} />
        {preview !== undefined && <PreviewTable preview={preview} queued={desk.queue.units} />}
        <Notice tone="warn">{t('admin.desk.valuation.stops')}</Notice>
        <Button onClick={submit(({ payload }) => onSubmit({ kind: 'fund_divest', payload }, clear))}>
          {t('admin.preview')}
        </Button>
      </div>
    </Sheet>
  )
}
