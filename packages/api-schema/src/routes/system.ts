import * as operations from '../admin-operations.ts'
import { get, type Routes } from '../route.ts'
import * as system from '../system.ts'

export const systemRoutes = {
  config: get('config', 'public', 'Chain, contracts, limits', { data: system.configData }),
  pauses: get('pauses', 'public', 'What the operator has paused', { data: operations.pausesData }),
} satisfies Routes
