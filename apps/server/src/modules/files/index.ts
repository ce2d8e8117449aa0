import type { Access } from '../access/index.ts'
import type { Books } from '../books/index.ts'
import { capability } from '../capability.ts'
import type { Ground } from '../ground.ts'
import type { Leaving } from '../leaving/index.ts'
import type { Members } from '../members/index.ts'
import type { Operators } from '../operators/index.ts'
import type { Prices } from '../prices/index.ts'
import type { Settlement } from '../settlement/index.ts'
import type { Trust } from '../trust/index.ts'
import { createErasures } from './person/person.erasure.service.ts'
import { personRoutes } from './person/person.routes.ts'
import { createPersonService } from './person/person.service.ts'
import { personJobs } from './person/person.worker.ts'
import { SHARES_MESSAGES } from './shares/messages.ts'
import { sharesRoutes } from './shares/shares.routes.ts'
import { createShares } from './shares/shares.service.ts'
import { shareJobs } from './shares/shares.worker.ts'
import { STATEMENTS_MESSAGES } from './statements/messages.ts'
import { statementRoutes } from './statements/statements.routes.ts'
import { createStatements } from './statements/statements.service.ts'
import { statementJobs } from './statements/statements.worker.ts'

/** Statements, shared links, and everything that is stored about a member: its export and its erasure. */
export const files = capability({
  create(needs: Ground & Books & Operators & Prices & Members & Access & Leaving & Settlement & Trust) {
    const statements = createStatements(needs)
    return {
      statements,
      shares: createShares({ ...needs, statements }),
      person: createPersonService(),
      erasures: createErasures(needs),
    }
  },
  routes(app, services) {
    personRoutes(app, services)
    statementRoutes(app, services)
    sharesRoutes(app, services)
  },
  jobs: (services) => ({
    always: [...personJobs(services), ...statementJobs(services), ...shareJobs(services)],
  }),
  messages: { ...SHARES_MESSAGES, ...STATEMENTS_MESSAGES },
})
