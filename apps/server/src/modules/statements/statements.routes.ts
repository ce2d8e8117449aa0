import { API_PREFIX, type RouteName, routes } from '@rif/api-schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../db/database.ts'
import { forRequest } from '../../db/lanes.ts'
import { AppError } from '../../lib/errors.ts'
import { endOf } from '../../plugins/request-end.ts'
import { register } from '../../plugins/route.ts'
import { isMember } from '../auth/auth.service.ts'
import type { Owner, StatementsService } from './statements.service.ts'

interface Deps {
  readonly db: Db
  readonly statements: StatementsService
}

/** The app waits 60 s for a file; a large one on a slow line takes longer. */
const FILE_TIMEOUT_MS = 600_000

/** `me/statements` and `admin/statements`, with the files at `.../file`. */
export function statementRoutes(app: FastifyInstance, { db, statements }: Deps): void {
  const own = ({ session }: { session: { memberId: bigint } }): Owner => ({ memberId: session.memberId })
  const admins = ({ admin }: { admin: { address: string } }): Owner => ({
    admin: admin.address.toLowerCase(),
  })

  register(app, 'statements', (call) => statements.list(db, own(call)))
  register(app, 'statement', (call) => statements.get(db, own(call), BigInt(call.params.statement_id)))
  register(app, 'requestStatement', (call) =>
    statements.request(db, own(call), { ...call.body, locale: call.locale }),
  )
  register(app, 'removeStatement', async (call) => {
    await statements.remove(db, own(call), BigInt(call.body.statement_id))
    return {}
  })
  register(app, 'adminStatements', (call) => statements.list(db, admins(call)))
  register(app, 'adminStatement', (call) =>
    statements.get(db, admins(call), BigInt(call.params.statement_id)),
  )
  register(app, 'requestAdminStatement', (call) => {
    const { member_id, ...request } = call.body
    const customerId = member_id === undefined ? undefined : BigInt(member_id)
    return statements.request(db, admins(call), { ...request, customerId, locale: call.locale })
  })
  register(app, 'removeAdminStatement', async (call) => {
    await statements.remove(db, admins(call), BigInt(call.body.statement_id))
    return {}
  })
  registerFile(app, 'statement', { db, statements }, (request) => {
    if (request.caller === null || !isMember(request.caller)) throw new AppError('UNAUTHORIZED')
    return { memberId: request.caller.memberId }
  })
  registerFile(app, 'adminStatement', { db, statements }, (request) => {
    if (request.admin === null) throw new AppError('UNAUTHORIZED')
    return { admin: request.admin.address.toLowerCase() }
  })
}

/** Serves the content of a file at `<path>/file`, with the access of the route. */
function registerFile(
  app: FastifyInstance,
  name: RouteName & ('statement' | 'adminStatement'),
  { db, statements }: Deps,
  ownerOf: (request: FastifyRequest) => Owner,
): void {
  const route = routes[name]
  app.route({
    method: 'GET',
    url: `${API_PREFIX}${route.path}/file`,
    handlerTimeout: FILE_TIMEOUT_MS,
    config: { routeName: name, access: route.access },
    schema: {
      operationId: `${name}File`,
      summary: `${route.summary}, the file`,
      tags: [route.path.split('/')[0]!],
      params: route.params,
      security: [{ token: [], wallet: [] }],
    },
    handler: async (request, reply) => {
      const { statement_id } = request.params as { statement_id: string }
      const owner = ownerOf(request)
      const { filename, mediaType, content } = await forRequest('reads', endOf(reply), () =>
        statements.open(db, owner, BigInt(statement_id)),
      )
      return reply
        .headers({
          'content-disposition': `attachment; filename="${filename}"`,
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        })
        .type(mediaType)
        .send(content)
    },
  })
}
