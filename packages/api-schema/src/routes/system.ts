import { get, type Routes } from '../route.ts'
import * as system from '../system.ts'

export const systemRoutes = {
  config: get({
    path: 'config',
    access: 'public',
    summary: 'Chain, contracts, limits',
    data: system.configData,
  }),
} satisfies Routes
