import pg from 'pg'

/** PostgreSQL's own numbers of the types that are read differently from pg's defaults. */
const INT8 = 20
const DATE = 1082
const INT8_ARRAY = 1016
const DATE_ARRAY = 1182
const TEXT_ARRAY = 1009

const parseTextArray = pg.types.getTypeParser(TEXT_ARRAY as number) as unknown as (
  text: string,
) => (string | null)[]

const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: BigInt,
  [DATE]: (text) => text,
  [INT8_ARRAY]: (text) => parseTextArray(text).map((item) => (item === null ? null : BigInt(item))),
  [DATE_ARRAY]: parseTextArray,
}

/**
 * How column values become TypeScript values: 64-bit integers exact, as `bigint` (money), and `date` as
 * 'YYYY-MM-DD' (pg would read it in the time zone of the machine). Everything else as pg does by itself.
 * `db/types.gen.ts` is generated to match.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') => {
    const parser = format === undefined || format === 'text' ? PARSERS[oid] : undefined
    return parser ?? pg.types.getTypeParser(oid, format)
  }) as typeof pg.types.getTypeParser,
}
