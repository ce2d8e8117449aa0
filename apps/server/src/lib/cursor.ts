import { AppError } from './errors.ts'

/**
 * Page cursors: the sort key of the last item that was handed out, opaque to the client. They carry no right of their
 * own: the query that uses one must be limited to the caller's rows all the same.
 */
export function encodeCursor(...parts: readonly (bigint | number | string)[]): string {
  return Buffer.from(parts.join('.')).toString('base64url')
}

/** The parts of a cursor as integers, or undefined without one. Throws VALIDATION_FAILED when it is not one of ours. */
export function decodeCursor(cursor: string | undefined, parts: number): bigint[] | undefined {
  if (cursor === undefined) return undefined
  const texts = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  if (texts.length !== parts || !texts.every((text) => /^[0-9]{1,18}$/.test(text))) {
    throw new AppError('VALIDATION_FAILED', { field: 'cursor' })
  }
  return texts.map(BigInt)
}

/** A page out of `limit + 1` fetched rows: the extra row only tells that there is a next page. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  item: (row: Row) => Item,
  cursorOf: (row: Row) => string,
): { items: Item[]; next: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { items: shown.map(item), next: rows.length > limit && last ? cursorOf(last) : null }
}
