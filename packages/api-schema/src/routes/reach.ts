import * as reach from '../reach.ts'
import { get, type Routes } from '../route.ts'

/** The route with which operators read the refused countries and wallets. The lists change by proposals. */
export const reachRoutes = {
  reach: get('admin/reach', 'viewer', 'Countries and wallets that are not served', { data: reach.reachData }),
} satisfies Routes
