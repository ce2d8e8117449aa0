import type { AdminRouteName, routes } from '@rif/api-schema'
import { type ApiRoute, addRoutes, type Facts } from './api-routes.ts'

/** As `apiRoutes`, for the operator's side: loaded with its pages, so that members do not load it. */
const adminRoutes: { readonly [N in AdminRouteName]: Facts<(typeof routes)[N]> & ApiRoute } = {
  adminMe: { method: 'GET', path: 'admin/me' },
  adminRoles: { method: 'GET', path: 'admin/roles' },
}

addRoutes(adminRoutes)
