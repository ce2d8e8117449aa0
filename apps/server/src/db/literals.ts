import pg from 'pg'

const FIRST_MS = Date.UTC(1900)
const LAST_MS = Date.UTC(9999)

/**
 * Returns a value as a literal that PostgreSQL parses like the parameter; undefined for a value without one:
 * a text with a zero byte would end the message.
 */
export function literalOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return 'null'
  const text = textOf(value)
  return text === undefined || text.includes('\0') ? undefined : pg.escapeLiteral(text)
}

/** Returns the text of a value of a type that the product's statements use; undefined for another type. */
export function textOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value
    case 'bigint':
    case 'boolean':
    case 'number':
      return String(value)
  }
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  if (Array.isArray(value)) return arrayOf(value)
  // PostgreSQL reads other years in another format.
  const isPlain = value instanceof Date && value.getTime() >= FIRST_MS && value.getTime() < LAST_MS
  return isPlain ? value.toISOString() : undefined
}

function arrayOf(values: readonly unknown[]): string | undefined {
  const texts = values.map((value) => {
    if (value === null || value === undefined) return 'NULL'
    const text = textOf(value)
    return Array.isArray(value) || text === undefined ? text : `"${text.replace(/[\\"]/g, '\\$&')}"`
  })
  return texts.includes(undefined) ? undefined : `{${texts.join(',')}}`
}
