import { createNodes } from '../../apps/server/src/chain/nodes/nodes.ts'
import type { Database } from '../../apps/server/src/db/database.ts'
import type { Now } from '../../apps/server/src/lib/clock.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import { createServices, type Services } from '../../apps/server/src/services.ts'
import { NO_SIGNER } from '../../apps/server/src/signer/protocol.ts'

/** Creates services as the product does, without access to a chain. */
export function servicesOn(database: Database, now: Now = () => new Date()): Services {
  const nodes = createNodes({ rpcUrls: [], chainId: 42161 })
  const nowhere = `0x${'1'.repeat(40)}` as const
  return createServices({
    db: database.db,
    now,
    log: createLogger({ level: 'silent' }),
    chain: {
      untrustedClient: nodes.untrustedClient,
      nodes,
      chainId: 42161,
      contracts: { bank: nowhere, transfer: nowhere, usdt: nowhere, amc: nowhere },
      decimals: { USDT: 6, AMC: 18 },
    },
    settings: {
      publicUrl: 'http://127.0.0.1:8080',
      version: 'bench',
      browserRpcUrl: '',
      explorerUrl: null,
      confirmations: 1,
      demoWallets: null,
      signer: NO_SIGNER,
    },
  })
}
