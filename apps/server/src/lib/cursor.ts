import { AppError } from './errors.ts'

/**
 * Encodes a page cursor: the sort key of the last item returned, opaque to the client. A cursor grants no rights: the query
 * that uses it must still be limited to the caller's rows.
 */
export function encodeCursor(...parts: readonly (bigint | number | string)[]): string {
  return Buffer.from(parts.join('.')).toString('base64url')
}

/** Returns the parts of a cursor as integers, or undefined without one. Throws VALIDATION_FAILED for an invalid cursor. */
export function decodeCursor(cursor: string | undefined, parts: number): bigint[] | undefined {
  if (cursor === undefined) return undefined
  const texts = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  if (texts.length !== parts || !texts.every((text) => /^[0-9]{1,18}$/.test(text))) {
    throw new AppError('VALIDATION_FAILED', { field: 'cursor' })
  }
  return texts.map(BigInt)
}

/** Creates a page from `limit + 1` fetched rows; the last row only indicates that there is a next page. */
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
