import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'

export interface DataTableProps {
  caption: string
  /** What the region is called that scrolls; the caption unless it is another. */
  label?: string
  head: readonly string[]
  /** Columns of words, by place; all but the first hold figures and stand at the right unless named here. */
  words?: readonly number[]
  /** The first cell of a row is its heading; a key where headings repeat. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
  /** Small and close, for what is looked up and not read. */
  dense?: boolean
  className?: string
}

/** A table of figures in a region of its own, scrolled where it is too wide. */
export function DataTable(props: DataTableProps) {
  const { caption, label = caption, head, words = [], rows, dense = false, className } = props
  const sideOf = (place: number) =>
    cx(
      place === 0 || words.includes(place) ? 'text-left' : 'text-right',
      place > 0 && (dense ? 'pl-2' : 'pl-4'),
    )
  const high = dense ? 'py-1' : 'py-2'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={cx('-mb-3 overflow-auto pb-3', className)} tabIndex={0} aria-label={label}>
      <table className={cx('w-full', dense ? 'text-12' : 'text-14')}>
        <caption className="sr-only">{caption}</caption>
        <thead className="text-12 text-muted">
          <tr>
            {head.map((text, place) => (
              <th key={text} scope="col" className={cx('py-1 font-normal', sideOf(place))}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [first, ...cells] }) => (
            <tr key={key} className="border-t border-line">
              <th scope="row" className={cx('whitespace-nowrap text-left font-normal', high)}>
                {first}
              </th>
              {cells.map((cell, place) => (
                <td
                  key={head[place + 1]}
                  className={cx('whitespace-nowrap tabular-nums', high, sideOf(place + 1))}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
