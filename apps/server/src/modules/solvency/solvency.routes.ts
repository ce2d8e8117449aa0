import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { API_PREFIX, solvencyDayParams } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import { register } from '../../plugins/route.ts'
import type { createSolvency } from './solvency.module.ts'

type Services = Pick<ReturnType<typeof createSolvency>, 'solvency' | 'solvencyProofs' | 'solvencyPublishing'>

/** Answers may be kept for so long without asking. */
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
    scope.addHook('onSend', async (request, reply, payload) => {
      if (reply.statusCode !== 200 || typeof payload !== 'string') return payload
      const tag = `"${createHash('sha256').update(payload).digest('base64url')}"`
      reply.header('etag', tag).header('cache-control', `public, max-age=${MAX_AGE_S}`)
      if (request.headers['if-none-match'] !== tag) return payload
      reply.code(304)
      return ''
    })
    register(scope, 'solvency', () => solvency.overview())
  })
  app.get(
    `${API_PREFIX}solvency/leaves/:day`,
    {
      schema: {
        ...{ operationId: 'solvencyLeaves', tags: ['solvency'], params: solvencyDayParams },
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
