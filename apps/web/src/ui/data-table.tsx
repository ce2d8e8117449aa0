import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { cx, useTranslation } from '../lib/index.ts'
import { Disclosure } from './disclosure.tsx'

export interface DataTableProps {
  caption: string
  /** The name of the scrolling region; the caption by default. */
  label?: string
  head: readonly string[]
  /** Columns of words, by place; all but the first hold figures and stand at the right unless named here. */
  words?: readonly number[]
  rows: readonly TableRow[]
  /** Sums, below a line of their own. */
  foot?: readonly TableRow[]
  /** Small and dense, for reference tables. */
  dense?: boolean
  /** Draws each row as a block of labelled values where not all columns fit. */
  stacks?: boolean
  className?: string
}

/** The first cell of a row is its heading; a key where headings repeat. */
export interface TableRow {
  readonly key: string
  readonly cells: readonly ReactNode[]
}

/**
 * A table of figures in its own region: if it is too wide, it scrolls beside its headings, or with `stacks`
 * its rows are drawn as blocks.
 */
export function DataTable(props: DataTableProps) {
  const { caption, label = caption, head, words = [], rows, foot = [], dense = false } = props
  const { stacks = false, className } = props
  const region = useRef<HTMLElement>(null)
  useStacking(region, stacks)
  const high = dense ? 'py-1' : 'py-2'
  const sideOf = (place: number) =>
    cx(
      place === 0 || words.includes(place) ? 'text-left' : 'text-right',
      place > 0 && (dense ? 'pl-2' : 'pl-4'),
    )
  const row = ({ key, cells: [first, ...cells] }: TableRow) => (
    <tr
      {...as('row')}
      key={key}
      className="border-t border-line group-data-stacked:block group-data-stacked:py-2"
    >
      <th
        {...as('rowheader')}
        scope="row"
        className={cx(
          'sticky left-0 min-w-20 bg-card text-left font-normal group-data-stacked:block group-data-stacked:font-semibold',
          high,
        )}
      >
        {first}
      </th>
      {cells.map((cell, place) => (
        <td
          {...as('cell')}
          key={head[place + 1]}
          data-label={head[place + 1]}
          className={cx('whitespace-nowrap tabular-nums', high, sideOf(place + 1), STACKED_CELL)}
        >
          {cell}
        </td>
      ))}
    </tr>
  )
  return (
    <section
      ref={region}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      className={cx('group -mb-3 overflow-auto pb-3', className)}
    >
      <table
        {...as('table')}
        className={cx('w-full group-data-stacked:block', dense ? 'text-12' : 'text-14')}
      >
        <caption className="sr-only">{caption}</caption>
        <thead {...as('rowgroup')} className="text-12 text-muted group-data-stacked:sr-only">
          <tr {...as('row')}>
            {head.map((text, place) => (
              <th
                {...as('columnheader')}
                key={text}
                scope="col"
                className={cx('py-1 font-normal', place === 0 && 'sticky left-0 bg-card', sideOf(place))}
              >
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...as('rowgroup')} className="group-data-stacked:block">
          {rows.map(row)}
        </tbody>
        {foot.length > 0 && (
          <tfoot {...as('rowgroup')} className="font-semibold group-data-stacked:block">
            {foot.map(row)}
          </tfoot>
        )}
      </table>
    </section>
  )
}

/** The role that the element has anyhow, for as long as it is drawn as a table. */
const as = (role: string) => ({ role })

/** The label is for the eye: a cell is read out with its column's heading. */
const STACKED_CELL = cx(
  'group-data-stacked:flex group-data-stacked:flex-wrap group-data-stacked:justify-between group-data-stacked:gap-x-4',
  'group-data-stacked:whitespace-normal group-data-stacked:py-1 group-data-stacked:pl-0 group-data-stacked:text-right group-data-stacked:empty:hidden',
  "group-data-stacked:before:font-normal group-data-stacked:before:text-muted group-data-stacked:before:content-[attr(data-label)_/_'']",
)

/** Marks a region (`data-stacked`) whose table is too wide for it, whenever one of them changes. */
function useStacking(region: RefObject<HTMLElement | null>, stacks: boolean): void {
  useLayoutEffect(() => {
    if (stacks) measure(region.current!)
  })
  useLayoutEffect(() => {
    if (!stacks) return
    const observer = new ResizeObserver(() => measure(region.current!))
    observer.observe(region.current!)
    return () => observer.disconnect()
  }, [region, stacks])
}

function measure(region: HTMLElement): void {
  delete region.dataset.stacked
  if (region.scrollWidth > region.clientWidth) region.dataset.stacked = ''
}

export interface ChartTableProps {
  caption: string
  head: readonly string[]
  /** Returns the rows once they are shown. The first cell of a row is its heading. */
  rows: () => readonly (readonly string[])[]
}

/** The figures of a chart as a table, folded below it. */
export function ChartTable(props: ChartTableProps) {
  const { t } = useTranslation()
  return (
    <Disclosure small className="-mb-2" title={t('common.asTable')}>
      <ChartRows {...props} />
    </Disclosure>
  )
}

function ChartRows({ caption, head, rows }: ChartTableProps) {
  return (
    <DataTable
      dense
      className="max-h-72"
      caption={caption}
      head={head}
      rows={rows().map((cells) => ({ key: cells[0]!, cells }))}
    />
  )
}
