import { openChain } from '../../chain/client.ts'
import { loadConfig } from '../../config.ts'
import { laneSizes } from '../../db/lanes.ts'
import { createLogger } from '../../lib/logger.ts'
import type { MetricValues } from '../../plugins/metrics.ts'
import { CHAIN_ID } from '../../settings.ts'
import { explain } from '../explain.ts'
import { tryContracts } from '../platform.ts'
import { type Product, runProduct, WEB_ROOT } from '../product.ts'
import type { ApiPlace } from './api-processes.ts'
import { type Link, openLink } from './link.ts'
import { awaitDatabase } from './waiting.ts'

/**
 * Runs one of several processes that serve the API, controlled by the main process. Returns the exit code
 * after the main process stops it with SIGTERM and the requests in progress are answered. Ends when the main
 * process ends.
 */
export async function runApiProcess(): Promise<number> {
  // A terminal sends it to all processes; the main process stops this one.
  process.on('SIGINT', () => undefined)
  const stopping = new AbortController()
  const stopped = new Promise<void>((resolve) =>
    process.once('SIGTERM', () => {
      stopping.abort()
      resolve()
    }),
  )
  let starting: Promise<Product> | undefined
  const link = openLink(
    process as Required<Pick<NodeJS.Process, 'send'>> & NodeJS.Process,
    {
      async begin(place: ApiPlace & { name: string }) {
        starting = serve(place, link, stopping.signal)
        await starting
      },
      metrics: async () => (await starting)?.services.metrics.ofProcess() ?? [],
    },
    explain,
  )
  await stopped
  const product = await starting?.catch(() => undefined)
  await product?.stop()
  return 0
}

async function serve(
  { name, ...place }: ApiPlace & { name: string },
  link: Link,
  stopped: AbortSignal,
): Promise<Product> {
  const config = { ...loadConfig(process.env), databasePoolSize: place.databasePoolSize }
  const log = createLogger({ level: config.logLevel ?? place.logLevel, process: name })
  log.info(
    { poolSize: config.databasePoolSize, pools: laneSizes(config.databasePoolSize) },
    'database connections',
  )
  // A process that is restarted while the database is away waits for it, as the first one did.
  await awaitDatabase(config, { databaseUrl: place.databaseUrl, webRoot: WEB_ROOT, log, stopped })
  stopped.throwIfAborted()
  const { chain, check } = openChain({
    ...{ rpcUrls: place.rpcUrls, chainId: CHAIN_ID, contracts: place.contracts },
    refusesTestToken: place.demoAccounts === null,
  })
  await tryContracts(check)
  const local = place.demoAccounts && {
    demoAccounts: place.demoAccounts,
    relay: (body: unknown) => link.ask<unknown>('relay', body),
  }
  return runProduct({
    ...{ config, log, roles: ['api'], process: name },
    platform: { ...place, chain, contractsCheck: check, ownerUrl: undefined, local: local ?? undefined },
    otherMetrics: () => link.ask<MetricValues[]>('metrics').catch(() => []),
  })
}
