import type { Config } from '../config.ts'
import { inSimulation } from '../db/simulation.ts'
import type { Logger } from '../lib/logger.ts'
import { StartError } from '../lib/start-error.ts'
import { servicesAt } from '../local/demo/demo-clock.ts'
import { makeHistory } from '../local/demo/history/history.ts'
import { openDatabase } from './database.ts'
import type { Platform } from './platform.ts'
import { indexerOf, prepareServices } from './product.ts'
import type { SignerProcess } from './signer-process.ts'

/**
 * Generates the history of the demonstration on a new database and a new chain: through the services, on a
 * clock that moves through the days together with those of the chain and of the signing process. Throws
 * StartError without the owner's login.
 */
export async function runHistory(options: {
  config: Config
  platform: Platform
  log: Logger
  signer: SignerProcess
  /** Shows the operator a line. */
  say: (line: string) => void
}): Promise<void> {
  const { config, platform, log, signer, say } = options
  const { local: node, history, ownerUrl } = platform
  if (node === undefined || history === undefined || ownerUrl === undefined)
    throw new StartError('the history of the demonstration needs a database and a chain of its own')
  const database = await openDatabase(platform.databaseUrl, config.databasePoolSize, { hasPools: false })
  try {
    const services = await prepareServices(config, platform, { db: database.db, log })
    let clock = history.beginsAt
    // The signing process checks the members' signatures of the withdrawals.
    const past = servicesAt(services, () => clock, { membersSign: true })
    const indexer = indexerOf(past, platform, config, log)
    const setClock = async (at: Date) => {
      clock = at
      await signer.setClock(at)
    }
    // The events have their own clock.
    await inSimulation(ownerUrl, () =>
      node.unsaved(() =>
        makeHistory({ services: past, node, index: indexer.runOnce, days: history.days, setClock, say }),
      ),
    )
    await history.end()
  } finally {
    await database.close()
  }
}
