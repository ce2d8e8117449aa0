import { API_PREFIX, type RouteName, routes } from '@rif/api-schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../../db/database.ts'
import { forRequest } from '../../../db/lanes.ts'
import { isMember } from '../../../lib/caller.ts'
import { AppError } from '../../../lib/errors.ts'
import { FILE_TIMEOUT_MS, sendFile } from '../../../plugins/file-answer.ts'
import { endOf } from '../../../plugins/request-end.ts'
import { register } from '../../../plugins/route.ts'
import type { Owner, StatementsService } from './statements.service.ts'

interface Deps {
  readonly db: Db
  readonly statements: StatementsService
}

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
      const open = () => statements.open(db, owner, BigInt(statement_id))
      return sendFile(reply, await forRequest('reads', endOf(reply), open))
    },
  })
}
