import { useTranslation } from '../lib/i18n.ts'
import { DataTable } from './data-table.tsx'

export interface ChartTableProps {
  caption: string
  head: readonly string[]
  /** The first cell of a row is its heading. */
  rows: readonly (readonly string[])[]
}

/** The figures of a chart as a table, folded away under it. */
export function ChartTable({ caption, head, rows }: ChartTableProps) {
  const { t } = useTranslation()
  return (
    <details className="-mb-2 text-14">
      <summary className="flex min-h-11 cursor-pointer list-none items-center text-12 font-medium text-accent">
        {t('common.asTable')}
      </summary>
      <DataTable
        dense
        className="max-h-72"
        caption={caption}
        head={head}
        rows={rows.map((cells) => ({ key: cells[0]!, cells }))}
      />
    </details>
  )
}
