import type { FastifyInstance } from 'fastify'
import { register } from '../../../plugins/route.ts'
import type { ReachService } from './reach.service.ts'

/** `admin/reach`. */
export function reachRoutes(
  app: FastifyInstance,
  { reach }: { reach: ReachService },
  { knowsCountry }: { knowsCountry: boolean },
): void {
  register(app, 'reach', () => reach.view(knowsCountry))
}
