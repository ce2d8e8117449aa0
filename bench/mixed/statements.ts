import type { SentStatement } from '../../apps/server/src/db/sender.ts'

/** The recorded values that differ between runs of a script, with the variable that replaces each of them. */
export type Variables = ReadonlyMap<string, string>

/**
 * Returns the statements as a pgbench script: the same texts, with the recorded values or variables as
 * parameters.
 */
export function pgbenchScript(sent: readonly SentStatement[], variables: Variables): string {
  return sent
    .map(({ text, values }) => {
      const flat = text.replace(/\s+/g, ' ').trim()
      return `${flat.replace(/\$(\d+)/g, (_, place) => literal(values[Number(place) - 1], variables))};`
    })
    .join('\n')
}

function literal(value: unknown, known: Variables): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (Buffer.isBuffer(value)) return known.get('bytes') ?? `'\\x${value.toString('hex')}'::bytea`
  // Without colons, which pgbench interprets as variables.
  if (value instanceof Date)
    return `'${value.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '')}'::timestamptz`
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, known))
    const type = value.some((item) => typeof item === 'bigint') ? 'bigint' : 'text'
    return `array[${items.join(',')}]${value.some(Buffer.isBuffer) ? '' : `::${type}[]`}`
  }
  const text = String(value)
  const variable = known.get(text)
  if (variable !== undefined) return typeof value === 'string' ? `(${variable})::text` : variable
  if (typeof value !== 'string') return text
  // The stored response of an idempotent request. Only the order of magnitude of its size matters.
  if (text.startsWith('{"')) return `'{}'`
  return text
    .split('/')
    .map((part) => known.get(part))
    .some((part) => part !== undefined)
    ? text
        .split('/')
        .map((part) => (known.has(part) ? `${known.get(part)}::text` : `'${part}'`))
        .join(` || '/' || `)
    : `'${text.replaceAll("'", "''").replaceAll(':', '.')}'`
}
