import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/database.ts'
import { register } from '../../../plugins/route.ts'
import type { MemberSearchService } from './member-search.service.ts'

/** `me/search`. */
export function memberSearchRoutes(
  app: FastifyInstance,
  { db, memberSearch }: { db: Db; memberSearch: MemberSearchService },
): void {
  register(app, 'memberSearch', ({ session, query }) => memberSearch.find(db, session.memberId, query))
}
