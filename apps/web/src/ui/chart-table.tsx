import { useTranslation } from '../lib/i18n.ts'

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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="max-h-72 overflow-auto" tabIndex={0} aria-label={caption}>
        <table className="w-full text-12">
          <caption className="sr-only">{caption}</caption>
          <thead className="text-muted">
            <tr>
              {head.map((text, place) => (
                <th
                  key={text}
                  scope="col"
                  className={`py-1 font-normal ${place === 0 ? 'text-left' : 'pl-2 text-right'}`}
                >
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([first, ...cells]) => (
              <tr key={first} className="border-t border-line">
                <th scope="row" className="whitespace-nowrap py-1 text-left font-normal">
                  {first}
                </th>
                {cells.map((cell, place) => (
                  <td key={head[place + 1]} className="py-1 pl-2 text-right">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
