import { type FundAssets, formatMicros, netAssets } from '@rif/rules'
import { formatAmount, formatExact, useTranslation } from '../../../lib/index.ts'
import { DataTable, Notice } from '../../../ui/index.ts'
import type { FundPreview } from './fund-drafts.ts'

interface PreviewTableProps {
  preview: FundPreview
  /** The approved units that wait for payment. */
  queued: string
}

type Row = readonly [name: string, of: (assets: FundAssets) => bigint, write?: (amount: string) => string]

/** Shows the figures of the product after a proposal, from the current books. */
export function PreviewTable({ preview: { before, after }, queued }: PreviewTableProps) {
  const { t } = useTranslation()
  const rows: readonly Row[] = [
    [t('admin.desk.row.invested'), ({ investedMicros }) => investedMicros],
    [t('admin.desk.row.cash'), ({ cashMicros }) => cashMicros],
    [t('admin.desk.row.announced'), ({ announcedMicros }) => announcedMicros],
    [t('admin.desk.row.netAssets'), netAssets],
    [t('admin.desk.row.nav', { units: `${before.units}` }), ({ navMicros }) => navMicros, formatExact],
    [t('admin.desk.row.queue', { units: queued }), ({ navMicros }) => navMicros * BigInt(queued)],
  ]
  const shown = rows.filter(([, of], place) => place !== ANNOUNCED || of(before) > 0n || of(after) > 0n)
  const isClosing = after.isClosed && !before.isClosed
  return (
    <div className="flex flex-col gap-3">
      <DataTable
        dense
        caption={t('admin.desk.preview')}
        head={[t('admin.desk.preview'), t('admin.desk.now'), t('admin.desk.then')]}
        rows={shown.map(([name, of, write = formatAmount]) => ({
          key: name,
          cells: [
            name,
            write(formatMicros(of(before))),
            <span key="then" className={of(before) === of(after) ? '' : 'font-semibold'}>
              {write(formatMicros(of(after)))}
            </span>,
          ],
        }))}
      />
      {isClosing && <Notice tone="warn">{t('admin.effect.fund_closes')}</Notice>}
    </div>
  )
}

/** The index of the row of announced cash, which is left out if there is none. */
const ANNOUNCED = 2
