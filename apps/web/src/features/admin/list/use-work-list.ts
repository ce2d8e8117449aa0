import { type ReactNode, useState } from 'react'
import { rowId } from './list-rows.ts'
import { useQueueKeys } from './queue-keys.tsx'

interface Options<T> {
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  /** Reports whether a row can be selected; undefined for a list without a selection. */
  readonly canChoose?: ((item: T) => boolean) | undefined
  /** The key of the open row, and the function that opens another or, with null, none. */
  readonly opened: string | null
  readonly onOpen: (key: string | null) => void
  /** Called at the last row, if the next one is not loaded yet. */
  readonly onEnd?: (() => void) | undefined
}

export interface WorkListState<T> {
  readonly active: T | undefined
  /** The index of the open row; -1 without one. */
  readonly place: number
  readonly move: (by: 1 | -1) => void
  readonly isChosen: (item: T) => boolean
  /** The selected rows that are visible: decisions concern only these. */
  readonly selection: readonly T[]
  readonly choose: (items: readonly T[]) => void
  readonly toggle: (item: T) => void
  readonly canChoose: (item: T) => boolean
  readonly isAllChosen: boolean
  readonly toggleAll: () => void
  /** The list of keys, to render in the page, and the function that opens it. */
  readonly help: ReactNode
  readonly openHelp: () => void
}

/** Holds the open row and the selection of a list, and handles its keyboard navigation. */
export function useWorkList<T>(options: Options<T>): WorkListState<T> {
  const { items, keyOf, opened, onOpen, onEnd } = options
  const canChoose = options.canChoose ?? (() => false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const place = items.findIndex((item) => keyOf(item) === opened)
  const active = items[place]
  const free = items.filter(canChoose)
  const selection = free.filter((item) => chosen.has(keyOf(item)))
  const isAllChosen = free.length > 0 && selection.length === free.length
  const choose = (some: readonly T[]) => setChosen(new Set(some.map(keyOf)))
  const toggle = (item: T) =>
    setChosen((keys) => {
      const next = new Set(keys)
      if (!next.delete(keyOf(item))) next.add(keyOf(item))
      return next
    })
  const move = (by: 1 | -1) => {
    if (by === 1 && place === items.length - 1) onEnd?.()
    const next = items[Math.min(items.length - 1, Math.max(0, place + by))]
    if (next === undefined) return
    onOpen(keyOf(next))
    document.getElementById(rowId(keyOf(next)))?.focus()
  }
  const { help, openHelp } = useQueueKeys({
    move,
    open: () => active !== undefined && onOpen(keyOf(active)),
    ...(options.canChoose && {
      select: () => active !== undefined && canChoose(active) && toggle(active),
    }),
    close: () => onOpen(null),
  })
  return {
    active,
    place,
    move,
    selection,
    choose,
    toggle,
    canChoose,
    isAllChosen,
    help,
    openHelp,
    isChosen: (item) => chosen.has(keyOf(item)),
    toggleAll: () => choose(isAllChosen ? [] : free),
  }
}
