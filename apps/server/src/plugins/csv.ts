import { Readable } from 'node:stream'
import { API_PREFIX, type Route, type RouteName, type RouteRequest, routes } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { forRequest } from '../db/lanes.ts'
import type { Caller, Session } from '../lib/caller.ts'
import { BYTE_ORDER_MARK, csvOf } from '../lib/csv.ts'
import { AppError } from '../lib/errors.ts'

import { endOf } from './request-end.ts'

/** A column: its heading, and the function that reads its value from an item. */
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
/** The app waits 60 s for a file. */
const FILE_TIMEOUT_MS = 60_000

/**
 * Serves the list of a route as a file at `<path>/csv`, with the same filters and access. Rows are read and sent a thousand at a
 * time, so memory use does not depend on the length of the list.
 */
export function registerCsv<Name extends RouteName, Item>(
  app: FastifyInstance,
  name: Name,
  columns: readonly CsvColumn<Item>[],
  list: (who: Who<Name>, query: Query<Name>) => Promise<Page<Item>>,
): void {
  const form: FileForm<Item> = {
    extension: 'csv',
    type: 'text/csv; charset=utf-8',
    head: BYTE_ORDER_MARK + csvOf([columns.map(([heading]) => heading)]),
    page: (items) => csvOf(items.map((item) => columns.map(([, of]) => of(item)))),
  }
  registerFile(app, name, form, list)
}

/** A file format for a list. */
interface FileForm<Item> {
  readonly extension: string
  readonly type: string
  readonly head: string
  readonly page: (items: readonly Item[]) => string
}

const JSON_LINES: FileForm<unknown> = {
  extension: 'jsonl',
  type: 'application/jsonl; charset=utf-8',
  head: '',
  page: (items) => items.map((item) => `${JSON.stringify(item)}\n`).join(''),
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
      const ended = endOf(reply)
      if (caller === null) throw new AppError('UNAUTHORIZED')
      const filter = request.query as RouteRequest<Name>['query']
      const pageAt = (cursor: string | undefined) =>
        forRequest('reads', ended, () =>
          list(caller as Who<Name>, { ...filter, cursor, limit: ROWS_AT_A_TIME } as Query<Name>),
        )
      // The first page is read before the response starts, so that an error in it is still sent in the envelope.
      const first = await pageAt(undefined)
      return reply
        .headers({
          'content-disposition': `attachment; filename="${name}.${form.extension}"`,
          'cache-control': 'no-store',
        })
        .type(form.type)
        .send(Readable.from(chunksOf(form, first, pageAt)))
    },
  })
}

/** Serves a list as `registerCsv` does, at `<path>/jsonl`, with one JSON object per line. */
export function registerJsonLines<Name extends RouteName, Item>(
  app: FastifyInstance,
  name: Name,
  list: (who: Who<Name>, query: Query<Name>) => Promise<Page<Item>>,
): void {
  registerFile(app, name, JSON_LINES, list)
}

async function* chunksOf<Item>(
  { head, page: textOf }: FileForm<Item>,
  first: Page<Item>,
  pageAt: (cursor: string) => Promise<Page<Item>>,
): AsyncGenerator<string> {
  yield head
  for (let page = first; ; page = await pageAt(page.next)) {
    yield textOf(page.items)
    if (page.next === null) return
  }
}
