/** What a list draws one under the other: items, and headings where a group begins. */
export type ListRow<T> =
  | { readonly kind: 'heading'; readonly key: string; readonly text: string }
  | {
      readonly kind: 'item'
      readonly key: string
      readonly item: T
      /** Its place among the items, from 1. */
      readonly place: number
    }

/** The rows of a list; `groupOf` names the group that an item belongs to, and items of a group stand together. */
export function rowsOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  groupOf: ((item: T) => string) | undefined,
): ListRow<T>[] {
  const rows: ListRow<T>[] = []
  let group: string | null = null
  items.forEach((item, index) => {
    const own = groupOf?.(item) ?? null
    if (own !== null && own !== group) rows.push({ kind: 'heading', key: `heading ${own}`, text: own })
    group = own
    rows.push({ kind: 'item', key: keyOf(item), item, place: index + 1 })
  })
  return rows
}
