import * as operations from '../admin-operations.ts'
import * as changes from '../changes.ts'
import { get, type Routes } from '../route.ts'
import * as system from '../system.ts'

export const systemRoutes = {
  config: get('config', 'public', 'Chain, contracts, limits', { data: system.configData }),
  pauses: get('pauses', 'public', 'Areas paused by the operator', { data: operations.pausesData }),
  changes: get('changes', 'session', 'A stream that says what to read again', {
    isStream: true,
    data: changes.changesData,
  }),
} satisfies Routes
