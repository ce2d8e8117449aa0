import type { FastifyInstance } from 'fastify'
import { register } from '../../plugins/route.ts'
import type { DeskService } from './desk.service.ts'

/** `admin/today` and `admin/proposals/:proposal_id/briefing`. */
export function deskRoutes(app: FastifyInstance, { desk }: { desk: DeskService }): void {
  register(app, 'deskToday', ({ admin }) => desk.today(admin))
  register(app, 'proposalBriefing', ({ params }) => desk.briefing(BigInt(params.proposal_id)))
}
