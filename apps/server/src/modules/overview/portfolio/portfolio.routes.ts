import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/database.ts'
import { register } from '../../../plugins/route.ts'
import type { PortfolioService } from './portfolio.service.ts'

/** `me/portfolio`. */
export function portfolioRoutes(
  app: FastifyInstance,
  { db, portfolio }: { db: Db; portfolio: PortfolioService },
): void {
  register(app, 'portfolio', ({ session, query }) => portfolio.history(db, session.memberId, query.days))
}
