import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createIndexer } from './chain/indexer/indexer.ts'
import { createLogger } from './lib/logger.ts'
import { workersOf } from './testing/cluster-load.ts'
import { startTcpProxy } from './testing/tcp-proxy.ts'
import { createTestDatabase, isOnCluster } from './testing/test-database.ts'
import { startTestServer } from './testing/test-server.ts'

const METRICS_TOKEN = 'a token for the metrics'

describe.runIf(isOnCluster())('an operator of a cluster', () => {
  it('learns which machines do not answer, while the process stays in service', async () => {
    const database = await createTestDatabase()
    const { db } = database
    const proxies = await Promise.all(
      workersOf(database).map(async (url) => {
        const { hostname, port } = new URL(url)
        const proxy = await startTcpProxy(Number(port))
        await sql`
          select citus_update_node(nodeid, '127.0.0.1', ${proxy.port}::integer, true) from pg_dist_node
          where nodename = ${hostname} and nodeport = ${Number(port)}::integer`.execute(database.adminDb)
        return proxy
      }),
    )
    const server = await startTestServer({ database, metricsToken: METRICS_TOKEN })
    const { system, chain, now } = server.services
    const indexer = createIndexer({
      db,
      databaseUrl: database.url,
      chain,
      now,
      log: createLogger({ level: 'silent' }),
      startBlock: 1n,
      confirmations: 1,
    })
    await indexer.runOnce()
    const metrics = async () =>
      (await server.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${METRICS_TOKEN}` } }))
        .body
    const [lost, ...others] = proxies.map(({ port }) => `127.0.0.1:${port}`)

    expect((await system.status(db)).machines).toEqual({ ok: true })
    expect(await metrics()).toContain(`rif_machine_ready{machine="${lost}"} 1`)

    proxies[0]!.setState('cut')
    const problem = `1 of ${proxies.length} do not answer`
    expect((await system.status(db)).machines).toEqual({ ok: false, problem })
    const text = await metrics()
    expect(text).toContain(`rif_machine_ready{machine="${lost}"} 0`)
    for (const other of others) expect(text).toContain(`rif_machine_ready{machine="${other}"} 1`)
    expect((await server.app.inject('/status')).json()).toMatchObject({
      ok: false,
      parts: { machines: { ok: false, problem }, indexer: { ok: true } },
    })
    expect((await server.app.inject('/ready')).json()).toMatchObject({ ready: true })

    proxies[0]!.setState('open')
    expect((await system.status(db)).machines).toEqual({ ok: true })
    await indexer.stop()
    await server.close()
    for (const proxy of proxies) await proxy.close()
  })
})
