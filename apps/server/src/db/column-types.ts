import pg from 'pg'

/** The PostgreSQL OIDs of the types that are parsed differently from pg's defaults. */
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
 * The parsers of column values: 64-bit integers become `bigint`, which is exact, and `date` stays 'YYYY-MM-DD', because
 * pg would interpret it in the time zone of the machine. Other types use pg's defaults. `db/types.gen.ts` matches.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') => {
    const parser = format === undefined || format === 'text' ? PARSERS[oid] : undefined
    return parser ?? pg.types.getTypeParser(oid, format)
  }) as typeof pg.types.getTypeParser,
}
