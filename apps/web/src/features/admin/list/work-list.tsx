import { type ReactNode, useState } from 'react'
import { useIsWide, useIsWidest, useTranslation } from '../../../lib/index.ts'
import {
  Button,
  Chip,
  EmptyState,
  ErrorState,
  Icon,
  IconButton,
  ListSkeleton,
  Sheet,
} from '../../../ui/index.ts'
import type { ListRows, ListShape } from './list-rows.ts'
import { useWorkList } from './use-work-list.ts'
import { WorkCards, WorkTable } from './work-table.tsx'

export interface WorkListProps<T> {
  /** The name of the list. */
  label: string
  rows: ListRows<T>
  shape: ListShape<T>
  /** One row in full. `leave` closes it if it covers the list. */
  details: (item: T, leave: () => void) => ReactNode
  /** Shown when there is nothing at all. */
  empty: ReactNode
  /** True if filters may be the reason for an empty list. */
  isNarrowed?: boolean
  /** The actions on several rows; left out if there are none. */
  bulk?: Bulk<T> | undefined
}

export interface Bulk<T> {
  readonly can: (item: T) => boolean
  /**
   * The bar of a selection. It is rendered without one too, so that the results of the last one stay visible.
   */
  readonly bar: (selection: readonly T[], clear: () => void) => ReactNode
  /** Selects several rows with one tap: those returned by `of`, with the reason why they belong together. */
  readonly quick?: {
    readonly of: (items: readonly T[]) => readonly T[]
    readonly label: (count: number) => string
    readonly about: string
  }
}

/**
 * A work list of the operators: a dense table from 1,024 px, otherwise phone rows; details beside it if there
 * is space, otherwise over it; with keyboard navigation, a selection and its actions.
 */
export function WorkList<T>({ label, rows, shape, details, empty, isNarrowed, bulk }: WorkListProps<T>) {
  const { t } = useTranslation()
  const [isWide, isWidest] = [useIsWide(), useIsWidest()]
  const [opened, setOpened] = useState<string | null>(null)
  const items = rows.items ?? []
  const work = useWorkList({
    items,
    keyOf: shape.keyOf,
    canChoose: bulk?.can,
    opened,
    onOpen: setOpened,
    onEnd: rows.more,
  })
  if (rows.items === undefined) return rows.isError ? <ErrorState onRetry={rows.retry} /> : <ListSkeleton />
  const { active } = work
  const close = () => setOpened(null)
  const shown = active !== undefined && details(active, isWidest ? () => undefined : close)
  const shared = { label, items, shape, work, hasChoice: bulk !== undefined, onOpen: setOpened }
  return (
    <>
      {bulk?.quick !== undefined && <Quick {...bulk.quick} items={items} onChoose={work.choose} />}
      {items.length === 0 ? (
        isNarrowed ? (
          <EmptyState icon="search" title={t('desk.held.nothing')} hint={t('desk.held.nothingHint')} />
        ) : (
          empty
        )
      ) : isWide ? (
        <div
          className={
            active && isWidest ? 'grid items-start gap-4 grid-cols-[minmax(0,1fr)_22rem]' : undefined
          }
        >
          <WorkTable {...shared} isNarrow={active !== undefined || !isWidest} />
          {active && isWidest && (
            <Pane label={shape.nameOf(active)} onClose={close}>
              {shown}
            </Pane>
          )}
        </div>
      ) : (
        <WorkCards {...shared} />
      )}
      {active && !isWidest && (
        <Sheet open onClose={close} title={t('desk.held.details')}>
          {shown}
        </Sheet>
      )}
      {rows.more !== undefined && (
        <Button variant="secondary" busy={rows.isReadingMore === true} onClick={rows.more}>
          {t('adminSearch.showMore')}
        </Button>
      )}
      {items.length > 0 && <KeysHint onOpen={work.openHelp} />}
      {bulk?.bar(work.selection, () => work.choose([]))}
      {work.help}
    </>
  )
}

/** The details of a row beside the table. */
function Pane({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <section
      aria-label={label}
      className="sticky top-16 max-h-[calc(100dvh-5rem)] overflow-y-auto rounded-12 bg-card px-5 pb-5"
    >
      <div className="-mr-3 flex justify-end">
        <IconButton icon="close" label={t('common.close')} onClick={onClose} />
      </div>
      {children}
    </section>
  )
}

/** Shows on a desktop that there are keys, and which. */
export function KeysHint({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      onClick={onOpen}
      className="hidden min-h-11 px-1 text-left text-12 text-muted hover:text-ink lg:block"
    >
      {t('desk.keys.hint')}
    </button>
  )
}

interface QuickProps<T> extends NonNullable<Bulk<T>['quick']> {
  items: readonly T[]
  onChoose: (items: readonly T[]) => void
}

function Quick<T>({ of, label, about, items, onChoose }: QuickProps<T>) {
  const some = of(items)
  if (some.length === 0) return null
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-14 text-muted">
      <Chip onClick={() => onChoose(some)}>
        <Icon name="check" size={16} />
        {label(some.length)}
      </Chip>
      {about}
    </p>
  )
}
