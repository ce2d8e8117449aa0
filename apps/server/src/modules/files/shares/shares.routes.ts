import { API_PREFIX, routes } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/database.ts'
import { forRequest } from '../../../db/lanes.ts'
import { FILE_TIMEOUT_MS, sendFile } from '../../../plugins/file-answer.ts'
import { endOf } from '../../../plugins/request-end.ts'
import { register } from '../../../plugins/route.ts'
import type { SharesService } from './shares.service.ts'

/**
 * `me/shares` and its changes are the member's calls; `shared` and `shared/file` use a link's token, without
 * a session.
 */
export function sharesRoutes(
  app: FastifyInstance,
  { db, shares }: { readonly db: Db; readonly shares: SharesService },
): void {
  register(app, 'shares', ({ session }) => shares.list(db, session.memberId))
  register(app, 'makeShare', ({ session, body }) => shares.make(db, session, body))
  register(app, 'revokeShare', ({ session, body }) =>
    shares.revoke(db, session.memberId, BigInt(body.share_id)),
  )
  register(app, 'shared', ({ body }) => shares.read(db, body.token))

  const { path, access, summary, body } = routes.shared
  app.route({
    method: 'POST',
    url: `${API_PREFIX}${path}/file`,
    handlerTimeout: FILE_TIMEOUT_MS,
    config: { routeName: 'shared', access },
    schema: { operationId: 'sharedFile', summary: `${summary}, the file`, tags: ['shared'], body },
    handler: async (request, reply) => {
      const { token } = request.body as { token: string }
      return sendFile(reply, await forRequest('reads', endOf(reply), () => shares.openFile(db, token)))
    },
  })
}
