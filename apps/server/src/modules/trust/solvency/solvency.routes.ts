import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { API_PREFIX, solvencyDayParams } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import { register } from '../../../plugins/route.ts'
import type { createSolvency } from './solvency.ts'

type Services = Pick<ReturnType<typeof createSolvency>, 'solvency' | 'solvencyProofs' | 'solvencyPublishing'>

/** The time for which responses may be cached without revalidation. */
const MAX_AGE_S = 10

/** `solvency` and `solvency/leaves/:day` are public; `solvency/proof` and `solvency/mine` are the member's own. */
export async function solvencyRoutes(
  app: FastifyInstance,
  { solvency, solvencyProofs, solvencyPublishing }: Services,
): Promise<void> {
  register(app, 'solvencyProof', ({ session, query }) => solvencyProofs.proof(session, query.day))
  register(app, 'solvencyMine', ({ session, query }) => solvency.mine(session.memberId, query.day))
  register(app, 'solvencyBooks', () => solvency.books())
  register(app, 'solvencySends', () => solvencyPublishing.sends())
  await app.register(async (scope) => {
    // The figures are shared for some seconds, and so are their text and tag, which cost as much as the rest
    // of a response.
    let kept: { readonly data: unknown; readonly text: string; readonly tag: string } | undefined
    scope.addHook<{ data: unknown }>('preSerialization', async (_request, reply, payload) => {
      if (reply.statusCode !== 200) return payload
      if (kept === undefined || kept.data !== payload.data)
        kept = { data: payload.data, ...tagged(`${reply.serializeInput(payload, '200')}`) }
      const { text, tag } = kept
      reply.header('etag', tag).header('cache-control', `public, max-age=${MAX_AGE_S}`)
      reply.serializer(() => text)
      return payload
    })
    scope.addHook('onSend', async (request, reply, text) => {
      const tag = reply.getHeader('etag')
      if (tag === undefined || request.headers['if-none-match'] !== tag) return text
      reply.code(304)
      return ''
    })
    register(scope, 'solvency', () => solvency.overview())
  })
  app.get(
    `${API_PREFIX}solvency/leaves/:day`,
    {
      schema: {
        operationId: 'solvencyLeaves',
        tags: ['solvency'],
        params: solvencyDayParams,
        summary: 'The list of leaves of a report (docs/solvency.md), without names',
      },
    },
    async (request, reply) => {
      const { day } = request.params as { day: string }
      const file = solvencyProofs.leaves(day)
      // The refusals come before the first byte.
      const first = await file.next()
      const content = Readable.from(
        (async function* () {
          if (!first.done) yield first.value
          yield* file
        })(),
        { objectMode: false },
      )
      return reply
        .header('content-disposition', `attachment; filename="leaves-${day}.bin"`)
        .header('cache-control', 'public, max-age=86400, immutable')
        .type('application/octet-stream')
        .send(content)
    },
  )
}

function tagged(text: string): { text: string; tag: string } {
  return { text, tag: `"${createHash('sha256').update(text).digest('base64url')}"` }
}
