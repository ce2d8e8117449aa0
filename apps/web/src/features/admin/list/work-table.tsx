import { cx, useTranslation } from '../../../lib/index.ts'
import { CheckBox } from '../../../ui/index.ts'
import { type AdminColumn, type ListShape, type ListSum, rowId } from './list-rows.ts'
import type { WorkListState } from './use-work-list.ts'

interface TableProps<T> {
  label: string
  items: readonly T[]
  shape: ListShape<T>
  work: WorkListState<T>
  /** True when rows can be selected. */
  hasChoice: boolean
  onOpen: (key: string) => void
}

const sideOf = ({ isFigure = false }: { isFigure?: boolean }) =>
  isFigure ? 'whitespace-nowrap text-right tabular-nums' : 'text-left'

/** The rows of a list with a sticky head. A click on a row opens it. */
export function WorkTable<T>(props: TableProps<T> & { isNarrow: boolean }) {
  const { t } = useTranslation()
  const { label, items, shape, work, hasChoice, isNarrow } = props
  const columns = shape.columns.filter(({ isRoomy = false }) => !isRoomy || !isNarrow)
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      className="max-h-[calc(100dvh-9rem)] min-w-0 overflow-auto rounded-12 bg-card"
    >
      <table data-dense className="w-full text-14">
        <caption className="sr-only">{label}</caption>
        <thead className="text-12 text-muted">
          <tr>
            {hasChoice && (
              <th scope="col" className="sticky top-0 z-20 w-9 bg-card px-1 py-1">
                <CheckBox
                  isDense
                  label={t('desk.bulk.all')}
                  checked={work.isAllChosen}
                  onChange={work.toggleAll}
                />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={cx(
                  'sticky top-0 z-20 bg-card px-2 py-1.5 font-medium first:pl-4 last:pr-4',
                  sideOf(column),
                )}
              >
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Row key={shape.keyOf(item)} item={item} columns={columns} {...props} />
          ))}
        </tbody>
        <Sums sums={shape.sums?.(items) ?? []} columns={columns} hasChoice={hasChoice} />
      </table>
    </section>
  )
}

function Row<T>({
  item,
  columns,
  shape,
  work,
  hasChoice,
  onOpen,
}: TableProps<T> & { item: T; columns: readonly AdminColumn<T>[] }) {
  const { t } = useTranslation()
  const [key, name] = [shape.keyOf(item), shape.nameOf(item)]
  const isActive = work.active === item
  const isChosen = work.isChosen(item)
  const [first, ...others] = columns
  const td = 'px-2 py-1 align-middle last:pr-4'
  return (
    <tr
      className={cx(
        'relative border-t border-line',
        isActive || isChosen ? 'bg-accent-soft' : 'hover:bg-sunken',
      )}
      {...(isActive && { 'aria-current': true })}
    >
      {hasChoice && (
        <td className="relative z-10 px-1 align-middle">
          {work.canChoose(item) && (
            <CheckBox
              isDense
              label={t('desk.bulk.choose', { what: name })}
              checked={isChosen}
              onChange={() => work.toggle(item)}
            />
          )}
        </td>
      )}
      <th scope="row" className={cx(td, 'font-medium first:pl-4', sideOf(first!))}>
        {/* Covers the whole row; the checkbox is above it. */}
        <button
          id={rowId(key)}
          data-row
          type="button"
          onClick={() => onOpen(key)}
          className="min-h-8 whitespace-nowrap text-left after:absolute after:inset-0"
        >
          <span className="sr-only">{name}</span>
          <span aria-hidden="true">{first!.cell(item)}</span>
        </button>
      </th>
      {others.map((column) => (
        <td key={column.key} className={cx(td, sideOf(column))}>
          {column.cell(item)}
        </td>
      ))}
    </tr>
  )
}

interface SumsProps {
  sums: readonly ListSum[]
  columns: readonly { readonly key: string; readonly isFigure?: boolean }[]
  hasChoice: boolean
}

function Sums({ sums, columns, hasChoice }: SumsProps) {
  if (sums.length === 0) return null
  return (
    <tfoot className="font-semibold">
      {sums.map(({ key, label, cells }) => {
        const before = Math.max(
          1,
          columns.findIndex((column) => column.key in cells),
        )
        return (
          <tr key={key} className="border-t-2 border-line">
            {hasChoice && <td />}
            <th scope="row" colSpan={before} className="px-2 py-2 text-left first:pl-4">
              {label}
            </th>
            {columns.slice(before).map((column) => (
              <td key={column.key} className={cx('px-2 py-2 last:pr-4', sideOf(column))}>
                {cells[column.key]}
              </td>
            ))}
          </tr>
        )
      })}
    </tfoot>
  )
}

/** The same rows on a phone. */
export function WorkCards<T>({ label, items, shape, work, hasChoice, onOpen }: TableProps<T>) {
  const { t } = useTranslation()
  return (
    <ul aria-label={label} className="divide-y divide-line overflow-hidden rounded-12 bg-card">
      {items.map((item) => {
        const [key, name] = [shape.keyOf(item), shape.nameOf(item)]
        const { title, aside, text, tags } = shape.line(item)
        return (
          <li
            key={key}
            className={cx(
              'relative flex items-start gap-2 px-4 py-3',
              work.isChosen(item) && 'bg-accent-soft',
            )}
          >
            {hasChoice && work.canChoose(item) && (
              <span className="relative z-10 -ml-3 -mt-3">
                <CheckBox
                  label={t('desk.bulk.choose', { what: name })}
                  checked={work.isChosen(item)}
                  onChange={() => work.toggle(item)}
                />
              </span>
            )}
            <div className="flex min-w-0 flex-1 flex-col gap-1">
              <button
                id={rowId(key)}
                data-row
                type="button"
                onClick={() => onOpen(key)}
                className="flex min-h-11 flex-wrap content-center items-baseline justify-between gap-x-3 text-left after:absolute after:inset-0"
              >
                <span className="wrap-anywhere text-16 font-semibold tabular-nums">{title}</span>
                {aside !== undefined && <span className="text-12 text-muted">{aside}</span>}
                {text !== undefined && (
                  <span className="wrap-anywhere w-full text-12 text-muted">{text}</span>
                )}
              </button>
              {tags !== undefined && <span className="flex flex-wrap gap-1">{tags}</span>}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
