import { Readable } from 'node:stream'
import { API_PREFIX, type Route, type RouteName, type RouteRequest, routes } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import type { Caller, Session } from '../modules/auth/auth.service.ts'

/** One column: its heading, and what an item has in it. */
export type CsvColumn<Item> = readonly [heading: string, of: (item: Item) => string | number | null]

interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

type Query<Name extends RouteName> = RouteRequest<Name>['query'] & {
  cursor?: string | undefined
  limit: number
}

type Who<Name extends RouteName> = (typeof routes)[Name]['access'] extends 'member' ? Session : Caller

const ROWS_AT_A_TIME = 1_000
/** The app waits 60 s for a file (specification, section 9). */
const FILE_TIMEOUT_MS = 60_000

/**
 * Serves the list of a route as a file at `<path>/csv`, with the same filters, to the same callers. Rows are read and sent a
 * thousand at a time, so the length of a list costs no memory.
 */
export function registerCsv<Name extends RouteName, Item>(
  app: FastifyInstance,
  name: Name,
  columns: readonly CsvColumn<Item>[],
  list: (who: Who<Name>, query: Query<Name>) => Promise<Page<Item>>,
): void {
  const head = BYTE_ORDER_MARK + lineOf(columns.map(([heading]) => heading))
  const line = (item: Item) => lineOf(columns.map(([, of]) => of(item)))
  registerFile(app, name, { extension: 'csv', type: 'text/csv; charset=utf-8', head, line }, list)
}

/** How a list is written as a file. */
interface FileForm<Item> {
  readonly extension: string
  readonly type: string
  readonly head: string
  readonly line: (item: Item) => string
}

const JSON_LINES: FileForm<unknown> = {
  ...{ extension: 'jsonl', type: 'application/jsonl; charset=utf-8', head: '' },
  line: (item) => `${JSON.stringify(item)}\n`,
}

function registerFile<Name extends RouteName, Item>(
  app: FastifyInstance,
  name: Name,
  form: FileForm<Item>,
  list: (who: Who<Name>, query: Query<Name>) => Promise<Page<Item>>,
): void {
  const route: Route & { readonly query?: z.ZodType } = routes[name]
  app.route({
    method: 'GET',
    url: `${API_PREFIX}${route.path}/${form.extension}`,
    handlerTimeout: FILE_TIMEOUT_MS,
    config: { routeName: name, access: route.access },
    schema: {
      operationId: name + (form.extension === 'csv' ? 'Csv' : 'JsonLines'),
      summary: `${route.summary}, as a file`,
      tags: [route.path.split('/')[0]!],
      ...(route.query !== undefined && { querystring: route.query }),
      security: [{ token: [], wallet: [] }],
    },
    handler: async (request, reply) => {
      const { caller } = request
      if (caller === null) throw new AppError('UNAUTHORIZED')
      const filter = request.query as RouteRequest<Name>['query']
      const pageAt = (cursor: string | undefined) =>
        list(caller as Who<Name>, { ...filter, cursor, limit: ROWS_AT_A_TIME } as Query<Name>)
      // The first page is read before the answer begins: what fails by then is still told in the envelope.
      const first = await pageAt(undefined)
      return reply
        .headers({
          'content-disposition': `attachment; filename="${name}.${form.extension}"`,
          'cache-control': 'no-store',
        })
        .type(form.type)
        .send(Readable.from(linesOf(form, first, pageAt)))
    },
  })
}

/** As `registerCsv`, at `<path>/jsonl`: one JSON object a line. */
export function registerJsonLines<Name extends RouteName, Item>(
  app: FastifyInstance,
  name: Name,
  list: (who: Who<Name>, query: Query<Name>) => Promise<Page<Item>>,
): void {
  registerFile(app, name, JSON_LINES, list)
}

/** The mark by which spreadsheets know that the text is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

async function* linesOf<Item>(
  { head, line }: FileForm<Item>,
  first: Page<Item>,
  pageAt: (cursor: string) => Promise<Page<Item>>,
): AsyncGenerator<string> {
  yield head
  for (let page = first; ; page = await pageAt(page.next)) {
    yield page.items.map(line).join('')
    if (page.next === null) return
  }
}

const lineOf = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`

const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/

/**
 * A value as a cell of RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe in front; numbers stay
 * what they are.
 */
export function csvCell(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  const safe = /^\s*[=+\-@\t\r]/.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
